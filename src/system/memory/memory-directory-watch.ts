/**
 * This adapter hears of what happens in one directory of a memory disk. Like the kernel's, it hears of the directory that
 * was there when it began, whatever is at its path later, and it hears a moment after the change.
 */
import { Errno } from '../errno.ts';
import type { WatchDirectory } from '../watch-tree.ts';
import type { MemoryDisk } from './memory-disk.ts';
import type { FaultHook } from './memory-gate.ts';
import type { MemoryTree } from './memory-tree.ts';

export interface MemoryWatchParts {
  readonly disk: MemoryDisk;
  readonly tree: MemoryTree;
  readonly alive: () => boolean;
  readonly fault: FaultHook;
}

/** A watch takes no time: of the faults only failures count. */
export function memoryDirectoryWatch({ disk, tree, alive, fault }: MemoryWatchParts): WatchDirectory {
  return (path, { heard }) => {
    const refusal = fault({ name: 'watch', path });
    if (typeof refusal === 'object' && 'fail' in refusal) throw new Errno(refusal.fail);
    const directory = tree.open(path, 'directory');
    const listeners = disk.watches.get(directory) ?? new Set();
    disk.watches.set(directory, listeners);
    const listener = (name: string) =>
      queueMicrotask(() => {
        if (alive() && listeners.has(listener)) heard(name);
      });
    listeners.add(listener);
    return {
      stop() {
        listeners.delete(listener);
        if (listeners.size === 0) disk.watches.delete(directory);
      },
    };
  };
}
