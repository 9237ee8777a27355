/**
 * A published set is one set of the store as a master sees it that has a source directory for it. It is read by the word of
 * the store's leader: what a lagging replica says could make a directory look newer than it is.
 *
 * A publish that was interrupted, which shows as a manifest without its revision, is finished here by whoever holds the
 * lease: all its files are in the store, so that needs nobody's directory. Where they are not, what counts as published is
 * what this master last saw (core/files/published-sight.ts).
 */
import type {
  FilePublishOptions,
  FileSetSeal,
  FileToPublish,
  ListedFile,
  PublishOutcome,
} from '../../bus/file-set/file-set.ts';
import { hashText } from '../../bus/file-set/plain-files.ts';
import { filePublisher } from '../../bus/file-set/publish-file-set.ts';
import { fetchFile } from '../../bus/file-set/read-file-set.ts';
import { listedDigest, readStoredFileSet } from '../../bus/file-set/stored-file-set.ts';
import type { Bus } from '../../bus/port.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { lastKnownSight, type PublishedState, publishedSight } from '../../core/files/published-sight.ts';
import type { PublishedSight } from '../../core/files/source-standing.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { OBJECT_STORES } from '../../wire/names/streams.ts';
import type { FileSetSpec } from '../../wire/records/file-set.ts';

export interface PublishedSetParts {
  readonly bus: Bus;
  readonly runtime: Runtime;
  readonly spec: FileSetSpec;
  readonly seal: FileSetSeal;
  readonly isPublisher: () => boolean;
}

export interface PublishedView {
  readonly state: PublishedState;
  /** Digest of the tree that the stored manifest lists, whatever it is worth; empty where it lists none. */
  readonly over: string;
}

export interface PublishedSet {
  /** Nothing is written, also not to finish what was interrupted. */
  peek(): Promise<PublishedView>;
  /** `base`: what this master last saw. */
  look(base: PublishedSight | undefined): Promise<PublishedView>;
  /** The content of a file that was looked at. FILES_SOURCE_CHANGED when the set has moved on. */
  fetch(file: ListedFile): Promise<Uint8Array>;
  publish(files: readonly FileToPublish[], options: FilePublishOptions): Promise<PublishOutcome>;
  /** How long its readers spread their fetching. */
  writeSpread(ms: number): Promise<void>;
}

export function publishedSet({ bus, runtime, spec, seal, isPublisher }: PublishedSetParts): PublishedSet {
  const { log } = runtime;
  const publisher = filePublisher(bus, spec, runtime, seal);

  async function look(base: PublishedSight | undefined): Promise<PublishedView> {
    const { now, view } = await read(base);
    if (view.state.is !== 'unfinished' || !isPublisher()) return view;
    if (await finish(view.state)) return (await read(base)).view;
    const problem = 'a publish was interrupted, and files that it lists are not there';
    return { ...view, state: lastKnownSight(now, base, problem) };
  }

  async function read(base: PublishedSight | undefined) {
    const stored = await readStoredFileSet(bus, spec);
    const { revisionRead } = stored;
    const now = { ...stored, writtenMs: revisionRead.found ? revisionRead.writtenMs : 0 };
    return { now, view: { state: publishedSight(now, base, hashText), over: listedDigest(stored) } };
  }

  /** False when it cannot be. That somebody else was faster is fine. */
  async function finish({ files, digest }: Extract<PublishedState, { is: 'unfinished' }>): Promise<boolean> {
    const contents = files.map((file): FileToPublish => ({ ...file, read: () => fetch(file) }));
    try {
      const { is } = await publisher.publish(contents, { force: false, over: digest });
      if (is === 'published' || is === 'unchanged')
        log.info('a publish that was interrupted is finished', { set: spec.name, files: files.length });
      return true;
    } catch (error) {
      const isGone = isZesterError(error, 'FILES_SOURCE_CHANGED') || (await isLost(error, files));
      if (!isGone) throw error;
      log.warn('a publish that was interrupted cannot be finished', { set: spec.name, error });
      return false;
    }
  }

  /** Whether the store has lost a part of one of these files. The copy that answered may only lag: its leader says. */
  async function isLost(error: unknown, files: readonly ListedFile[]): Promise<boolean> {
    if (!isZesterError(error, 'BUS_OBJECT_INCOMPLETE')) return false;
    const { objects } = await bus.objects(OBJECT_STORES.fileBlobs.name).list();
    const whole = new Set(objects.filter(({ isWhole }) => isWhole).map(({ name }) => name));
    return files.some(({ blob, sha256 }) => blob && !whole.has(sha256));
  }

  async function fetch(file: ListedFile): Promise<Uint8Array> {
    const fetched = await fetchFile(bus, spec, file, seal);
    if (fetched.is === 'found') return fetched.bytes;
    throw zesterError('FILES_SOURCE_CHANGED', { set: spec.name, path: file.path });
  }

  const peek = async () => (await read(undefined)).view;
  return { peek, look, fetch, publish: publisher.publish, writeSpread: publisher.writeSpread };
}
