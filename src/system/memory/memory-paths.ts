/**
 * These functions lead from a path to a node of the memory disk, with links, their loops, long names and search
 * permission, as Linux does it.
 */
import { Errno } from '../errno.ts';
import { nativePath } from '../file-path.ts';
import type { DiskNode, MemoryDisk } from './memory-disk.ts';

export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  readonly groupIds: readonly number[];
}

/** Where a path leads: the directory and name at its end, and what is there. */
export interface MemoryPlace {
  readonly directory: DiskNode;
  readonly name: string;
  readonly node: DiskNode | undefined;
  /** On the way to it, without links; of what exists. */
  readonly names: readonly string[] | undefined;
}

export const READ = 4;
export const WRITE = 2;
export const SEARCH = 1;

const LINKS_MAX = 40;
const NAME_BYTES_MAX = 255;
const PATH_BYTES_MAX = 4_095;
/** Of `/proc/self/fd/12/name` those before `name`. */
const PARTS_OF_PINNED = 5;
/** How `OpenFile.at` spells a name in an open directory, here as on Linux. */
const PROC = '/proc/self/fd/';
export const OPEN_DIRECTORY = /^\/proc\/self\/fd\/(\d+)(?=\/|$)/;

export function locate(disk: MemoryDisk, as: Credentials, path: string, follow: boolean): MemoryPlace {
  if (longerThan(path, PATH_BYTES_MAX)) throw new Errno('ENAMETOOLONG');
  const pinned = path.startsWith(PROC) ? OPEN_DIRECTORY.exec(path) : null;
  const start = pinned === null ? disk.root : disk.open.get(Number(pinned[1]));
  if (start === undefined) throw new Errno('ENOENT');

  /** From the start to here, and the names on the way. */
  let trail = [start];
  let names = [''];
  // Behind `at` is what is left of the path; a link on the way puts its target before that.
  let parts = path.split('/');
  let at = pinned === null ? 0 : PARTS_OF_PINNED;
  let last = lastPart(parts);
  let links = 0;
  for (; at <= last; at++) {
    const part = parts[at];
    if (part === undefined || part === '') continue;
    const here = trail[trail.length - 1] ?? disk.root;
    if (here.kind !== 'directory') throw new Errno('ENOTDIR');
    if (longerThan(part, NAME_BYTES_MAX)) throw new Errno('ENAMETOOLONG');
    permit(as, here, SEARCH);
    if (part === '.') continue;
    if (part === '..') {
      if (trail.length > 1) {
        trail.pop();
        names.pop();
      }
      continue;
    }
    const node = here.now.entries.get(part);
    if (node === undefined) {
      if (at < last) throw new Errno('ENOENT');
      return { directory: here, name: part, node, names: undefined };
    }
    if (node.kind === 'symlink' && (follow || at < last)) {
      if (++links > LINKS_MAX) throw new Errno('ELOOP');
      if (node.target.startsWith('/')) {
        trail = [disk.root];
        names = [''];
      }
      parts = [...node.target.split('/'), ...parts.slice(at + 1)];
      last = lastPart(parts);
      at = -1;
    } else {
      trail.push(node);
      names.push(part);
    }
  }
  const node = trail[trail.length - 1] ?? disk.root;
  const directory = trail[trail.length - 2] ?? node;
  return { directory, name: names[names.length - 1] ?? '', node, names };
}

/** Index of the last part that names something; -1 for none. */
function lastPart(parts: readonly string[]): number {
  let last = parts.length - 1;
  while (last >= 0 && parts[last] === '') last--;
  return last;
}

/** The path of what is there, without links. */
export function realPathOf({ names }: MemoryPlace): string {
  return names?.join('/') || '/';
}

/** Throws EACCES unless the bits for owner, group or others allow it. Root may do anything. */
export function permit(as: Credentials, node: DiskNode, wanted: number): void {
  const { mode, uid, gid } = node.now;
  const shift = as.uid === uid ? 6 : as.groupIds.includes(gid) || as.gid === gid ? 3 : 0;
  if (as.uid !== 0 && ((mode >> shift) & wanted) !== wanted) throw new Errno('EACCES');
}

/** In bytes; no character takes more than three for each of its UTF-16 units. */
function longerThan(path: string, bytesMax: number): boolean {
  return path.length * 3 > bytesMax && Buffer.byteLength(nativePath(path)) > bytesMax;
}
