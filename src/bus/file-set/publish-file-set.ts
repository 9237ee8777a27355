/**
 * `filePublisher` makes a tree of files the published one of its set (decision 24): files, then the manifest, then the
 * revision; then it takes away what is left of earlier trees. What has to be done is decided by core/files/publish-plan.ts.
 *
 * Who writes: the master that holds the publisher lease. The lease is advisory, so nothing here relies on it. Manifest and
 * revision are compared-and-set on what was read at the start; who loses either of them has published nothing of its own,
 * and says so.
 *
 * Dying right after
 *  - some files: the old manifest does not list them, or lists another hash for them. Readers that come now find the set torn
 *    and keep what they have, until the next publish.
 *  - the manifest: it names a revision that is not there yet; torn as well. The next publish of the same tree writes only
 *    the revision, one of another tree replaces the manifest.
 *  - the revision: the set is whole; the next publish takes away what was left.
 *
 * Twice: a tree that is published already is recognized by its manifest, and nothing is written. That its files are there
 * too is checked by reading them, once in the life of this process and again whenever somebody else wrote to the bucket,
 * which the bucket's last sequence shows.
 * Late: a publisher that slept writes files that the manifest in force lists otherwise, and is then beaten. Readers find
 * these files torn until the lease holder's next check puts them back.
 * From someone else: the same, whatever was written.
 *
 * An empty source never takes a published tree away. A failed removal is counted, and tried again by the next publish.
 * Bounds: those of core/files/list-files.ts; `WRITES_AT_ONCE` contents in memory, objects one by one.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { keyOfFile, type ListedFile, manifestOf } from '../../core/files/file-manifest.ts';
import { treeDigest } from '../../core/files/file-tree.ts';
import { listFiles } from '../../core/files/list-files.ts';
import { type PublishPlan, planPublish } from '../../core/files/publish-plan.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { tryEncode } from '../../wire/msgpack/try-encode.ts';
import { MANIFEST_KEY, SPREAD_KEY } from '../../wire/names/keys.ts';
import { MESSAGE_BYTES_MAX } from '../../wire/names/limits.ts';
import { kvStreamName, objectStreamName } from '../../wire/names/store-subjects.ts';
import { OBJECT_STORES } from '../../wire/names/streams.ts';
import { type FileSetSpec, revisionCodec, spreadCodec } from '../../wire/records/file-set.ts';
import type { Bus, CasOutcome, KvRead, ObjectListing, StoredObject } from '../port.ts';
import type { FilePublishOptions, FileSetSeal, FileToPublish, PublishOutcome } from './file-set.ts';
import { hashText, PLAIN_FILES } from './plain-files.ts';
import { pruneBlobs, pruneKeys } from './prune-file-set.ts';
import { findIntactFiles, listedDigest, readStoredFileSet, type StoredFileSet } from './stored-file-set.ts';

const WRITES_AT_ONCE = 16;
/** What a server takes unless its operator says otherwise, for the moment in which it has not said it. */
const PAYLOAD_BYTES_DEFAULT = 1_048_576;
/** Subject and headers count as well. */
const MESSAGE_ROOM_BYTES = 4_096;
const BLOB_STORE = OBJECT_STORES.fileBlobs.name;
const NO_OBJECTS: ObjectListing = { objects: [], looseChunks: [] };

export interface FilePublisher {
  /** One at a time: a second call waits for the first. Throws where the store fails; nothing is known of the outcome then. */
  publish(files: readonly FileToPublish[], options: FilePublishOptions): Promise<PublishOutcome>;
  /** Writes nothing where that is what the bucket says already. */
  writeSpread(ms: number): Promise<void>;
}

/** That nobody has written to the bucket since it held exactly this. */
interface Known {
  /** Last of the bucket. */
  readonly sequence: number;
  /** How the store of large files stood: another set, or a loss, changes it. */
  readonly objects: string;
  readonly digest: string;
  readonly revision: number;
}

