import { describe, expect, it } from 'vitest';
import { pathLock, WAITERS_MAX } from './path-lock.ts';

describe('pathLock', () => {
  it('lets one work at a time for a key, in the order of asking, others beside it', async () => {
    const lock = pathLock();
    const log: string[] = [];
    const work = (key: string, name: string, turns: number) =>
      lock(key, async () => {
        log.push(`${name} starts`);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        log.push(`${name} ends`);
      });
    await Promise.all([work('a', 'a1', 20), work('a', 'a2', 1), work('b', 'b1', 5), work('a', 'a3', 1)]);
    expect(log.filter((line) => line.startsWith('a'))).toEqual([
      'a1 starts',
      'a1 ends',
      'a2 starts',
      'a2 ends',
      'a3 starts',
      'a3 ends',
    ]);
    expect(log.indexOf('b1 ends')).toBeLessThan(log.indexOf('a1 ends'));
  });

  it('goes on after a failure and hands results and errors to their callers', async () => {
    const lock = pathLock();
    const broken = lock('a', () => Promise.reject(new Error('broken')));
    const fine = lock('a', async () => 'fine');
    await expect(broken).rejects.toThrow('broken');
    expect(await fine).toBe('fine');
  });

  it('refuses one waiter too many', async () => {
    const lock = pathLock();
    let release: () => void = () => undefined;
    const held = lock(
      'a',
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    const waiting = Array.from({ length: WAITERS_MAX }, () => lock('a', async () => undefined));
    await expect(lock('a', async () => undefined)).rejects.toMatchObject({ code: 'FILE_LOCK_CROWDED' });
    await lock('b', async () => undefined);
    release();
    await Promise.all([held, ...waiting]);
    await lock('a', async () => undefined);
  });
});
