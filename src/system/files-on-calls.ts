/**
 * This is the Files port on top of an adapter's system calls: bounds, links, durability and errors are decided here,
 * once.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Random } from '../runtime/random.ts';
import { createTemporary, discardTemporary, writeAtomic } from './atomic-write.ts';
import { Errno, errnoOf } from './errno.ts';
import { type FileCalls, syncDirectory, withOpen } from './file-calls.ts';
import { ifPresent, reading, writing } from './file-errors.ts';
import { checkedPath, parentOf } from './file-path.ts';
import { listNames, removeTree, walkTree } from './file-tree.ts';
import {
  type FileOwner,
  type Files,
  LIST_ENTRIES_MAX,
  type MakeDirectoryOptions,
  READ_BYTES_MAX,
  type ReadFiles,
  WALK_ENTRIES_MAX,
  type WalkEntry,
} from './files.ts';
import { pathLock } from './path-lock.ts';

export function filesOn(calls: FileCalls, random: Random): Files {
  const lock = pathLock();
  return {
    ...readFilesOn(calls),
    writeAtomic: (path, bytes, options = {}) =>
      writing('write', path, (at) => writeAtomic(calls, random, at, bytes, options)),
    makeDirectory: (path, options = {}) =>
      writing('make directory', path, (at) => makeDirectory(calls, at, options)),
    removeFile: (path) => writing('remove', path, (at) => removeName(calls, at, calls.unlink)),
    removeDirectory: (path) => writing('remove', path, (at) => removeName(calls, at, calls.removeDirectory)),
    removeTree: (path) => writing('remove', path, (at) => removeTree(calls, at)),
    symlink: ({ target, path }) => writing('link', path, (at) => symlink(calls, random, target, at)),
    hardLink: ({ from, to, skipSync = false }) =>
      writing('link', to, (at) => hardLink(calls, checkedPath(from), at, skipSync)),
    rename: ({ from, to }) => writing('rename', from, (at) => rename(calls, at, checkedPath(to))),
    chmod: (path, mode) => writing('set the mode of', path, (at) => chmod(calls, at, mode)),
    chown: (path, owner) => writing('set the owner of', path, (at) => chown(calls, at, owner)),
    sync: (path) => writing('sync', path, (at) => sync(calls, at)),
    touch: (path, atMs) => writing('set the time of', path, (at) => calls.touch(at, atMs)),
    lock: async (path, work) => lock(checkedPath(path).replace(/\/+/g, '/'), work),
  };
}

function readFilesOn(calls: FileCalls): ReadFiles {
  return {
    read: (path, { bytesMax = READ_BYTES_MAX } = {}) =>
      reading('read', path, (at) => readWhole(calls, at, bytesMax)),
    stat: (path) => reading('examine', path, (at) => calls.stat(at)),
    lstat: (path) => reading('examine', path, (at) => calls.lstat(at)),
    list: (path) =>
      reading('list', path, (at) =>
        withOpen(calls.open(at, 'directory'), (directory) => listNames(directory, at, LIST_ENTRIES_MAX)),
      ),
    walk: (path, { entriesMax = WALK_ENTRIES_MAX, skip } = {}) =>
      reading('walk', path, async (at) => {
        const entries: WalkEntry[] = [];
        await walkTree(calls, at, entriesMax, (entry) => entries.push(entry), skip);
        return entries;
      }),
    readLink: (path) => reading('read link', path, (at) => calls.readLink(at)),
    realPath: (path) => reading('resolve', path, (at) => calls.realPath(at)),
  };
}

const READ_CHUNK_BYTES = 64 * 1024;

/** Reads to the end, whatever the size says: files of /proc claim to be empty, and logs grow while they are read. */
async function readWhole(calls: FileCalls, path: string, bytesMax: number): Promise<Uint8Array> {
  return withOpen(calls.open(path, 'read'), async (file) => {
    const { kind, size } = await file.stat();
    if (kind === 'directory') throw new Errno('EISDIR');
    if (kind !== 'file') throw new Errno('EINVAL', 'not a regular file');
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      // One byte more than is left, so that one read shows the whole file and its end.
      const expected = size > bytes ? size - bytes + 1 : READ_CHUNK_BYTES;
      const chunk = Buffer.alloc(Math.min(expected, bytesMax - bytes + 1));
      const count = await file.read(chunk);
      if (count === 0) return Buffer.concat(chunks, bytes);
      bytes += count;
      if (bytes > bytesMax) throw zesterError('FILE_TOO_LARGE', { path, max: bytesMax });
      const part = chunk.subarray(0, count);
      // As long as it said, and there was room for one more: this is all. Most files are read with one call.
      if (count === size && chunks.length === 0) return part;
      chunks.push(part);
    }
  });
}

