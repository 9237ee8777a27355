/** `treeText` reads a file of a tree for a look at its text. One that is no text is empty: the compiler tells it. */
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { StateTree } from '../../core/states/state-tree.ts';

export async function treeText(tree: StateTree, path: string): Promise<string> {
  try {
    return (await tree.readText(path)) ?? '';
  } catch (error) {
    if (isZesterError(error)) return '';
    throw error;
  }
}
