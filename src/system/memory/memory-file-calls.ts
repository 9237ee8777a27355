/**
 * This adapter makes file calls on a memory disk, as one user. Each passes the gate and then takes effect in one step.
 */
import type { Clock } from '../../runtime/clock.ts';
import { Errno } from '../errno.ts';
import type { FileCalls, OpenFile } from '../file-calls.ts';
import type { FileStat } from '../files.ts';
import type { DiskNode, MemoryDisk } from './memory-disk.ts';
import type { Gate } from './memory-gate.ts';
import type { Credentials } from './memory-paths.ts';
import { MemoryTree } from './memory-tree.ts';

export interface MemoryFileParts {
  readonly disk: MemoryDisk;
  readonly clock: Clock;
  readonly gate: Gate;
  readonly as: Credentials;
}

export function memoryFileCalls({ disk, clock, gate, as }: MemoryFileParts): FileCalls {
  const tree = new MemoryTree(disk, clock, as);
  async function call<T>(name: string, path: string, step: () => T, bytes?: Uint8Array): Promise<T> {
    await gate(bytes === undefined ? { name, path } : { name, path, bytes });
    return step();
  }
  return {
    open: (path, how) => call('open', path, () => openOn(disk, tree, call, path, tree.open(path, how))),
    stat: (path) => call('stat', path, () => fileStat(tree.find(path, true))),
    lstat: (path) => call('lstat', path, () => fileStat(tree.find(path, false))),
    readLink: (path) => call('readLink', path, () => linkText(tree.find(path, false))),
    realPath: (path) => call('realPath', path, () => tree.realPath(path)),
    makeDirectory: (path) => call('makeDirectory', path, () => void tree.add(path, 'directory', 0o700)),
    removeDirectory: (path) => call('removeDirectory', path, () => tree.removeDirectory(path)),
    unlink: (path) => call('unlink', path, () => tree.unlink(path)),
    symlink: (target, path) => call('symlink', path, () => void tree.add(path, 'symlink', 0o777, target)),
    link: (from, to) => call('link', to, () => tree.link(from, to)),
    rename: (from, to) => call('rename', to, () => tree.rename(from, to)),
    chmod: (path, mode) => call('chmod', path, () => tree.chmod(tree.find(path, false), mode)),
    chown: (path, uid, gid) => call('chown', path, () => tree.chown(tree.find(path, false), uid, gid)),
    touch: (path, atMs) => call('touch', path, () => tree.touch(tree.find(path, false), atMs)),
  };
}

function openOn(
  disk: MemoryDisk,
  tree: MemoryTree,
  call: <T>(name: string, path: string, step: () => T, bytes?: Uint8Array) => Promise<T>,
  path: string,
  node: DiskNode,
): OpenFile {
  const handle = disk.hold(node);
  let position = 0;
  return {
    stat: () => call('stat', path, () => fileStat(node)),
    read: (into) =>
      call('read', path, () => {
        const bytes = node.now.bytes.subarray(position, position + into.length);
        into.set(bytes);
        position += bytes.length;
        return bytes.length;
      }),
    write: (bytes) => call('write', path, () => tree.write(node, bytes), bytes),
    chmod: (mode) => call('chmod', path, () => tree.chmod(node, mode)),
    chown: (uid, gid) => call('chown', path, () => tree.chown(node, uid, gid)),
    sync: () => call('sync', path, () => tree.sync(node)),
    names: (max) => call('names', path, () => [...node.now.entries.keys()].slice(0, max)),
    at: (name) => `/proc/self/fd/${handle}/${name}`,
    close: () => call('close', path, () => void disk.open.delete(handle)),
  };
}

function linkText(node: DiskNode): string {
  if (node.kind !== 'symlink') throw new Errno('EINVAL');
  return node.target;
}

function fileStat({ kind, ino, target, now }: DiskNode): FileStat {
  const size = kind === 'symlink' ? Buffer.byteLength(target) : now.bytes.length;
  const { mode, uid, gid, mtimeMs } = now;
  return { kind, size, mode, uid, gid, mtimeMs, dev: 1n, ino };
}
