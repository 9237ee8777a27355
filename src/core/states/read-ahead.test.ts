import { expect, it } from 'vitest';
import { readAhead } from './read-ahead.ts';
import type { StateTree } from './state-tree.ts';

function treeOf(texts: Readonly<Record<string, string>>): { tree: StateTree; reads: string[] } {
  const reads: string[] = [];
  const tree: StateTree = {
    where: '/tree',
    readBytes: async () => undefined,
    readText: async (path) => {
      reads.push(path);
      if (path === 'bad') throw new Error('no way');
      return texts[path];
    },
    list: async () => Object.keys(texts),
  };
  return { tree, reads };
}

it('reads what is named at once, each once, and gives it to the first who asks', async () => {
  const { tree, reads } = treeOf({ a: '1', b: '2', c: '3' });
  const ahead = readAhead(tree, ['a', 'b', 'a', 'gone']);
  expect(reads).toEqual(['a', 'b', 'gone']);
  expect(await Promise.all(['a', 'b', 'c', 'gone'].map(ahead.readText))).toEqual(['1', '2', '3', undefined]);
  expect(reads).toEqual(['a', 'b', 'gone', 'c']);
  await ahead.readText('a');
  expect(reads.at(-1)).toBe('a');
});

it('tells a file that cannot be read to whoever asks for it, and to nobody else', async () => {
  const { tree } = treeOf({ a: '1' });
  const ahead = readAhead(tree, ['bad', 'a']);
  expect(await ahead.readText('a')).toBe('1');
  await expect(ahead.readText('bad')).rejects.toThrow('no way');
});
