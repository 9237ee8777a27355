import { expect, it } from 'vitest';
import { table } from './table.ts';

it('columns are as wide as they must be, the last one as it is', () => {
  const rows = [
    ['web-01', 'yes', 'a b'],
    ['db-01', 'no', ''],
  ];
  expect(table(['PEEL', 'ONLINE', 'NOTE'], rows)).toBe(
    'PEEL    ONLINE  NOTE\nweb-01  yes     a b\ndb-01   no\n',
  );
});

it('a cell cannot forge a row, steer the terminal or pad the others without end', () => {
  const text = table(
    ['PEEL', 'OS', 'X'],
    [
      ['web-01', 'x\nweb-02  Debian\u001b[2J\u202e', 'y'],
      ['db-01', 'n'.repeat(255_000), 'z'],
    ],
  );
  const lines = text.split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^web-01 {2}x web-02 {2}Debian\?\[2J\? +y$/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(150);
});

it('has room for any number of rows', () => {
  expect(
    table(
      ['A', 'B'],
      Array.from({ length: 200_000 }, () => ['a', 'b']),
    ).length,
  ).toBeGreaterThan(600_000);
});
