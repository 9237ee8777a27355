/**
 * `MemoryDisk` is a disk in memory that forgets what was not synced, as real ones do at a power loss.
 *
 * Every node has what programs see now and what a power loss leaves. Syncing a file makes its content and attributes
 * durable; syncing a directory makes its names durable, whatever they lead to. So a file that was renamed into place
 * without having been synced comes back empty, and one whose directory was not synced does not come back at all.
 * This is the least that POSIX promises; a real disk often keeps more.
 *
 * States are replaced, never changed in place, as a durable one may be shared; only the names of a directory are, once
 * they are no longer those that a power loss leaves.
 */
import type { FileKind } from '../files.ts';

export interface NodeState {
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
  /** Of a file. */
  readonly bytes: Uint8Array;
  /** Of a directory. */
  readonly entries: ReadonlyMap<string, DiskNode>;
}

export interface DiskNode {
  readonly kind: FileKind;
  readonly ino: bigint;
  /** Of a symbolic link; it cannot change, and is durable with the name of the link. */
  readonly target: string;
  now: NodeState;
  durable: NodeState;
}

const NO_BYTES = new Uint8Array();
const NO_ENTRIES: ReadonlyMap<string, DiskNode> = new Map();

export class MemoryDisk {
  private nodes = 0n;
  private handles = 0;
  /** Open files and directories by handle. */
  readonly open = new Map<number, DiskNode>();
  /** Who hears of the names in a directory. */
  readonly watches = new Map<DiskNode, Set<(name: string) => void>>();
  readonly root: DiskNode = this.makeNode('directory', { mode: 0o755, uid: 0, gid: 0, mtimeMs: 0 });

  makeNode(
    kind: FileKind,
    attributes: Pick<NodeState, 'mode' | 'uid' | 'gid' | 'mtimeMs'>,
    target = '',
  ): DiskNode {
    const state = { ...attributes, bytes: NO_BYTES, entries: NO_ENTRIES };
    return { kind, ino: ++this.nodes, target, now: state, durable: state };
  }

  hold(node: DiskNode): number {
    this.open.set(++this.handles, node);
    return this.handles;
  }

  /** A name in this directory has come, gone, or leads elsewhere. */
  nameChanged(directory: DiskNode, name: string): void {
    for (const listener of this.watches.get(directory) ?? []) listener(name);
  }

  /** Content or attributes have changed, under whatever names it has in directories that are watched. */
  nodeChanged(node: DiskNode): void {
    for (const directory of this.watches.keys())
      for (const [name, child] of directory.now.entries)
        if (child === node) this.nameChanged(directory, name);
  }

  powerLoss(): void {
    this.open.clear();
    forget(this.root);
  }
}

function forget(node: DiskNode): void {
  node.now = node.durable;
  for (const child of node.now.entries.values()) forget(child);
}
