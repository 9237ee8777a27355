/** Runs the simulator over fresh seeds, other ones every time; and checks that a run is told by its seed alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/run-sim.ts';
import { expectHeld, simulate, TIME_MS_MAX } from './simulate.ts';

const FRESH_MS = Number(process.env.ZESTER_SIM_FRESH_MS ?? 10_000);

describe('every promise holds', () => {
  it(
    'under all faults, for fresh seeds',
    async () => {
      const untilMs = performance.now() + FRESH_MS;
      const first = Math.floor(performance.timeOrigin) % 1_000_000_000;
      for (let seed = first; performance.now() < untilMs; seed++) await expectHeld({ seed });
    },
    TIME_MS_MAX,
  );
});

/** Long enough for faults of most kinds, and for what they leave behind. */
const MINUTES = 3;

describe('a run', { timeout: TIME_MS_MAX }, () => {
  let first: SimResult;
  beforeAll(async () => {
    first = await simulate({ seed: 9, minutes: MINUTES });
  }, TIME_MS_MAX);

  it('is the same for the same seed, message by message', async () => {
    const again = await simulate({ seed: 9, minutes: MINUTES });
    expect(again.digest).toBe(first.digest);
    expect(again.events).toBeGreaterThan(1_000);
  });

  it('is another one for another seed', async () => {
    const other = await simulate({ seed: 10, minutes: MINUTES });
    expect(other.digest).not.toBe(first.digest);
  });

  it('does not depend on how much is logged', async () => {
    const loud = await simulate({ seed: 9, minutes: MINUTES, logLevel: 'debug' });
    expect(loud.digest).toBe(first.digest);
  });
});
