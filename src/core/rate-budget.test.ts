import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateBudget } from './rate-budget.ts';

const rates = fc.record({
  burst: fc.integer({ min: 1, max: 100 }),
  perSecond: fc.integer({ min: 1, max: 100 }),
});
/** Moments at which one is asked for. */
const moments = fc
  .array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 })
  .map((ms) => ms.toSorted((a, b) => a - b));

describe('a rate budget', () => {
  it('gives as many as its burst at once, and then none', () => {
    const budget = new RateBudget({ burst: 3, perSecond: 1 });
    expect([0, 0, 0, 0].map((ms) => budget.take(ms))).toEqual([true, true, true, false]);
    expect([budget.hasLeft(999), budget.hasLeft(1_000)]).toEqual([false, true]);
    expect([budget.take(1_000), budget.take(1_000)]).toEqual([true, false]);
  });

  it('never gives more in any stretch of time than the burst and what came back in it', () => {
    fc.assert(
      fc.property(rates, moments, (rate, asked) => {
        const budget = new RateBudget(rate);
        const given = asked.filter((ms) => budget.take(ms));
        return given.every((fromMs, first) =>
          given
            .slice(first)
            .every(
              (toMs, more) => more + 1 <= rate.burst + ((toMs - fromMs) * rate.perSecond) / 1_000 + 1e-6,
            ),
        );
      }),
    );
  });

  it('refuses nobody who asks no faster than it comes back', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 500 }), (rate, times) => {
        const budget = new RateBudget(rate);
        const gapMs = 1_000 / rate.perSecond + 1e-6;
        return Array.from({ length: times }, (_, i) => budget.take(i * gapMs)).every(Boolean);
      }),
    );
  });
});
