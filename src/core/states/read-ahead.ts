/**
 * `readAhead` reads files of a tree before they are asked for, all at once: settings files are rendered one after the other,
 * and each would wait for the disk by itself. Each text is kept until it is asked for once. What cannot be read is told to
 * whoever asks, as without it. Bound: the first `AHEAD_MAX` paths.
 */
import type { StateTree } from './state-tree.ts';

const AHEAD_MAX = 64;

export function readAhead(tree: StateTree, paths: readonly string[]): StateTree {
  const texts = new Map<string, ReturnType<StateTree['readText']>>();
  for (const path of new Set(paths.slice(0, AHEAD_MAX))) {
    const text = tree.readText(path);
    text.catch(() => undefined);
    texts.set(path, text);
  }
  return {
    ...tree,
    readText(path) {
      const text = texts.get(path) ?? tree.readText(path);
      texts.delete(path);
      return text;
    },
  };
}
