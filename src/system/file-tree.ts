/**
 * These functions walk and remove trees.
 *
 * Safety: a directory is opened once, as itself and not through a link, and everything in it is then reached through
 * that open directory (`OpenFile.at`). So whoever swaps a directory for a link while a tree is being removed cannot
 * lead the removal elsewhere. Bounds: entries (given), depth (`TREE_DEPTH_MAX`); over either it throws.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import { Errno } from './errno.ts';
import { type FileCalls, type OpenFile, syncDirectory, withOpen } from './file-calls.ts';
import { ifPresent } from './file-errors.ts';
import { parentOf } from './file-path.ts';
import { type FileStat, REMOVE_ENTRIES_MAX, TREE_DEPTH_MAX, type WalkEntry } from './files.ts';

export async function walkTree(
  calls: FileCalls,
  root: string,
  entriesMax: number,
  visit: (entry: WalkEntry) => void,
  skip: (name: string) => boolean = () => false,
): Promise<void> {
  let left = entriesMax;

  async function enter(directory: OpenFile, prefix: string, depth: number): Promise<void> {
    if (depth > TREE_DEPTH_MAX) throw tooLarge(root, TREE_DEPTH_MAX, 'levels');
    for (const name of await listNames(directory, root, entriesMax)) {
      if (skip(name)) continue;
      const stat = await ifPresent(calls.lstat(directory.at(name)));
      if (stat === undefined) continue;
      if (left-- <= 0) throw tooLarge(root, entriesMax, 'entries');
      visit({ path: prefix + name, stat });
      if (stat.kind !== 'directory') continue;
      const opening = calls.open(directory.at(name), 'directory-itself');
      await ifPresent(withOpen(opening, (child) => enter(child, `${prefix}${name}/`, depth + 1)));
    }
  }

  await withOpen(calls.open(root, 'directory-itself'), (directory) => enter(directory, '', 1));
}

/** Sorted names of a directory; throws when there are more than `entriesMax`. */
export async function listNames(
  directory: OpenFile,
  path: string,
  entriesMax: number,
): Promise<readonly string[]> {
  const names = await directory.names(entriesMax + 1);
  if (names.length > entriesMax) throw tooLarge(path, entriesMax, 'entries');
  return names.sort();
}

export async function removeTree(calls: FileCalls, path: string): Promise<boolean> {
  if (path === '/') throw zesterError('FILE_PATH_INVALID', { path, reason: 'it is the root of everything' });
  const root = await ifPresent(calls.lstat(path));
  if (root === undefined) return false;
  if (root.kind === 'directory') {
    await survey(calls, path, root);
    await withOpen(calls.open(path, 'directory-itself'), (directory) => empty(calls, directory, root, 1));
    await calls.removeDirectory(path);
  } else {
    await calls.unlink(path);
  }
  await syncDirectory(calls, parentOf(path));
  return true;
}

/** Finds reasons to refuse before anything is gone. */
async function survey(calls: FileCalls, path: string, root: FileStat): Promise<void> {
  await walkTree(calls, path, REMOVE_ENTRIES_MAX, (entry) => refuseOtherFileSystem(entry.stat, root));
}

async function empty(calls: FileCalls, directory: OpenFile, root: FileStat, depth: number): Promise<void> {
  if (depth > TREE_DEPTH_MAX) throw new Errno('ELOOP', `it grew deeper than ${TREE_DEPTH_MAX} levels`);
  for (const name of await directory.names(REMOVE_ENTRIES_MAX)) {
    const path = directory.at(name);
    const stat = await ifPresent(calls.lstat(path));
    if (stat === undefined) continue;
    if (stat.kind === 'directory') {
      refuseOtherFileSystem(stat, root);
      await withOpen(calls.open(path, 'directory-itself'), (child) => empty(calls, child, root, depth + 1));
      await ifPresent(calls.removeDirectory(path));
    } else {
      await ifPresent(calls.unlink(path));
    }
  }
}

function refuseOtherFileSystem(stat: FileStat, root: FileStat): void {
  if (stat.dev !== root.dev) throw new Errno('EXDEV', 'another file system is mounted inside');
}

function tooLarge(path: string, max: number, what: string) {
  return zesterError('FILE_TREE_TOO_LARGE', { path, max, what });
}
