import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  it('never lets more in than there are, in order, and lets everyone in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
        async (max, turns) => {
          const semaphore = new Semaphore(max);
          const begun: number[] = [];
          let inside = 0;
          let most = 0;
          const visits = turns.map((count, index) =>
            semaphore.run(async () => {
              begun.push(index);
              most = Math.max(most, ++inside);
              for (let i = 0; i < count; i++) await Promise.resolve();
              inside -= 1;
              if (count === 3) throw new RangeError('a failed visit frees its place too');
            }),
          );
          await Promise.allSettled(visits);
          expect(most).toBeLessThanOrEqual(max);
          expect(begun).toEqual(turns.map((_, index) => index));
          expect([semaphore.busy, semaphore.waiting]).toEqual([0, 0]);
        },
      ),
    );
  });

  it('whoever leaves the line frees its place at once; whoever is inside is not disturbed', async () => {
    const semaphore = new Semaphore(1);
    const leaving = new AbortController();
    const begun: string[] = [];
    let finish: () => void = () => undefined;
    const first = semaphore.run(() => {
      begun.push('first');
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    }, leaving.signal);
    const visit = (name: string, signal?: AbortSignal) =>
      semaphore.run(async () => void begun.push(name), signal);
    const left = visit('left', leaving.signal);
    const last = visit('last');
    expect(semaphore.waiting).toBe(2);
    leaving.abort();
    expect(semaphore.waiting).toBe(1);
    await expect(left).rejects.toThrow('abort');
    await expect(visit('late', leaving.signal)).rejects.toThrow('abort');
    finish();
    await Promise.all([first, last]);
    expect(begun).toEqual(['first', 'last']);
    expect([semaphore.busy, semaphore.waiting]).toEqual([0, 0]);
  });
});
