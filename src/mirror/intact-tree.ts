/**
 * `isIntact` says whether a tree on the disk is still what its record says: nobody removed, added or changed a file since.
 * `filesIn` tells what is there now. For a reader that is about to use the tree (mirror-set.ts); the caller pins it.
 */
import { compareTrees, hasDifference, type TreeFile } from '../core/files/file-tree.ts';
import type { ReadFiles } from '../system/files.ts';
import { FileHashes } from './file-hashes.ts';
import { type LaidTree, OWN_NAMES } from './tree-record.ts';

export async function isIntact(
  files: ReadFiles,
  hashes: FileHashes,
  { directory, record }: LaidTree,
): Promise<boolean> {
  // Filled by somebody else: nothing is known of it.
  if (record.identity === '') return true;
  return !hasDifference(compareTrees(record.files, await filesIn(files, directory, hashes)));
}

/** The files of a mirrored tree. Without `hashes` each is read. */
export async function filesIn(
  files: ReadFiles,
  directory: string,
  hashes = new FileHashes(files),
): Promise<readonly TreeFile[]> {
  const found: TreeFile[] = [];
  for (const { path, stat } of (await files.walk(directory)) ?? []) {
    if (stat.kind !== 'file' || path.startsWith(OWN_NAMES)) continue;
    const sha256 = await hashes.of(`${directory}/${path}`, stat);
    if (sha256 !== undefined) found.push({ path, sha256 });
  }
  return found;
}
