import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPARED_CHARS_MAX, EDITS_MAX, unifiedDiff } from './unified-diff.ts';

const path = '/etc/motd';
const unbounded = { path, bytesMax: Number.MAX_SAFE_INTEGER };
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

/** Few different lines, so that texts share some; with and without a newline at the end. */
const text = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'b', 'c', '', ' x', '-y', '+z', '@@', '\\ odd', 'd\r', 'ü'), {
      maxLength: 40,
    }),
    fc.boolean(),
  )
  .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''));

describe('unifiedDiff', () => {
  it('shows three lines around a change', () => {
    const before = numbered(1, 20);
    expect(unifiedDiff(before, before.replace('line 10\n', 'line ten\n'), { path })).toBe(
      [
        '--- /etc/motd',
        '+++ /etc/motd',
        '@@ -7,7 +7,7 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+line ten',
        ' line 11',
        ' line 12',
        ' line 13',
      ].join('\n'),
    );
  });

  it('joins changes that are near and parts those that are not', () => {
    const hunks = (changed: readonly number[]) => {
      const after = numbered(1, 30)
        .split('\n')
        .map((line, index) => (changed.includes(index + 1) ? 'new' : line))
        .join('\n');
      return unifiedDiff(numbered(1, 30), after, { path }).match(/^@@.*@@$/gm);
    };
    expect(hunks([5, 11])).toEqual(['@@ -2,13 +2,13 @@']);
    expect(hunks([5, 12])).toEqual(['@@ -2,14 +2,14 @@']);
    expect(hunks([5, 13])).toEqual(['@@ -2,7 +2,7 @@', '@@ -10,7 +10,7 @@']);
  });

  it('says where a newline at the end is missing', () => {
    expect(unifiedDiff('', 'a', { path })).toBe(
      '--- /etc/motd\n+++ /etc/motd\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file',
    );
    expect(unifiedDiff('a', 'a\n', { path })).toContain('-a\n\\ No newline at end of file\n+a');
  });

  it('of the same text is empty', () => {
    fc.assert(fc.property(text, (same) => unifiedDiff(same, same, { path }) === ''));
  });

  it('applied to the first text gives the second', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(patch(before, unifiedDiff(before, after, unbounded))).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('is cut at a line, and says so', () => {
    const cut = unifiedDiff('', numbered(1, 1_000), { path, bytesMax: 200 });
    expect(cut.endsWith('more lines of this diff are not shown]')).toBe(true);
    expect(cut.split('\n').at(-2)).toMatch(/^\+line \d+$/);
    expect(cut.length).toBeLessThan(300);
  });

  it('only counts what is too large to compare', () => {
    const large = 'x'.repeat(COMPARED_CHARS_MAX);
    expect(unifiedDiff(large, 'y\n', { path })).toBe(
      `--- /etc/motd\n+++ /etc/motd\n[too large to compare: 1 lines with ${COMPARED_CHARS_MAX} characters before, 1 lines with 2 characters after]`,
    );
  });

  it('takes texts that have nothing in common as replaced, in time that does not explode', () => {
    const before = numbered(1, 20_000);
    const after = numbered(30_001, 50_000);
    expect(patch(before, unifiedDiff(before, after, unbounded))).toBe(after);
  });

  it('is as short as any', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = unifiedDiff(ended(before), ended(after), unbounded);
        const changes = [...linesOf(diff, '-'), ...linesOf(diff, '+')].length;
        expect(changes).toBe(before.length + after.length - 2 * longestCommon(before, after));
      }),
      { numRuns: 500 },
    );
  });

  it('gives up on the shortest at its bound, with a right one', () => {
    const half = (name: string) => Array.from({ length: EDITS_MAX / 2 }, (_, i) => `${name}${i}`);
    const before = [...half('a'), 'common', ...half('b')];
    const after = [...half('c'), 'common', ...half('d')];
    const diff = unifiedDiff(ended(['same', ...before, 'end']), ended(['same', ...after, 'end']), unbounded);
    expect(linesOf(diff, ' ')).toEqual(['same', 'end']);
    expect(linesOf(diff, '-')).toEqual(before);
    expect(linesOf(diff, '+')).toEqual(after);
  });
});

function ended(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** What a diff says after its headers with that sign. */
function linesOf(diff: string, sign: '-' | '+' | ' '): string[] {
  const lines = diff.split('\n').slice(2);
  return lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
}

/** By the table of all pairs of prefixes: slow and plainly right. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = b.map(() => 0);
  for (const line of a) {
    const next: number[] = [];
    b.forEach((other, j) => {
      next[j] = line === other ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What `patch` does, without mercy: every kept and removed line must be where the hunk says. */
function patch(before: string, diff: string): string {
  if (diff === '') return before;
  const source = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const lines = diff.split('\n').slice(2);
  const result: string[] = [];
  let at = 0;
  lines.forEach((line, index) => {
    const [, start, length] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line) ?? [];
    if (start !== undefined) {
      const to = Number(start) - (length === '0' ? 0 : 1);
      result.push(...source.slice(at, to));
      at = to;
      return;
    }
    if (line === '\\ No newline at end of file') return;
    const content = line.slice(1) + (lines[index + 1] === '\\ No newline at end of file' ? '' : '\n');
    if (line[0] !== '+') expect(source[at++]).toBe(content);
    if (line[0] !== '-') result.push(content);
  });
  return [...result, ...source.slice(at)].join('');
}