const PARENT_MODE = 0o755;

async function makeDirectory(
  calls: FileCalls,
  path: string,
  options: MakeDirectoryOptions,
): Promise<boolean> {
  try {
    await calls.makeDirectory(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' && options.parents === true) {
      // The parent's parent and so on; at the root there is nothing left to make, so this ends.
      const { skipSync = false } = options;
      await makeDirectory(calls, parentOf(path), { parents: true, skipSync });
      return makeDirectory(calls, path, { ...options, parents: false });
    }
    if (errno !== 'EEXIST') throw error;
    if ((await ifPresent(calls.stat(path)))?.kind === 'directory') return false;
    throw new Errno('EEXIST', 'something that is not a directory is there');
  }
  // It was made with mode 0700: nobody else gets in before it has its owner.
  if (options.uid !== undefined || options.gid !== undefined) await chown(calls, path, options);
  await calls.chmod(path, options.mode ?? PARENT_MODE);
  if (options.skipSync === true) return true;
  await syncNode(calls, path);
  await syncDirectory(calls, parentOf(path));
  return true;
}

async function removeName(
  calls: FileCalls,
  path: string,
  remove: (path: string) => Promise<void>,
): Promise<boolean> {
  const removed = await ifPresent(remove(path).then(() => true));
  if (removed !== true) return false;
  await syncDirectory(calls, parentOf(path));
  return true;
}

async function symlink(calls: FileCalls, random: Random, target: string, path: string): Promise<void> {
  const existing = await ifPresent(calls.lstat(path));
  if (existing === undefined) {
    // Without a replacement: what somebody else puts there in this moment is an obstacle, not ours to replace.
    await calls.symlink(target, path);
  } else if (existing.kind !== 'symlink') {
    throw new Errno('EEXIST', 'something that is not a link is there');
  } else if ((await ifPresent(calls.readLink(path))) !== target) {
    const temporary = await createTemporary(random, parentOf(path), (at) => calls.symlink(target, at));
    try {
      await calls.rename(temporary.path, path);
    } catch (error) {
      await discardTemporary(calls, temporary.path);
      throw error;
    }
  }
  await syncDirectory(calls, parentOf(path));
}

async function hardLink(calls: FileCalls, from: string, to: string, skipSync: boolean): Promise<void> {
  await calls.link(from, to);
  if (!skipSync) await syncDirectory(calls, parentOf(to));
}

async function sync(calls: FileCalls, path: string): Promise<void> {
  const { kind } = await calls.stat(path);
  if (kind !== 'file' && kind !== 'directory') throw new Errno('EINVAL', 'neither a file nor a directory');
  const opening = calls.open(path, kind === 'directory' ? 'directory' : 'read');
  await withOpen(opening, (node) => node.sync());
}

async function rename(calls: FileCalls, from: string, to: string): Promise<void> {
  await calls.rename(from, to);
  await syncDirectory(calls, parentOf(to));
  if (parentOf(to) !== parentOf(from)) await syncDirectory(calls, parentOf(from));
}

async function chmod(calls: FileCalls, path: string, mode: number): Promise<void> {
  try {
    await calls.chmod(path, mode);
    await syncNode(calls, path);
  } catch (error) {
    if (errnoOf(error) !== 'ELOOP' || (await ifPresent(calls.lstat(path)))?.kind !== 'symlink') throw error;
    throw zesterError('FILE_IS_LINK', { path, operation: 'set the mode' }, { cause: error });
  }
}

async function chown(calls: FileCalls, path: string, { uid, gid }: FileOwner): Promise<void> {
  const now = await calls.lstat(path);
  await calls.chown(path, uid ?? now.uid, gid ?? now.gid);
  await syncNode(calls, path);
}

/** Makes mode and owner survive a power loss. A pipe is not opened: that would wait for somebody at its other end. */
async function syncNode(calls: FileCalls, path: string): Promise<void> {
  const { kind } = await calls.lstat(path);
  if (kind !== 'file' && kind !== 'directory') return;
  try {
    const opening = calls.open(path, kind === 'directory' ? 'directory' : 'read');
    await withOpen(opening, (node) => node.sync());
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error;
  }
}
