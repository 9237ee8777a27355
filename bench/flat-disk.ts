/**
 * A flat disk holds the files of a simulated peel in one flat map. The memory adapter models directories, permissions
 * and what a power loss leaves, which costs more processor time than the peel itself spends on a job; on a machine the
 * kernel does that work. What the peel writes of its own is kept here; everything else is the memory adapter's.
 */
import type { Files } from '../src/system/files.ts';
import type { System } from '../src/system/system.ts';

export function withFlatDisk(system: System): System {
  const kept = new Map<string, Uint8Array>();
  const files: Files = {
    ...system.files,
    writeAtomic: async (path, bytes) => void kept.set(path, bytes),
    read: async (path, options) => kept.get(path) ?? system.files.read(path, options),
    removeFile: async (path) => kept.delete(path) || system.files.removeFile(path),
  };
  return { ...system, files };
}
