import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAME_BYTES_MAX } from '../../wire/names/limits.ts';
import { filesProblem } from './files-problem.ts';

describe('the problem of files in one line', () => {
  it('names the set and the first two lines', () => {
    const problems = [
      { set: 'states', problem: '2 problems:\nweb/init.zy:3: no such state\nweb/more.zy:1: and so on' },
      { set: 'settings', problem: 'disk full' },
    ];
    expect(filesProblem(problems)).toBe(
      'states: 2 problems: web/init.zy:3: no such state; settings: disk full',
    );
    expect(filesProblem([])).toBe('');
  });

  it('fits whatever the problems are, and tells something of each', () => {
    const problem = fc.string({ unit: 'binary', maxLength: 4_000, size: 'max' });
    fc.assert(
      fc.property(fc.array(problem, { minLength: 1, maxLength: 3 }), (problems) => {
        const line = filesProblem(problems.map((text, index) => ({ set: `set-${index}`, problem: text })));
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(NAME_BYTES_MAX);
        for (const index of problems.keys()) expect(line).toContain(`set-${index}: `);
      }),
    );
    expect(filesProblem([{ set: 's', problem: '日'.repeat(2_000) }])).toMatch(/^s: 日{300,}…$/);
  });
});
