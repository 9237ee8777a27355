import { describe, expect, it } from 'vitest';
import { parseProcStat } from './proc-stat.ts';

describe('parseProcStat', () => {
  const rest = '34816 300 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 2000';

  it('reads parent, group, session and start, whatever the name of the program', () => {
    for (const name of ['sh', 'a b', ') R 1 1 1', '((']) {
      expect(parseProcStat(`300 (${name}) S 1 200 100 ${rest}`)).toEqual({
        pid: 300,
        parent: 1,
        group: 200,
        session: 100,
        start: '987654',
      });
    }
  });

  it('takes what has ended for gone', () => {
    expect(parseProcStat(`300 (sh) Z 1 200 100 ${rest}`)).toBeUndefined();
    expect(parseProcStat('')).toBeUndefined();
  });

  it('reads our own process', async () => {
    const { readFileSync } = await import('node:fs');
    const own = parseProcStat(readFileSync('/proc/self/stat', 'latin1'));
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(Number(own?.start)).toBeGreaterThan(0);
  });
});
