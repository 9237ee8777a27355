/**
 * Pruning takes away what earlier trees of a file set left behind: keys that the manifest does not list, objects that no
 * set lists, chunks that no object has. A tree is complete without it, so a failure is logged and counted, never thrown;
 * whoever publishes next tries again.
 *
 * It must not take what somebody else is about to publish, and knows that without asking anybody. Who is still able to win
 * has read the manifest in force, and writes every file that this manifest does not list. So what was there before the
 * manifest was written, and is not listed, is needed by nobody who can win: a key whose last write is older than the
 * manifest's, an object or chunks that were seen before it was written. Each removal is a compare-and-set on what was seen.
 */
import type { ListedFile } from '../../core/files/file-manifest.ts';
import { unlistedBlobs, unlistedKeys } from '../../core/files/publish-plan.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { Log } from '../../runtime/log.ts';
import { OBJECT_STORES } from '../../wire/names/streams.ts';
import { FILE_SETS, type FileSetSpec } from '../../wire/records/file-set.ts';
import type { Bucket, Bus, ObjectListing } from '../port.ts';
import { readStoredFileSet } from './stored-file-set.ts';

const REMOVALS_AT_ONCE = 16;
const EVERY_KEY = '>';

interface Pruned {
  readonly removed: number;
  /** At least so many are left. */
  readonly notRemoved: number;
}

/** `manifestRevision`: revision in the bucket of the manifest that lists these keys. */
export async function pruneKeys(
  bucket: Bucket,
  listedKeys: readonly string[],
  manifestRevision: number,
  log: Log,
): Promise<Pruned & { readonly writes: number }> {
  const count = { removed: 0, notRemoved: 0, writes: 0 };
  const failed = (error: unknown, key?: string) => {
    count.notRemoved += 1;
    log.warn('an old file could not be taken away; the next publish tries again', { key, error });
  };
  const remove = async (key: string) => {
    const read = await bucket.getLatest(key);
    // Of a deletion only its tombstone is left: that is old, whenever it was written.
    if (read.revision === 0 || (read.found && read.revision >= manifestRevision)) return;
    const { won } = await bucket.remove(key, { revision: read.revision });
    if (!won) return;
    count.writes += 1;
    if (read.found) count.removed += 1;
  };
  try {
    const unlisted = unlistedKeys(await bucket.keysWithDeleted(EVERY_KEY), listedKeys);
    await concurrentMap(unlisted, REMOVALS_AT_ONCE, (key) =>
      remove(key).catch((error: unknown) => failed(error, key)),
    );
  } catch (error) {
    failed(error);
  }
  return count;
}

/** `seen` is what the store held before the manifest of `wanted` was written. */
export async function pruneBlobs(
  bus: Pick<Bus, 'bucket' | 'objects'>,
  spec: FileSetSpec,
  wanted: readonly ListedFile[],
  seen: ObjectListing,
  log: Log,
): Promise<Pruned> {
  const names = seen.objects.map(({ name }) => name);
  const candidates = unlistedBlobs(names, [wanted]);
  let removed = 0;
  try {
    const others = candidates.length === 0 ? [] : await listedElsewhere(bus, spec);
    if (others === undefined) return { removed, notRemoved: candidates.length };
    const unlisted = new Set(unlistedBlobs(candidates, others));
    const objects = bus.objects(OBJECT_STORES.fileBlobs.name);
    for (const { name, revision } of seen.objects) {
      if (unlisted.has(name) && (await objects.delete(name, { revision }))) removed += 1;
    }
    await objects.dropLooseChunks(seen.looseChunks);
    return { removed, notRemoved: 0 };
  } catch (error) {
    log.warn('old objects could not be taken away; the next publish tries again', { error });
    return { removed, notRemoved: candidates.length - removed };
  }
}

/** What every other set lists. Undefined where one cannot be read: it might list any of them. */
async function listedElsewhere(
  bus: Pick<Bus, 'bucket'>,
  { name }: FileSetSpec,
): Promise<readonly (readonly ListedFile[])[] | undefined> {
  const others = Object.values(FILE_SETS).filter((set) => set.name !== name);
  const manifests = await Promise.all(
    others.map(async (set) => (await readStoredFileSet(bus, set)).manifest),
  );
  if (manifests.some((manifest) => manifest?.isTree === false)) return undefined;
  return manifests.map((manifest) => (manifest?.isTree === true ? manifest.files : []));
}
