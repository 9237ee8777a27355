import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it('doubles from the first pause to the longest', () => {
  const pauses = { firstMs: 100, maxMs: 1_000 };
  expect([1, 2, 3, 4, 5, 6].map((failures) => backoffMs(pauses, failures))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
});

it('stays within its bounds and never shrinks, after however many failures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (firstMs, more, failures) => {
        const pauses = { firstMs, maxMs: firstMs + more };
        const pauseMs = backoffMs(pauses, failures);
        expect(pauseMs).toBeGreaterThanOrEqual(firstMs);
        expect(pauseMs).toBeLessThanOrEqual(pauses.maxMs);
        expect(backoffMs(pauses, failures + 1)).toBeGreaterThanOrEqual(pauseMs);
      },
    ),
  );
});
