/** What doctor says about published files and about those who have them. */
import { describe, expect, it } from 'vitest';
import { type FilesMirroredFacts, judgeFilesMirrored } from './files-mirrored.ts';
import { type FilesPublishedFacts, judgeFilesPublished, type PublishedSetFacts } from './files-published.ts';

const set = (given: Partial<PublishedSetFacts> = {}): PublishedSetFacts => ({
  set: 'states',
  published: 'whole',
  revision: 7,
  problem: '',
  state: 'unchanged',
  note: '',
  ...given,
});

describe('judgeFilesPublished', () => {
  const judge = (given: Partial<FilesPublishedFacts>) =>
    judgeFilesPublished({
      publisher: { name: 'master-1 on ctl-1' },
      sets: [set(), set({ set: 'reactor', published: 'empty', revision: 0, state: 'absent' })],
      masters: [],
      ...given,
    });

  it('is content when one publishes and all stand alike', () => {
    expect(judge({})).toMatchObject({
      verdict: 'ok',
      found: 'master-1 on ctl-1 publishes: states 7, reactor none',
    });
  });

  it('says why nobody publishes, and what peels have meanwhile', () => {
    const found = judge({
      publisher: { nobody: 'none of the masters holds the lease' },
      sets: [set({ state: '' })],
    });
    expect(found).toMatchObject({ verdict: 'fail' });
    expect(found.found).toContain(
      'none of the masters holds the lease; peels keep what is published: states 7',
    );
  });

  it.each(['conflict', 'broken', 'failed'])(
    'fails with the words of the publisher when a set is %s',
    (state) => {
      const note = 'web/init.zy:3: no such module\nnext: write `file.managed`';
      const found = judge({ sets: [set({ state, note })] });
      expect(found).toMatchObject({ verdict: 'fail' });
      expect(found.found).toBe(`states cannot be published, ${state}: web/init.zy:3: no such module`);
      expect(found.fix).toContain('write `file.managed`');
    },
  );

  it('warns of a set that is torn', () => {
    const found = judge({ sets: [set({ published: 'torn', problem: 'no manifest', state: 'waiting' })] });
    expect(found).toMatchObject({ verdict: 'warn', found: expect.stringContaining('no manifest') });
  });

  it('warns when the publisher has no directory for what is published', () => {
    const found = judge({ sets: [set({ state: 'absent' })] });
    expect(found).toMatchObject({ verdict: 'warn', fix: expect.stringContaining('--states') });
    // What was never published from anywhere is nobody's loss.
    expect(judge({ sets: [set({ state: 'absent', published: 'empty' })] }).verdict).toBe('ok');
  });

  it('warns when the directory of the publisher was emptied', () => {
    const note = 'the directory is empty; what is published stays\nnext: put its files back';
    expect(judge({ sets: [set({ state: 'empty', note })] })).toEqual({
      verdict: 'warn',
      found: 'states on the publisher: the directory is empty; what is published stays',
      fix: 'put its files back',
    });
    expect(judge({ sets: [set({ state: 'empty', published: 'empty' })] }).verdict).toBe('ok');
  });

  it('warns of another master whose directory differs', () => {
    const masters = [
      { name: 'master-2', problem: 'states: edited here' },
      { name: 'master-3', problem: 'x' },
    ];
    const { verdict, found } = judge({ masters });
    expect(verdict).toBe('warn');
    expect(found).toBe('the directory of master-2 is not as published: states: edited here; also master-3');
  });
});

describe('judgeFilesMirrored', () => {
  const peel = (name: string, state: FilesMirroredFacts['peels'][number]['state'], problem = '') => ({
    name,
    state,
    problem,
  });
  const judge = (publishedAgoMs: number | undefined, ...peels: FilesMirroredFacts['peels']) =>
    judgeFilesMirrored({ peels, publishedAgoMs });

  it.each([
    ['all have everything', 60_001, [peel('a', 'current'), peel('b', 'offline')], 'ok', '1 peel up to date'],
    [
      'one fetches',
      5_000,
      [peel('a', 'current'), peel('b', 'behind')],
      'ok',
      '1 peel up to date, 1 fetching',
    ],
    [
      'one has been behind for a minute',
      60_001,
      [peel('a', 'current'), peel('b', 'behind')],
      'warn',
      '1 peel without',
    ],
    [
      'one says what is wrong',
      10,
      [peel('a', 'behind'), peel('b', 'problem', 'disk full')],
      'fail',
      'b: disk full',
    ],
    ['nothing is published', undefined, [peel('a', 'current')], 'ok', 'nothing is published'],
  ] as const)('%s', (_what, agoMs, peels, verdict, found) => {
    const judged = judge(agoMs, ...peels);
    expect([judged.verdict, judged.found]).toEqual([verdict, expect.stringContaining(found)]);
  });
});
