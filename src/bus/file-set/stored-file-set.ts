/**
 * A stored file set is what the bucket holds when a publisher looks, by the word of its leader: a publisher decides from it
 * and compares-and-sets on it, so what a lagging replica says would not do.
 */
import { isSameFile, keyOfFile, type ListedFile, readManifest } from '../../core/files/file-manifest.ts';
import { treeDigest } from '../../core/files/file-tree.ts';
import type { StoredSet } from '../../core/files/publish-plan.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { MANIFEST_KEY, REVISION_KEY } from '../../wire/names/keys.ts';
import { type FileSetSpec, revisionCodec } from '../../wire/records/file-set.ts';
import type { Bucket, Bus, KvRead } from '../port.ts';
import type { FileSetSeal } from './file-set.ts';
import { hashText } from './plain-files.ts';

const READS_AT_ONCE = 16;
const READS_MAX = 3;

export interface StoredFileSet extends StoredSet {
  /** As they were read: what a compare-and-set is on. */
  readonly revisionRead: KvRead;
  readonly manifestRead: KvRead;
}

/** Where it changes while it is read, it is read again, a few times: keys of two moments could look like damage. */
export async function readStoredFileSet(bus: Pick<Bus, 'bucket'>, spec: FileSetSpec): Promise<StoredFileSet> {
  const bucket = bus.bucket(spec.bucket.name);
  for (let reads = 1; ; reads++) {
    const stored = await readOnce(bucket, spec);
    const isSound = stored.revision !== undefined && stored.manifest?.isTree === true;
    if (isSound && stored.manifest.names(stored.revision)) return stored;
    const { revision } = await bucket.getLatest(REVISION_KEY);
    if (revision === stored.revisionRead.revision || reads === READS_MAX) return stored;
  }
}

async function readOnce(bucket: Bucket, spec: FileSetSpec): Promise<StoredFileSet> {
  const [revisionRead, manifestRead] = await Promise.all([
    bucket.getLatest(REVISION_KEY),
    bucket.getLatest(MANIFEST_KEY),
  ]);
  const entries = manifestRead.found ? decoded(spec.manifest, manifestRead.value) : undefined;
  const revision = revisionIn(revisionRead);
  return {
    revisionRead,
    manifestRead,
    revision,
    lastRevision: revision ?? (await lastRevision(bucket)),
    isPublished: revisionRead.found || manifestRead.found,
    manifest:
      entries?.isReadable === false
        ? { isTree: false, problem: entries.problem }
        : entries && readManifest(spec, entries.value, hashText),
  };
}

/** Of the tree that the stored manifest lists; empty where it lists none. */
export function listedDigest({ manifest }: StoredSet): string {
  return manifest?.isTree === true ? treeDigest(manifest.files, hashText) : '';
}

function revisionIn(read: KvRead): number | undefined {
  const revision = read.found ? decoded(revisionCodec, read.value) : undefined;
  return revision?.isReadable === true ? revision.value : undefined;
}

/** Where the counter was deleted or overwritten, the highest that is kept of it: numbers should not come again. */
async function lastRevision(bucket: Bucket): Promise<number> {
  const past = await bucket.history(REVISION_KEY);
  return Math.max(0, ...past.map((read) => revisionIn(read) ?? 0));
}

/**
 * Paths of files that are listed as they are wanted and whose keys hold that content. Reads every such value, a few at a
 * time, and keeps none. From the leader: a replica that lags could still have what somebody else has overwritten.
 */
export async function findIntactFiles(
  bus: Pick<Bus, 'bucket'>,
  spec: FileSetSpec,
  { manifest }: StoredSet,
  wanted: readonly ListedFile[],
  seal: FileSetSeal,
): Promise<ReadonlySet<string>> {
  const bucket = bus.bucket(spec.bucket.name);
  const listed = new Map(manifest?.isTree === true ? manifest.files.map((file) => [file.path, file]) : []);
  const candidates = wanted.filter((file) => !file.blob && isSameFile(listed.get(file.path), file));
  const intact = new Set<string>();
  await concurrentMap(candidates, READS_AT_ONCE, async ({ path, sha256 }) => {
    const read = await bucket.getLatest(keyOfFile(spec, path));
    const plain = read.found ? seal.unwrap(read.value) : undefined;
    if (plain !== undefined && seal.digest(plain) === sha256) intact.add(path);
  });
  return intact;
}
