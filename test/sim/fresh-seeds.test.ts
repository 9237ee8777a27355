/** Runs the simulator over fresh seeds, other ones every time; and checks that a run is told by its seed alone. */
import { describe, expect, it } from 'vitest';
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

describe('a run', { timeout: TIME_MS_MAX }, () => {
  it('is the same for the same seed, message by message', async () => {
    const [one, two] = [await simulate({ seed: 9, minutes: 4 }), await simulate({ seed: 9, minutes: 4 })];
    expect(one.digest).toBe(two.digest);
    expect(one.events).toBeGreaterThan(1_000);
  });

  it('is another one for another seed', async () => {
    const [one, two] = [await simulate({ seed: 9, minutes: 2 }), await simulate({ seed: 10, minutes: 2 })];
    expect(one.digest).not.toBe(two.digest);
  });

  it('does not depend on how much is logged', async () => {
    const quiet = await simulate({ seed: 9, minutes: 3 });
    const loud = await simulate({ seed: 9, minutes: 3, logLevel: 'debug' });
    expect(loud.digest).toBe(quiet.digest);
  });
});
