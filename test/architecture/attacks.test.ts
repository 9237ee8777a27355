/** The page docs/reference/attacks.md names a test for every attack and one for the honest case: here each of them is looked up. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const CITED = /^`([^`]+)`: (.+)$/;

const rows = readFileSync(join(ROOT, 'docs/reference/attacks.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attack '))
  .map((line) => line.slice(2, -2).split(' | '));

it('there are attacks, each with what stops it and two tests', () => {
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.filter((cells) => cells.length !== 4)).toEqual([]);
});

it.each(rows.map(([attack = '', , ...tests]) => [attack, tests] as const))(
  '%s: its tests are there',
  (_, tests) => {
    for (const test of tests) {
      const [, path = '', name = ''] = CITED.exec(test) ?? [];
      expect([path, existsSync(join(ROOT, path))]).toEqual([path, true]);
      // The whole name as it is written, or the part of it before what a table fills in.
      const text = readFileSync(join(ROOT, path), 'utf8');
      const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}`));
      expect([test, isThere]).toEqual([test, true]);
    }
  },
);
