/**
 * `publishedSight` says what a set counts as published, for a master that compares its directory with it (source-standing.ts).
 * Pure: it is given what the bucket holds, by the word of its leader.
 *
 * A publish writes the manifest and then the revision, so a manifest of the next revision is a publish that is under way or
 * was interrupted. Its files are all there: whoever publishes may finish it, whatever its own directory has. A bucket that
 * makes no sense (somebody wrote or deleted the manifest) counts as what the master last saw, where the revision is still
 * that one: then nobody can have published anything since. Otherwise it is unreadable, and a person decides.
 */
import type { ListedFile } from './file-manifest.ts';
import { type HashText, type TreeFile, treeDigest } from './file-tree.ts';
import type { StoredSet } from './publish-plan.ts';
import type { PublishedSight } from './source-standing.ts';

/** What the bucket holds, with the store's time of its revision; 0 when there is none. */
export interface DatedSet extends StoredSet {
  readonly writtenMs: number;
}

export type PublishedState =
  | { readonly is: 'nothing' }
  /** What readers get. */
  | { readonly is: 'whole'; readonly sight: PublishedSight; readonly files: readonly ListedFile[] }
  /** A manifest without its revision. */
  | { readonly is: 'unfinished'; readonly digest: string; readonly files: readonly ListedFile[] }
  /** Readers get nothing; this was published, and has to be published again. */
  | { readonly is: 'damaged'; readonly sight: PublishedSight; readonly problem: string }
  | { readonly is: 'unreadable'; readonly problem: string };

export function publishedSight(
  stored: DatedSet,
  base: PublishedSight | undefined,
  hash: HashText,
): PublishedState {
  const { manifest, revision, lastRevision, writtenMs } = stored;
  if (!stored.isPublished) return { is: 'nothing' };
  if (manifest?.isTree === true && revision !== undefined && manifest.names(revision)) {
    const { files } = manifest;
    return { is: 'whole', files, sight: { ...treeSight(files, hash), revision, writtenMs } };
  }
  if (manifest?.isTree === true && manifest.names(lastRevision + 1))
    return { is: 'unfinished', files: manifest.files, digest: treeDigest(manifest.files, hash) };
  return lastKnownSight(stored, base, problemOf(stored));
}

/** For a bucket that makes no sense, and for a publish that cannot be finished. */
export function lastKnownSight(
  { revision, writtenMs }: Pick<DatedSet, 'revision' | 'writtenMs'>,
  base: PublishedSight | undefined,
  problem: string,
): PublishedState {
  const isLastSeen = base !== undefined && base.revision === revision && base.writtenMs === writtenMs;
  return isLastSeen ? { is: 'damaged', sight: base, problem } : { is: 'unreadable', problem };
}

/** The tree of these files. */
export function treeSight(
  files: readonly TreeFile[],
  hash: HashText,
): Pick<PublishedSight, 'digest' | 'files'> {
  return { digest: treeDigest(files, hash), files: new Map(files.map(({ path, sha256 }) => [path, sha256])) };
}

function problemOf({ manifest, revision }: StoredSet): string {
  if (revision === undefined) return 'there is no revision that can be read';
  if (manifest === undefined) return `there is revision ${revision} and no manifest`;
  return manifest.isTree ? `the manifest is of another revision than ${revision}` : manifest.problem;
}
