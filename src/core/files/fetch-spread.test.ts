import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fetchWaitMs, spreadMsFor } from './fetch-spread.ts';

describe('the spread of a fleet', () => {
  it.each([
    [0, 128],
    [1, 128],
    [128, 128],
    [129, 256],
    [1_000, 1_024],
    [10_000, 16_384],
    [40_000, 60_000],
    [1_000_000, 60_000],
  ])('of %d peels is %d ms', (peels, ms) => expect(spreadMsFor(peels)).toBe(ms));

  it('grows with the fleet and seldom changes', () => {
    const spreads = Array.from({ length: 20_000 }, (_, peels) => spreadMsFor(peels));
    expect(spreads).toEqual([...spreads].sort((a, b) => a - b));
    expect(new Set(spreads).size).toBeLessThan(10);
  });
});

describe('the wait of a peel', () => {
  it('lies within the spread and is always the same', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 60_000 }), (peel, spread) => {
        const wait = fetchWaitMs(peel, spread);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(spread);
        expect(fetchWaitMs(peel, spread)).toBe(wait);
      }),
    );
  });

  it('is bounded, whatever stands in the bucket', () => {
    expect(fetchWaitMs('web-01', Number.MAX_SAFE_INTEGER)).toBeLessThanOrEqual(60_000);
    expect(fetchWaitMs('web-01', -5)).toBe(0);
  });

  it.each([
    ['web-', 3],
    ['db', 5],
    ['node_example_com_', 1],
  ])('is even over peels that are numbered: %s', (stem, digits) => {
    const buckets = new Array(10).fill(0);
    for (let i = 0; i < 10_000; i++)
      buckets[Math.floor(fetchWaitMs(`${stem}${String(i).padStart(digits, '0')}`, 1_000) / 100)]++;
    for (const count of buckets) {
      expect(count).toBeGreaterThan(850);
      expect(count).toBeLessThan(1_150);
    }
  });
});
