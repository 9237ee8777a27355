import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.ts';

describe('shrinking', () => {
  it('leaves what is needed, and no single one of the rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(200), { minLength: 1, maxLength: 40 }),
        fc.nat(3),
        async (list, n) => {
          const needed = list.slice(0, n + 1);
          const fails = async (shorter: readonly number[]) => needed.every((each) => shorter.includes(each));
          expect(await shrink(list, fails, 10_000)).toEqual(needed);
        },
      ),
    );
  });

  it('stops after so many runs', async () => {
    let runs = 0;
    const list = Array.from({ length: 100 }, (_, i) => i);
    await shrink(list, async () => ++runs < 0, 7);
    expect(runs).toBe(7);
  });
});
