import { expect, it } from 'vitest';
import { DEFAULT_RESTARTS, nextRestart } from './restart-policy.ts';

const policy = { delaysMs: [10, 20], stableMs: 1_000 };

it('waits longer after each failure in a row and gives up after the last delay', () => {
  expect(nextRestart(policy, 0, 5)).toEqual({ failures: 1, delayMs: 10 });
  expect(nextRestart(policy, 1, 5)).toEqual({ failures: 2, delayMs: 20 });
  expect(nextRestart(policy, 2, 5)).toEqual({ failures: 3, delayMs: undefined });
});

it('starts the row anew after a run that was long enough', () => {
  expect(nextRestart(policy, 2, 1_000)).toEqual({ failures: 1, delayMs: 10 });
});

it('costs clients next to nothing the first time, and ends within a minute', () => {
  const { delaysMs } = DEFAULT_RESTARTS;
  expect(delaysMs[0]).toBeLessThanOrEqual(100);
  expect(delaysMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(60_000);
});
