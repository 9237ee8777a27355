/**
 * A manifest says which files make up a published set, and which revision that is. It is made here for the publisher, and
 * read here for everybody: what it lists must be a tree that can be laid out on a disk, or it is not used. Pure.
 */
import { fileKeyOf, pathOfFileKey } from '../../wire/names/file-keys.ts';
import { REVISION_KEY } from '../../wire/names/keys.ts';
import type { FileEntry, FileSetSpec } from '../../wire/records/file-set.ts';
import { assert } from '../assert.ts';
import type { HashText, TreeFile } from './file-tree.ts';

/** A file that a manifest lists. */
export interface ListedFile extends TreeFile {
  readonly size: number;
  /** The content is an object of store file-blobs, named by its hash, and the key has no value. */
  readonly blob: boolean;
}

type KeyedSet = Pick<FileSetSpec, 'keyPrefix'>;

/** Where a file of a set is stored. Only for paths that were checked: those of a tree, or of a manifest that was read. */
export function keyOfFile({ keyPrefix }: KeyedSet, path: string): string {
  const key = fileKeyOf(path);
  assert(key !== undefined, 'a path that has no key');
  return `${keyPrefix}${key}`;
}

/** The entries of a manifest, sorted by key. */
export function manifestOf(
  spec: KeyedSet,
  files: readonly ListedFile[],
  revision: number,
  hash: HashText,
): FileEntry[] {
  const entries = files.map(({ path, sha256, size, blob }) => ({
    key: keyOfFile(spec, path),
    sha256,
    size,
    blob,
  }));
  const counter = String(revision);
  const revisionEntry = { key: REVISION_KEY, sha256: hash(counter), size: counter.length, blob: false };
  return [...entries, revisionEntry].sort((a, b) => (a.key < b.key ? -1 : 1));
}

export type ManifestRead =
  | {
      readonly isTree: true;
      /** Sorted by path. */
      readonly files: readonly ListedFile[];
      /** Whether this manifest is the one of a revision. */
      readonly names: (revision: number) => boolean;
    }
  | { readonly isTree: false; readonly problem: string };

/** From one that was decoded: whoever can write to the bucket may have listed anything. */
export function readManifest(spec: KeyedSet, entries: readonly FileEntry[], hash: HashText): ManifestRead {
  const files: ListedFile[] = [];
  const revisions: string[] = [];
  const paths = new Set<string>();
  for (const { key, sha256, size, blob } of entries) {
    if (key === REVISION_KEY) {
      revisions.push(sha256);
      continue;
    }
    const path = key.startsWith(spec.keyPrefix) ? pathOfFileKey(key.slice(spec.keyPrefix.length)) : undefined;
    if (path === undefined) return broken(`lists ${JSON.stringify(key)}, which is the key of no file`);
    if (paths.has(path)) return broken(`lists ${JSON.stringify(key)} twice`);
    if (size < 0) return broken(`lists ${JSON.stringify(key)} with a size below 0`);
    paths.add(path);
    files.push({ path, sha256, size, blob });
  }
  const [revision] = revisions;
  if (revision === undefined || revisions.length > 1) return broken('does not say which revision it is of');
  const below = pathBelowFile(paths);
  if (below !== undefined) return broken(`lists a file above ${JSON.stringify(below)}`);
  return {
    isTree: true,
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    names: (number) => hash(String(number)) === revision,
  };
}

/** Whether a manifest lists exactly these files, in any order. */
export function listsSame(listed: readonly ListedFile[], wanted: readonly ListedFile[]): boolean {
  const byPath = new Map(listed.map((file) => [file.path, file]));
  return listed.length === wanted.length && wanted.every((file) => isSameFile(byPath.get(file.path), file));
}

export function isSameFile(listed: ListedFile | undefined, wanted: ListedFile): boolean {
  return (
    listed !== undefined &&
    listed.sha256 === wanted.sha256 &&
    listed.size === wanted.size &&
    listed.blob === wanted.blob
  );
}

/** A path of which a part is itself one of the paths: no disk can hold both. */
export function pathBelowFile(paths: ReadonlySet<string>): string | undefined {
  return [...paths].find((path) => parentsOf(path).some((parent) => paths.has(parent)));
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function broken(problem: string): ManifestRead {
  return { isTree: false, problem: `the manifest ${problem}` };
}
