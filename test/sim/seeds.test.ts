/**
 * The simulator over a fixed set of seeds and some fresh ones. A failure names the seed and the command that replays it
 * with a timeline.
 */
import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../src/sim/explain-failure.ts';
import { FAULT_KINDS, type FaultKind, type FaultPlan, planFaults } from '../../src/sim/faults/faults.ts';
import { runSim, type SimOptions, type SimResult } from '../../src/sim/run-sim.ts';

const FIXED = [1, 2, 3];
const FRESH_MS = Number(process.env.ZESTER_SIM_FRESH_MS ?? 20_000);
const TIME_MS_MAX = 240_000;
/** Few: what is told late is not told at all, and `zester sim` shrinks further. */
const SHRINK_RUNS = 12;
const base = {
  masters: 3,
  peels: 5,
  minutes: 10,
  kinds: FAULT_KINDS,
  intensity: 2,
  jobsPerMinute: 6,
  logLevel: 'error' as const,
};

function optionsOf(given: Partial<FaultPlan & SimOptions>): SimOptions & FaultPlan {
  const options = { ...base, seed: 0, ...given };
  return { ...options, faults: planFaults(options) };
}

function simulate(given: Partial<FaultPlan & SimOptions>): Promise<SimResult> {
  return runSim(optionsOf(given));
}

/** Fails with the shrunk faults and the command that replays them. */
async function expectHeld(given: Partial<FaultPlan & SimOptions>): Promise<SimResult> {
  const options = optionsOf(given);
  const result = await runSim(options);
  if (result.violations.length === 0) return result;
  const { masters, peels, minutes, intensity, jobsPerMinute, kinds } = options;
  const words =
    ` --masters ${masters} --peels ${peels} --minutes ${minutes} --intensity ${intensity}` +
    ` --jobs-per-minute ${jobsPerMinute} --faults ${kinds.join()}`;
  expect.fail(await explainFailure({ options, result, plan: options.faults, words }, SHRINK_RUNS));
}

describe('every promise holds', () => {
  it.each(FAULT_KINDS.map((kind) => [kind] as [FaultKind]))(
    'under %s alone',
    async (kind) => {
      await expectHeld({ seed: 77, kinds: [kind], intensity: 4, minutes: 5 });
    },
    TIME_MS_MAX,
  );

  it(
    'and masters notice it when the server has forgotten',
    async () => {
      const { counts } = await expectHeld({
        seed: 1,
        masters: 2,
        kinds: ['nats-forgets'],
        intensity: 40,
        jobsPerMinute: 20,
        minutes: 3,
      });
      expect(counts.olderReports).toBeGreaterThan(0);
    },
    TIME_MS_MAX,
  );

  it.each(FIXED)(
    'under all faults, seed %i',
    async (seed) => {
      const result = await expectHeld({ seed });
      expect(result.jobs).toBeGreaterThan(30);
      expect(result.counts.adoptions).toBeGreaterThan(0);
      expect(result.states.runs).toBeGreaterThan(10);
      expect(result.states.died).toBeGreaterThan(0);
    },
    TIME_MS_MAX,
  );

  it(
    'without any fault, and states are applied and brought back',
    async () => {
      const { states } = await expectHeld({ seed: 5, kinds: [], jobsPerMinute: 12 });
      expect(states.runs).toBeGreaterThan(30);
      expect(states.restored).toBeGreaterThan(5);
    },
    TIME_MS_MAX,
  );

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
