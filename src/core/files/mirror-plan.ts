/**
 * `planMirror` decides which files of a new revision a mirror must fetch and which it already has, under whatever path: a
 * file that was moved is not fetched again. Pure. That a file to reuse still has its content is for the shell to check.
 */
import type { ListedFile } from './file-manifest.ts';
import type { TreeFile } from './file-tree.ts';

export interface MirrorPlan {
  readonly fetch: readonly ListedFile[];
  readonly reuse: readonly ReusedFile[];
  /** Paths of the old tree that the new one does not have, sorted. */
  readonly remove: readonly string[];
  readonly bytesToFetch: number;
}

export interface ReusedFile {
  readonly file: ListedFile;
  /** Path in the old tree. */
  readonly from: string;
}

export function planMirror(have: readonly TreeFile[], wanted: readonly ListedFile[]): MirrorPlan {
  const hashes = new Map(have.map(({ path, sha256 }) => [path, sha256]));
  const pathOfHash = new Map(have.map(({ path, sha256 }) => [sha256, path]));
  const fetch: ListedFile[] = [];
  const reuse: ReusedFile[] = [];
  for (const file of wanted) {
    const from = hashes.get(file.path) === file.sha256 ? file.path : pathOfHash.get(file.sha256);
    if (from === undefined) fetch.push(file);
    else reuse.push({ file, from });
  }
  const kept = new Set(wanted.map(({ path }) => path));
  return {
    fetch,
    reuse,
    remove: [...hashes.keys()].filter((path) => !kept.has(path)).sort(),
    bytesToFetch: fetch.reduce((sum, { size }) => sum + size, 0),
  };
}
