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
  /** Without links; of what exists. */
  readonly realPath: string;
}

export const READ = 4;
export const WRITE = 2;
export const SEARCH = 1;

const LINKS_MAX = 40;
const NAME_BYTES_MAX = 255;
const PATH_BYTES_MAX = 4_095;
/** How `OpenFile.at` spells a name in an open directory, here as on Linux. */
export const OPEN_DIRECTORY = /^\/proc\/self\/fd\/(\d+)(?=\/|$)/;

export function locate(disk: MemoryDisk, as: Credentials, path: string, follow: boolean): MemoryPlace {
  if (longerThan(path, PATH_BYTES_MAX)) throw new Errno('ENAMETOOLONG');
  const pinned = OPEN_DIRECTORY.exec(path);
  const start = pinned === null ? disk.root : disk.open.get(Number(pinned[1]));
  if (start === undefined) throw new Errno('ENOENT');

  let trail = [{ name: '', node: start }];
  const parts = partsOf(path.slice(pinned?.[0].length ?? 0));
  let links = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const here = trail.at(-1)?.node ?? disk.root;
    if (here.kind !== 'directory') throw new Errno('ENOTDIR');
    if (longerThan(part, NAME_BYTES_MAX)) throw new Errno('ENAMETOOLONG');
    permit(as, here, SEARCH);
    if (part === '.') continue;
    if (part === '..') {
      if (trail.length > 1) trail.pop();
      continue;
    }
    const node = here.now.entries.get(part);
    if (node === undefined) {
      if (parts.length > 0) throw new Errno('ENOENT');
      return { directory: here, name: part, node, realPath: '' };
    }
    if (node.kind === 'symlink' && (follow || parts.length > 0)) {
      if (++links > LINKS_MAX) throw new Errno('ELOOP');
      if (node.target.startsWith('/')) trail = [{ name: '', node: disk.root }];
      parts.unshift(...partsOf(node.target));
    } else {
      trail.push({ name: part, node });
    }
  }
  const end = trail.at(-1) ?? { name: '', node: disk.root };
  const directory = (trail.at(-2) ?? end).node;
  const realPath = trail.map((step) => step.name).join('/') || '/';
  return { directory, name: end.name, node: end.node, realPath };
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

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
