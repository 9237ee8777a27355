/**
 * `MemoryTree` is what one user can do to a memory disk, call by call and with the errors of Linux. Nothing here waits:
 * each method is one indivisible step.
 */
import type { Clock } from '../../runtime/clock.ts';
import { Errno } from '../errno.ts';
import type { FileCalls } from '../file-calls.ts';
import type { FileKind } from '../files.ts';
import { groupOfNew, modeAfterChown } from '../mode-rules.ts';
import type { DiskNode, MemoryDisk, NodeState } from './memory-disk.ts';
import {
  type Credentials,
  locate,
  type MemoryPlace,
  permit,
  READ,
  realPathOf,
  SEARCH,
  WRITE,
} from './memory-paths.ts';

const STICKY = 0o1000;

export class MemoryTree {
  private readonly disk: MemoryDisk;
  private readonly clock: Clock;
  private readonly as: Credentials;

  constructor(disk: MemoryDisk, clock: Clock, as: Credentials) {
    this.disk = disk;
    this.clock = clock;
    this.as = as;
  }

  /** What is at a path. */
  find(path: string, follow: boolean): DiskNode {
    return present(this.locate(path, follow));
  }

  has(path: string): boolean {
    return this.locate(path, false).node !== undefined;
  }

  /** Whether the path leads to a directory. */
  leads(path: string): boolean {
    try {
      return this.find(path, true).kind === 'directory';
    } catch (error) {
      if (error instanceof Errno) return false;
      throw error;
    }
  }

  realPath(path: string): string {
    const place = this.locate(path, true);
    present(place);
    return realPathOf(place);
  }

  open(path: string, how: Parameters<FileCalls['open']>[1]): DiskNode {
    if (how === 'create') return this.add(path, 'file', 0o600);
    const node = this.find(path, how !== 'directory-itself');
    if (how !== 'read' && node.kind !== 'directory') throw new Errno('ENOTDIR');
    permit(this.as, node, READ);
    return node;
  }

  add(path: string, kind: FileKind, mode: number, target = ''): DiskNode {
    const { directory, name, node } = this.locate(path, false);
    if (node !== undefined) throw new Errno('EEXIST');
    const { uid } = this.as;
    const gid = groupOfNew(directory.now, this.as.gid);
    const made = this.disk.makeNode(kind, { mode, uid, gid, mtimeMs: this.clock.nowMs() }, target);
    this.change(directory, name, made);
    return made;
  }

  link(from: string, to: string): void {
    const node = this.find(from, false);
    if (node.kind === 'directory') throw new Errno('EPERM');
    const place = this.locate(to, false);
    if (place.node !== undefined) throw new Errno('EEXIST');
    this.change(place.directory, place.name, node);
  }

  unlink(path: string): void {
    const place = this.locate(path, false);
    if (present(place).kind === 'directory') throw new Errno('EISDIR');
    this.remove(place);
  }

  removeDirectory(path: string): void {
    const place = this.locate(path, false);
    const node = present(place);
    if (node.kind !== 'directory') throw new Errno('ENOTDIR');
    if (node.now.entries.size > 0) throw new Errno('ENOTEMPTY');
    this.remove(place);
  }

  rename(from: string, to: string): void {
    const source = this.locate(from, false);
    const moved = present(source);
    const goal = this.locate(to, false);
    if (goal.node === moved) return;
    if (moved.kind === 'directory' && contains(moved, goal.directory)) throw new Errno('EINVAL');
    if (goal.node !== undefined) {
      refuseReplacing(goal.node, moved);
      this.mayRemove(goal);
    }
    this.mayRemove(source);
    permit(this.as, goal.directory, WRITE | SEARCH);
    this.change(source.directory, source.name, undefined);
    this.change(goal.directory, goal.name, moved);
  }

  write(node: DiskNode, bytes: Uint8Array): void {
    this.set(node, { bytes: Buffer.concat([node.now.bytes, bytes]), mtimeMs: this.clock.nowMs() });
  }

  /** Instead of what was there. */
  overwrite(node: DiskNode, bytes: Uint8Array): void {
    this.set(node, { bytes, mtimeMs: this.clock.nowMs() });
  }

  sync(node: DiskNode): void {
    node.durable = node.now;
  }

  chmod(node: DiskNode, mode: number): void {
    if (node.kind === 'symlink') throw new Errno('ELOOP');
    this.mustOwn(node);
    this.set(node, { mode: mode & 0o7777 });
  }

  chown(node: DiskNode, uid: number, gid: number): void {
    const { as } = this;
    const joins = as.gid === gid || as.groupIds.includes(gid);
    if (as.uid !== 0 && !(as.uid === node.now.uid && as.uid === uid && joins)) throw new Errno('EPERM');
    this.set(node, { uid, gid, mode: modeAfterChown(node.kind, node.now.mode) });
  }

  touch(node: DiskNode, atMs: number): void {
    this.mustOwn(node);
    this.set(node, { mtimeMs: atMs });
  }

  private locate(path: string, follow: boolean): MemoryPlace {
    return locate(this.disk, this.as, path, follow);
  }

  private remove(place: MemoryPlace): void {
    this.mayRemove(place);
    this.change(place.directory, place.name, undefined);
  }

  /** In a sticky directory such as /tmp a name belongs to the owner of the file or of the directory. */
  private mayRemove({ directory, node }: MemoryPlace): void {
    permit(this.as, directory, WRITE | SEARCH);
    const { uid } = this.as;
    const owns = uid === 0 || uid === directory.now.uid || uid === node?.now.uid;
    if ((directory.now.mode & STICKY) !== 0 && !owns) throw new Errno('EPERM');
  }

  /** What the name leads to from now on; undefined: the name goes. */
  private change(directory: DiskNode, name: string, node: DiskNode | undefined): void {
    permit(this.as, directory, WRITE | SEARCH);
    const { now, durable } = directory;
    // Copied only where a power loss would need the old one.
    const entries = (now.entries === durable.entries ? new Map(now.entries) : now.entries) as Map<
      string,
      DiskNode
    >;
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
    directory.now = { ...now, entries, mtimeMs: this.clock.nowMs() };
    this.disk.nameChanged(directory, name);
  }

  private mustOwn(node: DiskNode): void {
    if (this.as.uid !== 0 && this.as.uid !== node.now.uid) throw new Errno('EPERM');
  }

  private set(node: DiskNode, change: Partial<NodeState>): void {
    node.now = { ...node.now, ...change };
    this.disk.nodeChanged(node);
  }
}

function present({ node }: MemoryPlace): DiskNode {
  if (node === undefined) throw new Errno('ENOENT');
  return node;
}

function refuseReplacing(old: DiskNode, moved: DiskNode): void {
  if (old.kind !== 'directory' && moved.kind === 'directory') throw new Errno('ENOTDIR');
  if (old.kind === 'directory' && moved.kind !== 'directory') throw new Errno('EISDIR');
  if (old.now.entries.size > 0) throw new Errno('ENOTEMPTY');
}

/** Whether `inner` is `outer` or somewhere below it. */
function contains(outer: DiskNode, inner: DiskNode): boolean {
  return outer === inner || [...outer.now.entries.values()].some((child) => contains(child, inner));
}
