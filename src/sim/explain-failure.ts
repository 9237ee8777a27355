/**
 * `explainFailure` tells a failure as a person needs it: what broke, the few faults that are enough, and the command
 * that shows it again.
 */
import type { PlannedFault } from './faults/faults.ts';
import { shrink } from './faults/shrink.ts';
import { runSim, type SimOptions, type SimResult } from './run-sim.ts';
import { failureText } from './sim-report.ts';

/** A run that fails ends at the violation, so most of these are short. */
export const SHRINK_RUNS_MAX = 120;

export interface Failure {
  /** As the run was, with the faults that it had. */
  readonly options: SimOptions;
  readonly result: SimResult;
  /** All faults of the seed; those of a run are called by their number in it. */
  readonly plan: readonly PlannedFault[];
  /** The words besides the seed that make the same plan. */
  readonly words: string;
}

export async function explainFailure(
  { options, result, plan, words }: Failure,
  runsMax = SHRINK_RUNS_MAX,
): Promise<string> {
  const [violation] = result.violations;
  const brokenMs = violation?.atMs ?? Number.POSITIVE_INFINITY;
  const numbers = options.faults.filter(({ atMs }) => atMs <= brokenMs).map((fault) => plan.indexOf(fault));
  const fails = async (shorter: readonly number[]) => {
    const faults = shorter.map((number) => plan[number] as PlannedFault);
    const again = await runSim({ ...options, faults, logLevel: 'error' });
    return again.violations.some(({ rule }) => rule === violation?.rule);
  };
  return failureText(words, result, plan, await shrink(numbers, fails, runsMax));
}
