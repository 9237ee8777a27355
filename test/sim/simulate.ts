/**
 * `simulate` is one run of the simulator for a test: a failure names the seed and the command that replays it with a
 * timeline.
 */
import { expect } from 'vitest';
import { explainFailure } from '../../src/sim/explain-failure.ts';
import { FAULT_KINDS, type FaultPlan, planFaults } from '../../src/sim/faults/faults.ts';
import { runSim, type SimOptions, type SimResult } from '../../src/sim/run-sim.ts';

export const TIME_MS_MAX = 240_000;
/** Few: what is told late is not told at all, and `zester sim` shrinks further. */
const SHRINK_RUNS = 12;
const base = {
  masters: 3,
  peels: 5,
  minutes: 10,
  kinds: FAULT_KINDS,
  intensity: 2,
  jobsPerMinute: 6,
  editsPerMinute: 3,
  logLevel: 'error' as const,
};

export function simulationOf(given: Partial<FaultPlan & SimOptions>): SimOptions & FaultPlan {
  const options = { ...base, seed: 0, ...given };
  return { ...options, faults: planFaults(options) };
}

export function simulate(given: Partial<FaultPlan & SimOptions>): Promise<SimResult> {
  return runSim(simulationOf(given));
}

/** Fails with the shrunk faults and the command that replays them. */
export async function expectHeld(given: Partial<FaultPlan & SimOptions>): Promise<SimResult> {
  const options = simulationOf(given);
  const result = await runSim(options);
  if (result.violations.length === 0) return result;
  const { masters, peels, minutes, intensity, jobsPerMinute, editsPerMinute, kinds } = options;
  const words =
    ` --masters ${masters} --peels ${peels} --minutes ${minutes} --intensity ${intensity}` +
    ` --jobs-per-minute ${jobsPerMinute} --edits-per-minute ${editsPerMinute} --faults ${kinds.join()}`;
  expect.fail(await explainFailure({ options, result, plan: options.faults, words }, SHRINK_RUNS));
}
