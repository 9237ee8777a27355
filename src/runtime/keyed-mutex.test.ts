import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const WAITERS_MAX = 5;

describe('KeyedMutex', () => {
  it('lets one work at a time for a key, in the order of asking, others beside it', async () => {
    const mutex = new KeyedMutex<string>();
    const log: string[] = [];
    const work = (key: string, name: string, turns: number) =>
      mutex.run(key, async () => {
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

  it('never has two at work under a key, and forgets every key in the end, whoever fails or leaves', async () => {
    const visit = fc.record({
      key: fc.constantFrom('a', 'b'),
      turns: fc.nat({ max: 4 }),
      end: fc.constantFrom('well', 'fails', 'leaves'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { maxLength: 20 }), async (visits) => {
        const mutex = new KeyedMutex<string>();
        const inside = new Map<string, number>();
        const done = visits.map(({ key, turns, end }) => {
          const leaving = new AbortController();
          const work = mutex.run(
            key,
            async () => {
              inside.set(key, (inside.get(key) ?? 0) + 1);
              expect(inside.get(key)).toBe(1);
              expect(mutex.isHeld(key)).toBe(true);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              inside.set(key, 0);
              if (end === 'fails') throw new RangeError('this one fails');
            },
            leaving.signal,
          );
          if (end === 'leaves') leaving.abort(new RangeError('this one leaves'));
          return work;
        });
        for (const end of await Promise.allSettled(done))
          if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(RangeError);
        expect(['a', 'b'].filter((key) => mutex.isHeld(key))).toEqual([]);
      }),
    );
  });

  it('refuses one waiter too many, of that key alone', async () => {
    const refusal = (key: string, max: number) => new RangeError(`${key}: ${max}`);
    const mutex = new KeyedMutex<string>({ waitersMax: WAITERS_MAX, refusal });
    let release: () => void = () => undefined;
    const untilReleased = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    const held = mutex.run('a', untilReleased);
    const waiting = Array.from({ length: WAITERS_MAX }, () => mutex.run('a', async () => undefined));
    await expect(mutex.run('a', async () => undefined)).rejects.toThrow(`a: ${WAITERS_MAX}`);
    await mutex.run('b', async () => undefined);
    release();
    await Promise.all([held, ...waiting]);
    await mutex.run('a', async () => undefined);
  });
});
