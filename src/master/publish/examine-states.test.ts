import { describe, expect, it } from 'vitest';
import { stateExaminer } from './examine-states.ts';
import type { LocalTree } from './source-tree.ts';

function treeOf(files: Readonly<Record<string, string>>, reads: string[] = []): LocalTree {
  const sources = Object.entries(files).map(([path, text]) => ({
    path,
    sha256: text,
    size: text.length,
    read: async () => {
      reads.push(path);
      return Buffer.from(text);
    },
  }));
  return { directory: '/srv/states', digest: '', files: new Map(), sources };
}

const BAD = 'a:\n  file.managed:\n    - contents: !encrypted "s3cret-here"\n';

describe('the examination of states', () => {
  it('names every file and line with a secret, and tells none of it', async () => {
    const problems = await stateExaminer()(
      treeOf({ 'a.zy': BAD, 'b/init.sls': `x: 1\n${BAD}`, 'notes.md': BAD }),
    );
    expect(problems.map(({ at }) => [at.file, at.line])).toEqual([
      ['a.zy', 3],
      ['b/init.sls', 4],
      ['notes.md', 3],
    ]);
    expect(JSON.stringify(problems)).not.toContain('s3cret-here');
  });

  it('reads what is new at its path', async () => {
    const examine = stateExaminer();
    const reads: string[] = [];
    await examine(treeOf({ 'a.zy': 'a: 1', 'b.zy': 'b: 1' }, reads));
    expect(reads).toEqual(['a.zy', 'b.zy']);
    reads.length = 0;
    await examine(treeOf({ 'a.zy': 'a: 2', 'b.zy': 'b: 1', 'c.zy': 'b: 1' }, reads));
    expect(reads).toEqual(['a.zy', 'c.zy']);
  });

  it('looks again at what was refused', async () => {
    const examine = stateExaminer();
    for (let turn = 0; turn < 2; turn++) expect(await examine(treeOf({ 'a.zy': BAD }))).toHaveLength(1);
  });
});
