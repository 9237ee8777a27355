import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import { parseDf } from './disk-usage.ts';

const DF = `Filesystem     1024-blocks     Used Available Capacity Mounted on
/dev/vda1         20134592 13933088   5153408      74% /
tmpfs               814084        0    814084       0% /run/user/1000
//filer/my share    100000    40000     60000      40% /mnt/my share
overfull            100000   104000     -4000     104% /full
nothing                  0        0         0       - /proc
`;

describe('parseDf', () => {
  it('gives bytes, whatever spaces are in names', () => {
    expect(parseDf(DF)).toEqual([
      {
        device: '/dev/vda1',
        mountpoint: '/',
        total: 20_617_822_208,
        used: 14_267_482_112,
        free: 5_277_089_792,
        usedPercent: 73,
      },
      {
        device: 'tmpfs',
        mountpoint: '/run/user/1000',
        total: 833_622_016,
        used: 0,
        free: 833_622_016,
        usedPercent: 0,
      },
      {
        device: '//filer/my share',
        mountpoint: '/mnt/my share',
        total: 102_400_000,
        used: 40_960_000,
        free: 61_440_000,
        usedPercent: 40,
      },
      {
        device: 'overfull',
        mountpoint: '/full',
        total: 102_400_000,
        used: 106_496_000,
        free: 0,
        usedPercent: 100,
      },
      { device: 'nothing', mountpoint: '/proc', total: 0, used: 0, free: 0, usedPercent: 0 },
    ]);
  });
});

describe('disk.usage', () => {
  it('asks df about a path, or about everything', async () => {
    const asked: string[] = [];
    const { run } = memoryContext(
      {},
      {
        programs: (argv) => (process) => {
          asked.push(argv.join(' '));
          process.print(DF.split('\n').slice(0, 2).join('\n'));
          return 0;
        },
      },
    );
    const { results } = await run('disk.usage', '-odd/path');
    expect(results[0]).toMatchObject({ changed: false, error: '' });
    expect(results[0]?.details.result).toBe(
      '/:\n  device: /dev/vda1\n  free: 5277089792\n  total: 20617822208\n  used: 14267482112\n  used_percent: 73',
    );
    await run('disk.usage');
    expect(asked).toEqual(['df -P -k -- -odd/path', 'df -P -k']);
  });

  it('says what df said when it failed, and that it hung when it did', async () => {
    const complaining = memoryContext(
      {},
      {
        programs: () => (process) => {
          process.printError('df: /nowhere: No such file or directory\n');
          return 1;
        },
      },
    );
    const failed = await complaining.run('disk.usage', '/nowhere');
    expect(failed.results[0]?.error).toContain('df: /nowhere: No such file or directory');

    const hanging = memoryContext({}, { programs: () => () => new Promise(() => undefined) });
    const answer = hanging.run('disk.usage');
    await hanging.clock.advance(60_000);
    expect((await answer).results[0]?.error).toContain('it did not answer in time');
  });
});
