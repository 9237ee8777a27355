/** `memoryTree` is a state tree in memory. */
import type { StateTree } from '../../../src/core/states/state-tree.ts';

export function memoryTree(files: Readonly<Record<string, string>>): StateTree {
  const text = async (path: string) => (Object.hasOwn(files, path) ? files[path] : undefined);
  return {
    where: '/states',
    readText: text,
    readBytes: async (path) => {
      const found = await text(path);
      return found === undefined ? undefined : new TextEncoder().encode(found);
    },
    list: async () => Object.keys(files).sort(),
  };
}
