import { describe, expect, it } from 'vitest';
import { PROBLEMS_MAX, SUGGESTIONS_MAX } from './compile-limits.ts';
import { ProblemList } from './problem-list.ts';

const PLACE = { at: { file: 'web.sls', line: 1, column: 1 }, chain: [] };

describe('ProblemList', () => {
  it('keeps so many, and says how many more there are', () => {
    const problems = new ProblemList();
    for (let n = 0; n < PROBLEMS_MAX + 3; n++) problems.error(PLACE, `p${n}`);
    expect(problems.errorCount).toBe(PROBLEMS_MAX + 3);
    expect(problems.errors.length).toBe(PROBLEMS_MAX + 1);
    expect(problems.errors.at(-1)?.message).toBe('3 more problems are not shown');
  });

  it('looks for suggestions only so often', () => {
    const problems = new ProblemList();
    let asked = 0;
    const hint = () => `hint ${++asked}`;
    for (let n = 0; n < SUGGESTIONS_MAX + 10; n++) problems.error(PLACE, 'p', hint);
    expect(asked).toBe(SUGGESTIONS_MAX);
    expect(problems.errors.at(-1)?.hint).toBeUndefined();
  });

  it('shows them file by file and line by line, the same place in the order they were found', () => {
    const problems = new ProblemList();
    const found: readonly (readonly [string, number, number])[] = [
      ['b', 9, 1],
      ['a', 2, 5],
      ['b', 3, 7],
      ['a', 2, 1],
      ['b', 9, 1],
    ];
    for (const [index, [file, line, column]] of found.entries())
      problems.error({ at: { file, line, column }, chain: [] }, `p${index}`);
    expect(problems.errors.map(({ message }) => message)).toEqual(['p2', 'p0', 'p4', 'p3', 'p1']);
  });

  it('keeps warnings apart', () => {
    const problems = new ProblemList();
    problems.warn(PLACE, 'w', 'why');
    expect([problems.errorCount, problems.errors]).toEqual([0, []]);
    expect(problems.warnings).toEqual([{ ...PLACE, message: 'w', hint: 'why', severity: 'warning' }]);
  });
});
