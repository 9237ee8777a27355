/**
 * `planPublish` decides what a publisher has to do so that its tree is the published one: nothing, finish what another
 * publish began, put lost files back, or publish. Pure: it is given what the bucket holds, by the word of its leader.
 *
 * Two rules make it safe that anybody may be publishing at the same time. A file that the stored manifest does not list is
 * written, also where its key already has the content: someone who published before may be about to take it away. And a
 * manifest is only replaced by compare-and-set on the one that was read here; who loses that has published nothing.
 */
import { PROTOCOL_KEYS } from '../../wire/names/file-keys.ts';
import { isSameFile, type ListedFile, listsSame, type ManifestRead } from './file-manifest.ts';

export interface StoredSet {
  /** Undefined when there is none, or none that can be read. */
  readonly revision: number | undefined;
  /** The highest that is known to have been: the next one is higher. */
  readonly lastRevision: number;
  /** There is a revision or a manifest, readable or not. */
  readonly isPublished: boolean;
  /** Undefined when there is none. */
  readonly manifest: ManifestRead | undefined;
}

export interface PublishView {
  readonly wanted: readonly ListedFile[];
  readonly stored: StoredSet;
  /** Whether the content of a file that the stored manifest lists is where it should be. */
  readonly isIntact: (file: ListedFile) => boolean;
  /** Write every value, whatever is there. Objects are named by their content: a whole one is as good as a new one. */
  readonly force: boolean;
}

export type PublishPlan =
  /** The tree has no file. Taking everything away is never what an empty directory means. */
  | { readonly is: 'empty source' }
  | { readonly is: 'unchanged' }
  /** Manifest and revision are right; these files were lost or overwritten. Readers wait for them, so nothing is bumped. */
  | { readonly is: 'repair'; readonly write: readonly ListedFile[] }
  /** The manifest is right and its revision was never written. */
  | { readonly is: 'finish'; readonly write: readonly ListedFile[]; readonly revision: number }
  | { readonly is: 'publish'; readonly write: readonly ListedFile[]; readonly revision: number };

export function planPublish({ wanted, stored, isIntact, force }: PublishView): PublishPlan {
  if (wanted.length === 0) return stored.isPublished ? { is: 'empty source' } : { is: 'unchanged' };
  const revision = stored.lastRevision + 1;
  const { manifest } = stored;
  if (manifest === undefined || !manifest.isTree) return { is: 'publish', write: wanted, revision };
  const isListed = listedIn(manifest.files);
  const write = wanted.filter((file) => (force && !file.blob) || !isListed(file) || !isIntact(file));
  if (force || !listsSame(manifest.files, wanted)) return { is: 'publish', write, revision };
  if (manifest.names(revision)) return { is: 'finish', write, revision };
  if (stored.revision === undefined || !manifest.names(stored.revision))
    return { is: 'publish', write, revision };
  return write.length === 0 ? { is: 'unchanged' } : { is: 'repair', write };
}

/** Under its path, or, of an object, its content under any path. */
function listedIn(files: readonly ListedFile[]): (file: ListedFile) => boolean {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const blobs = new Set(files.filter(({ blob }) => blob).map(({ sha256 }) => sha256));
  return (file) => (file.blob ? blobs.has(file.sha256) : isSameFile(byPath.get(file.path), file));
}

/** Keys of the bucket that belong to no file of the set: left behind by an earlier tree, or by a publish that was beaten. */
export function unlistedKeys(keys: readonly string[], listedKeys: Iterable<string>): string[] {
  const kept = new Set([...PROTOCOL_KEYS, ...listedKeys]);
  return keys.filter((key) => !kept.has(key));
}

/** Names of objects that none of these manifests lists. */
export function unlistedBlobs(
  names: readonly string[],
  manifests: readonly (readonly ListedFile[])[],
): string[] {
  const kept = new Set(
    manifests.flatMap((files) => files.filter(({ blob }) => blob).map((file) => file.sha256)),
  );
  return names.filter((name) => !kept.has(name));
}
