/**
 * `SimFiles` is all that the simulator knows of published files and secrets: the books of both sets, the record of each
 * peel, the watch for secrets. It learns from what passes the server and from disks, and asks the product nothing.
 */
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import type { MemoryUser } from '../../bus/memory/memory-server.ts';
import type { Headers } from '../../bus/port.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { PUBLISHER_LEASE_KEY } from '../../wire/names/keys.ts';
import { objectMetaSubject, parseKvSubject } from '../../wire/names/store-subjects.ts';
import { OBJECT_STORES, PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { parseJobSubject } from '../../wire/names/subjects.ts';
import { execResponseCodec } from '../../wire/records/exec.ts';
import { FILE_SETS } from '../../wire/records/file-set.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import type { PeelFilesBook } from './peel-files-book.ts';
import { PublishBook } from './publish-book.ts';
import { SecretWatch } from './secret-watch.ts';
import type { SourceModels } from './sim-operator.ts';
import { isPublishable, type SettingsModel, type StatesModel } from './site-model.ts';
import { settingsTree, statesTree } from './site-trees.ts';
import { SourceBook } from './source-book.ts';
import type { SourceName } from './source-disk.ts';

export interface SimFilesParts {
  readonly nowMs: () => number;
  readonly broke: (rule: string, text: string) => void;
}

const BLOB_SUBJECT = objectMetaSubject(OBJECT_STORES.fileBlobs.name, '');

const JOB_STREAMS: ReadonlySet<string> = new Set(PEEL_WORD_STREAMS.map(({ name }) => name));

export class SimFiles {
  readonly secrets: SecretWatch;
  readonly sources: { readonly [Name in SourceName]: SourceBook<SourceModels[Name]> };
  readonly books: { readonly [Name in SourceName]: PublishBook<SourceModels[Name]> };
  private readonly parts: SimFilesParts;
  /** Masters by the name of their life. */
  private readonly nodes = new Map<string, string>();
  private readonly peels = new Map<PeelId, PeelFilesBook>();
  private holder: string | undefined;

  constructor(parts: SimFilesParts) {
    this.parts = parts;
    const { nowMs } = parts;
    this.secrets = new SecretWatch(parts.broke, nowMs);
    this.sources = {
      states: new SourceBook<StatesModel>(statesTree, nowMs),
      settings: new SourceBook<SettingsModel>((model) => settingsTree(model, 'published'), nowMs),
    };
    this.books = { states: this.bookOf('states'), settings: this.bookOf('settings') };
  }

  masterStarted(life: string, node: string): void {
    this.nodes.set(life, node);
  }

  /** The node that said last that it publishes. */
  get publisher(): string | undefined {
    return this.holder;
  }

  published(
    by: MemoryUser,
    message: { readonly subject: string; readonly data: Uint8Array; readonly headers: Headers },
  ): void {
    this.secrets.message(by.name, message.subject, message.data, message.headers);
  }

  /** The record of a peel. */
  watch(peel: PeelId, book: PeelFilesBook): void {
    this.peels.set(peel, book);
  }

  stored(by: MemoryUser, { stream, subject, data, headers }: Stored): void {
    if (JOB_STREAMS.has(stream)) {
      this.jobEvent(subject, data);
      return;
    }
    if (subject.startsWith(BLOB_SUBJECT)) {
      const name = Buffer.from(subject.slice(BLOB_SUBJECT.length), 'base64url').toString();
      this.books.states.blobStored(name);
      return;
    }
    const kv = parseKvSubject(subject);
    if (kv === undefined) return;
    const node = this.nodes.get(by.name) ?? by.name;
    const value = headers.has(KV_OPERATION_HEADER) ? undefined : data;
    if (kv.bucket === BUCKETS.stateFiles.name) this.books.states.stored(node, kv.key, value);
    else if (kv.bucket === BUCKETS.settingsFiles.name) this.books.settings.stored(node, kv.key, value);
    else if (kv.bucket === BUCKETS.secrets.name) this.sealed(kv.key, value);
    else if (kv.bucket === BUCKETS.leases.name && kv.key === PUBLISHER_LEASE_KEY && value !== undefined)
      this.holder = this.nodes.get(Buffer.from(value).toString());
  }

  /** The books as they are now; the returned function puts them back: the server forgot what was written since. */
  snapshot(): () => void {
    const undo = [
      this.secrets.snapshot(),
      this.books.states.snapshot(),
      this.books.settings.snapshot(),
      this.sources.states.snapshot(),
      this.sources.settings.snapshot(),
    ];
    return () => {
      for (const each of undo) each();
    };
  }

  private jobEvent(subject: string, data: Uint8Array): void {
    const word = parseJobSubject(subject);
    if (word === undefined || !('peel' in word) || word.kind !== 'return') return;
    const { success, returnData } = returnCodec.decode(data);
    if (!success || returnData.length === 0) return;
    this.peels.get(word.peel)?.returned(word.jid, execResponseCodec.decode(returnData));
  }

  private sealed(key: string, value: Uint8Array | undefined): void {
    const peel = parsePeelId(key);
    if (peel !== undefined) this.secrets.sealed(peel, value);
  }

  private bookOf<Name extends SourceName>(name: Name): PublishBook<SourceModels[Name]> {
    const source: SourceBook<SourceModels[Name]> = this.sources[name];
    const { broke } = this.parts;
    return new PublishBook({
      ...this.parts,
      spec: FILE_SETS[name],
      modelOf: (files) => source.modelOf(files),
      isNewest: (node, model) => {
        if (!isPublishable(model))
          broke('a tree with a mistake in its secrets is not published', `by ${node}`);
        return source.publishes(model);
      },
    });
  }
}
