/**
 * `FileCalls` are the system calls that files are made of: what an adapter brings. Each is one call of the kernel, or
 * as few as Node allows, fails with an error whose `code` is the errno (absent is ENOENT, nothing special here), and
 * follows no link at the end of its path unless it says so.
 */
import type { FileStat } from './files.ts';

export interface FileCalls {
  /**
   * - `read`: follows links; never blocks, also on a pipe
   * - `create`: a new file, mode 0600; EEXIST when anything is there, a link included
   * - `directory`: follows links
   * - `directory-itself`: ENOTDIR for a link
   */
  open(path: string, how: 'read' | 'create' | 'directory' | 'directory-itself'): Promise<OpenFile>;
  /** Follows links. */
  stat(path: string): Promise<FileStat>;
  lstat(path: string): Promise<FileStat>;
  readLink(path: string): Promise<string>;
  /** Follows links. */
  realPath(path: string): Promise<string>;
  makeDirectory(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** ELOOP for a link. */
  chmod(path: string, mode: number): Promise<void>;
  chown(path: string, uid: number, gid: number): Promise<void>;
  touch(path: string, atMs: number): Promise<void>;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** Bytes read into `into`; 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  write(bytes: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  sync(): Promise<void>;
  /** The first names of a directory, at most `max`, in no order. */
  names(max: number): Promise<string[]>;
  /** A path to `name` in this very directory, wherever it was moved and whatever is at its old path now. */
  at(name: string): string;
  close(): Promise<void>;
}

/** Opens, works, closes. */
export async function withOpen<T>(
  opening: Promise<OpenFile>,
  work: (file: OpenFile) => Promise<T>,
): Promise<T> {
  const file = await opening;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Makes what was added, renamed or removed in a directory survive a power loss. */
export async function syncDirectory(calls: FileCalls, path: string): Promise<void> {
  await withOpen(calls.open(path, 'directory'), (directory) => directory.sync());
}
