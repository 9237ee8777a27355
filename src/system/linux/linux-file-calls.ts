/**
 * This adapter makes file calls with node:fs. Node has no openat(2) and its relatives; `/proc/self/fd/<n>` does their
 * work: a path through it starts at the open file itself and not at the name it once had.
 *
 * What a run of states does for every file (look, open, read, close) goes through the calls with callbacks: those of
 * node:fs/promises make an object with a finalizer of every open file, and cost half as much again.
 */
import * as fs from 'node:fs';
import { type BigIntStats, constants } from 'node:fs';
import {
  chmod,
  lchown,
  link,
  lutimes,
  mkdir,
  opendir,
  readlink,
  realpath,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { promisify } from 'node:util';
import { Errno, errnoOf } from '../errno.ts';
import type { FileCalls, OpenFile } from '../file-calls.ts';
import { nameFromBytes, nativePath } from '../file-path.ts';
import type { FileKind, FileStat } from '../files.ts';

const openFile = promisify(fs.open);
const closeFile = promisify(fs.close);
const readFile = promisify(fs.read);
const writeFile = promisify(fs.writeFile);
const stat = promisify(fs.stat);
const lstat = promisify(fs.lstat);
const fstat = promisify(fs.fstat);
const fchmod = promisify(fs.fchmod);
const fchown = promisify(fs.fchown);
const fsync = promisify(fs.fsync);

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;

/** Names a file without opening it; needs no permission on it. Missing in Node's list; the same on x86, ARM, RISC-V. */
const O_PATH = 0o10000000;

const FLAGS = {
  read: O_RDONLY | O_NONBLOCK | O_NOCTTY,
  create: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  directory: O_RDONLY | O_DIRECTORY,
  'directory-itself': O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
} as const;

const NEW_FILE_MODE = 0o600;
const NEW_DIRECTORY_MODE = 0o700;

export const linuxFileCalls: FileCalls = {
  open: async (path, how) => openOn(await openFile(nativePath(path), FLAGS[how], NEW_FILE_MODE)),
  stat: async (path) => fileStat(await stat(nativePath(path), { bigint: true })),
  lstat: async (path) => fileStat(await lstat(nativePath(path), { bigint: true })),
  readLink: async (path) => nameFromBytes(await readlink(nativePath(path), { encoding: 'buffer' })),
  realPath: async (path) => nameFromBytes(await realpath(nativePath(path), { encoding: 'buffer' })),
  makeDirectory: async (path) => void (await mkdir(nativePath(path), NEW_DIRECTORY_MODE)),
  removeDirectory: (path) => rmdir(nativePath(path)),
  unlink: (path) => unlink(nativePath(path)),
  symlink: (target, path) => symlink(nativePath(target), nativePath(path)),
  link: (from, to) => link(nativePath(from), nativePath(to)),
  rename: (from, to) => rename(nativePath(from), nativePath(to)),
  chmod: chmodItself,
  chown: (path, uid, gid) => lchown(nativePath(path), uid, gid),
  touch: (path, atMs) => lutimes(nativePath(path), atMs / 1000, atMs / 1000),
};

/** chmod(2) follows links and has no variant that does not; so it is told the open file instead of a name. */
async function chmodItself(path: string, mode: number): Promise<void> {
  const fd = await openFile(nativePath(path), O_PATH | O_NOFOLLOW);
  try {
    if ((await fstat(fd)).isSymbolicLink()) throw new Errno('ELOOP');
    await chmod(procPath(fd), mode);
  } finally {
    await closeFile(fd);
  }
}

function openOn(fd: number): OpenFile {
  return {
    stat: async () => fileStat(await fstat(fd, { bigint: true })),
    read: async (into) => (await readFile(fd, into, 0, into.length, null)).bytesRead,
    write: (bytes) => writeFile(fd, bytes),
    chmod: (mode) => fchmod(fd, mode),
    chown: (uid, gid) => fchown(fd, uid, gid),
    sync: () => syncFile(fd),
    names: (max) => firstNames(procPath(fd), max),
    at: (name) => `${procPath(fd)}/${name}`,
    close: () => closeFile(fd),
  };
}

function procPath(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

/** EINVAL: the file system (some of FUSE and CIFS) cannot sync this, by design and for good; there is nothing to wait for. */
async function syncFile(fd: number): Promise<void> {
  try {
    await fsync(fd);
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL') throw error;
  }
}

async function firstNames(path: string, max: number): Promise<string[]> {
  const names: string[] = [];
  // Node types the names as text whatever the encoding.
  const directory = await opendir(path, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 });
  for await (const entry of directory) {
    names.push(nameFromBytes(entry.name as unknown as Buffer));
    if (names.length >= max) break;
  }
  return names;
}

function fileStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    mtimeMs: Number(stats.mtimeNs) / 1e6,
    dev: stats.dev,
    ino: stats.ino,
  };
}

function kindOf(stats: BigIntStats): FileKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}
