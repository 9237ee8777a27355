/**
 * Runs states: level after level, the states of a level side by side. What is decided is decided in core/states (graph,
 * run-rules); what is done is done by the hands of the mode. In between there is only this.
 *
 *   apply    plan and carry out
 *   check    plan, on a view of what would be done already
 *
 * A cancel, or the deadline of the request, comes as the signal: states that have not begun are skipped without a reason,
 * one that is at work ends at its next step. A failure of a state with `failhard` skips all later levels.
 *
 * Who dies here: nothing is written but by the hands, which say what that means. The same run twice finds nothing to do.
 */
import { assert } from '../../core/assert.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import { withPrereqsRequired } from '../../core/states/graph/graph-edges.ts';
import { type RunOutcome, summarize } from '../../core/states/run-summary.ts';
import { readOnly } from '../../system/system.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import type { Hands } from './attempt.ts';
import { guardRunner } from './guards.ts';
import { type ApplyParts, applyHands } from './apply-strategy.ts';
import { checkHands } from './check-strategy.ts';
import { StateRun } from './state-runner.ts';

export type RunMode = 'apply' | 'check';

export interface RunOptions extends Omit<ApplyParts, 'states'> {
  readonly mode: RunMode;
  /** Told each result as soon as it is there: inside a level in any order. */
  readonly onResult?: (result: StateResult) => void;
}

/** The states have a graph without problems: who compiled them has looked. */
export async function runStates(states: readonly CompiledState[], options: RunOptions): Promise<RunOutcome> {
  const { clock, signal, onResult = () => undefined } = options;
  const { levels, problems } = stateGraph(states);
  assert(problems.length === 0, `states with problems cannot run: ${problems[0]?.message}`);
  const linked = withPrereqsRequired(states);
  const run = new StateRun({ states: linked, hands: handsFor(options, linked), clock, signal, onResult });
  for (const level of levels) await run.level(level);
  return summarize(run.results, run.canceled);
}

function handsFor(options: RunOptions, states: readonly CompiledState[]): Hands {
  const { mode, modules, planContext, signal, clock, system } = options;
  if (mode === 'apply') return applyHands({ ...options, states });
  const runGuard = guardRunner(system.processes);
  return checkHands({ modules, planContext, signal, clock, system: readOnly(system), runGuard });
}