interface CarriedOut {
  /** Our own writes to the bucket: where there were others, what it holds is not known. */
  readonly writes: number;
  /** Revision in the bucket of the manifest in force. */
  readonly manifestRevision: number;
  readonly revision: number;
}

/** By default contents are stored as they are. */
export function filePublisher(
  bus: Bus,
  spec: FileSetSpec,
  { log }: Pick<Runtime, 'log'>,
  seal: FileSetSeal = PLAIN_FILES,
): FilePublisher {
  const bucket = bus.bucket(spec.bucket.name);
  const turn = new Semaphore(1);
  let known: Known | undefined;

  async function publish(
    files: readonly FileToPublish[],
    options: FilePublishOptions,
  ): Promise<PublishOutcome> {
    const payloadBytesMax = bus.server()?.payloadBytesMax ?? PAYLOAD_BYTES_DEFAULT;
    const wanted = listFiles(spec, files, payloadBytesMax);
    const digest = treeDigest(wanted, hashText);
    const before = await lastSequence();
    const objectsMark = await markOfObjects();
    const isKnown = known?.sequence === before && known.objects === objectsMark;
    if (isKnown && known?.digest === digest && !options.force)
      return { is: 'unchanged', revision: known.revision };
    const stored = await readStoredFileSet(bus, spec);
    if (options.over !== undefined && listedDigest(stored) !== options.over) return { is: 'beaten' };
    // Seen before the manifest is replaced, for `pruneBlobs`.
    const objects = spec.blobs ? await bus.objects(BLOB_STORE).list() : NO_OBJECTS;
    const intact = isKnown ? undefined : await findIntactFiles(bus, spec, stored, wanted, seal);
    const blobs = new Set(objects.objects.filter(isWhatItsNameSays).map(({ name }) => name));
    const plan = planPublish({
      wanted,
      stored,
      isIntact: ({ path, sha256, blob }) => (blob ? blobs.has(sha256) : (intact?.has(path) ?? true)),
      force: options.force,
    });
    if (plan.is === 'empty source') return plan;
    if (wanted.length === 0) return { is: 'unchanged', revision: 0 };

    const manifest =
      plan.is === 'publish' ? encodedManifest(wanted, plan.revision, payloadBytesMax) : undefined;
    const done = await carryOut(plan, stored, manifest, new Map(files.map((file) => [file.path, file])));
    if (done === undefined) return { is: 'beaten' };
    const keys = wanted.filter(({ blob }) => !blob).map(({ path }) => keyOfFile(spec, path));
    const prunedKeys = await pruneKeys(bucket, keys, done.manifestRevision, log);
    const prunedBlobs =
      plan.is === 'publish' && spec.blobs
        ? await pruneBlobs(bus, spec, wanted, objects, log)
        : NOTHING_PRUNED;

    const sequence = await lastSequence();
    const isAlone = sequence === before + done.writes + prunedKeys.writes;
    if (!isAlone && (await bucket.getLatest(MANIFEST_KEY)).revision !== done.manifestRevision)
      return { is: 'beaten' };
    if (isAlone && prunedKeys.notRemoved === 0)
      known = { sequence, objects: await markOfObjects(), digest, revision: done.revision };
    if (plan.is === 'unchanged') return { is: 'unchanged', revision: done.revision };
    return {
      is: 'published',
      revision: done.revision,
      written: plan.write.length,
      bytes: plan.write.reduce((sum, { size }) => sum + size, 0),
      removed: prunedKeys.removed + prunedBlobs.removed,
      notRemoved: prunedKeys.notRemoved + prunedBlobs.notRemoved,
    };
  }

  /** Undefined when somebody else was faster. */
  async function carryOut(
    plan: Exclude<PublishPlan, { readonly is: 'empty source' }>,
    stored: StoredFileSet,
    manifest: Uint8Array | undefined,
    sources: ReadonlyMap<string, FileToPublish>,
  ): Promise<CarriedOut | undefined> {
    const writes = plan.is === 'unchanged' ? 0 : await writeContents(plan.write, sources);
    if (writes === undefined) return undefined;
    const carriedOut = {
      writes,
      manifestRevision: stored.manifestRead.revision,
      revision: stored.lastRevision,
    };
    if (manifest !== undefined) {
      const outcome = await replace(stored.manifestRead, manifest);
      if (!outcome.won) return undefined;
      carriedOut.manifestRevision = outcome.revision;
      carriedOut.writes += 1;
    }
    if (plan.is === 'publish' || plan.is === 'finish') {
      const outcome = await replace(stored.revisionRead, revisionCodec.encode(plan.revision));
      if (!outcome.won) return undefined;
      carriedOut.revision = plan.revision;
      carriedOut.writes += 1;
    }
    return carriedOut;
  }

  /** How many writes to the bucket it took; undefined when somebody else was faster. */
  async function writeContents(
    write: readonly ListedFile[],
    sources: ReadonlyMap<string, FileToPublish>,
  ): Promise<number | undefined> {
    const values = write.filter(({ blob }) => !blob);
    await concurrentMap(values, WRITES_AT_ONCE, async (file) => {
      const content = await checkedContent(file, sources);
      await bucket.put(keyOfFile(spec, file.path), seal.wrap(content));
    });
    const blobs = new Map(write.filter(({ blob }) => blob).map((file) => [file.sha256, file]));
    for (const [name, file] of blobs) {
      const isStored = await bus.objects(BLOB_STORE).put(name, await checkedContent(file, sources));
      if (!isStored) return undefined;
    }
    return values.length;
  }

  async function checkedContent(
    { path, sha256 }: ListedFile,
    sources: ReadonlyMap<string, FileToPublish>,
  ): Promise<Uint8Array> {
    const content = await sources.get(path)?.read();
    if (content === undefined || seal.digest(content) !== sha256)
      throw zesterError('FILES_SOURCE_CHANGED', { set: spec.name, path });
    return content;
  }

  /** Before anything is written: a list that does not fit would leave files that nobody lists. */
  function encodedManifest(
    wanted: readonly ListedFile[],
    revision: number,
    payloadBytesMax: number,
  ): Uint8Array {
    const entries = manifestOf(spec, wanted, revision, hashText);
    const bytes = tryEncode(() => spec.manifest.encode(entries));
    const max = payloadBytesMax - MESSAGE_ROOM_BYTES;
    if (bytes !== undefined && bytes.length <= max) return bytes;
    throw zesterError('FILES_LIST_TOO_LARGE', {
      set: spec.name,
      files: wanted.length,
      bytes: bytes?.length ?? `more than ${MESSAGE_BYTES_MAX}`,
      max,
    });
  }

  function replace(read: KvRead, value: Uint8Array): Promise<CasOutcome> {
    return read.found ? bucket.update(read.key, value, read.revision) : bucket.create(read.key, value);
  }

  /** Empty for a set whose files are all values. */
  async function markOfObjects(): Promise<string> {
    if (!spec.blobs) return '';
    const { lastSequence: last, messages } = await bus.stream(objectStreamName(BLOB_STORE)).state();
    return `${last}/${messages}`;
  }

  async function lastSequence(): Promise<number> {
    return (await bus.stream(kvStreamName(spec.bucket.name)).state()).lastSequence;
  }

  async function writeSpread(ms: number): Promise<void> {
    const value = spreadCodec.encode(ms);
    const now = await bucket.getLatest(SPREAD_KEY);
    if (now.found && Buffer.from(now.value).equals(value)) return;
    const sequence = await bucket.put(SPREAD_KEY, value);
    if (known !== undefined && sequence === known.sequence + 1) known = { ...known, sequence };
  }

  return {
    publish: (files, options) => turn.run(() => publish(files, options)),
    writeSpread: (ms) => turn.run(() => writeSpread(ms)),
  };
}

const NOTHING_PRUNED = { removed: 0, notRemoved: 0 };

function isWhatItsNameSays({ name, sha256, isWhole }: StoredObject): boolean {
  return isWhole && sha256 === name;
}
