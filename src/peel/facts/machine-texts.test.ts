/** The small parsers: odd forms that the fixtures of whole machines do not have. */
import { expect, it } from 'vitest';
import { parseCpuinfo } from './cpu-facts.ts';
import { diskMounts } from './disk-facts.ts';
import { parseMeminfo } from './memory-facts.ts';
import { parseOsRelease } from './os-facts.ts';

it('os-release values may be bare, in either quotes, and have escapes in them', () => {
  const text =
    'ID=arch\n# comment\nNAME="A \\"B\\" $C"\nX=\'one two\'\nEMPTY=\nbroken line\nID_LIKE="a b"  \n';
  expect([...parseOsRelease(text)]).toEqual([
    ['ID', 'arch'],
    ['NAME', 'A "B" $C'],
    ['X', 'one two'],
    ['EMPTY', ''],
    ['ID_LIKE', 'a b'],
  ]);
});

it('meminfo without what it should have gives what it has', () => {
  expect(parseMeminfo('')).toEqual({});
  expect(parseMeminfo('MemTotal: 100 kB\n')).toEqual({ total: 102_400 });
  expect(parseMeminfo('MemTotal: 1 kB\nMemAvailable: 2 kB\n')).toMatchObject({ used: 0, used_percent: 0 });
});

it('memory is a number that is exact, also where there is a lot', () => {
  const { total } = parseMeminfo(`MemTotal: ${24 * 1024 ** 3} kB\n`);
  expect(total).toBe(24 * 1024 ** 4);
  expect(Number.isSafeInteger(total)).toBe(true);
});

it('cpuinfo of two sockets counts cores of both', () => {
  const processor = (id: number, socket: number, core: number) =>
    `processor : ${id}\nphysical id : ${socket}\ncore id : ${core}\n\n`;
  const text = processor(0, 0, 0) + processor(1, 0, 0) + processor(2, 1, 0) + processor(3, 1, 0);
  expect(parseCpuinfo(text)).toEqual({ count: 4, logical_count: 4, physical_count: 2 });
  expect(parseCpuinfo('')).toEqual({ count: 0, logical_count: 0, physical_count: 0 });
});

it('of two mounts on one point the later is seen', () => {
  const line = (device: string, fstype: string) => `1 0 8:1 / /data rw - ${fstype} ${device} rw\n`;
  expect(diskMounts(line('/dev/a', 'ext4') + line('/dev/b', 'xfs'))).toMatchObject([{ device: '/dev/b' }]);
  expect(diskMounts(line('/dev/a', 'ext4') + line('filer:/x', 'nfs4'))).toEqual([]);
  expect(diskMounts('nonsense\n\n1 2 3 - \n')).toEqual([]);
});
