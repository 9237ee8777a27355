/**
 * Runs states: level after level, the states of a level side by side. What is decided is decided in core/states (graph,
 * run-rules), what is done is done by the strategy of the mode:
 *
 *   apply    plans and carries out (apply-strategy.ts)
 *   check    plans, on a view of what would be done already (check-strategy.ts)
 *
 * A cancel, or the deadline of the request, comes as the signal: states that have not begun are skipped without a reason,
 * one that is at work ends at its next step. A failure of a state with `failhard` skips all later levels.
 *
 * If the peel dies here, nothing has been written by this file; the strategies say what it means for what they had begun.
 * The same run twice finds nothing to do.
 */
import { assert } from '../../core/assert.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import { stateGraph } from '../../core/states/graph/graph.ts';
import { withPrereqsRequired } from '../../core/states/graph/graph-edges.ts';
import { type RunOutcome, summarize } from '../../core/states/run-summary.ts';
import type { ActContext } from '../../modules/state-contract.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { readOnly, type System } from '../../system/system.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import type { UndoJournal, UndoRun } from '../undo/undo-journal.ts';
import { applyStrategy } from './apply-strategy.ts';
import type { Strategy } from './attempt.ts';
import { checkStrategy } from './check-strategy.ts';
import { guardRunner } from './guards.ts';
import type { PlanView } from './plan-view.ts';
import { StateRunner } from './state-runner.ts';

export type RunMode = 'apply' | 'check';

/** What one run of states works with. */
export interface StateRunContext extends Pick<PlanView, 'modules' | 'planContext' | 'signal'> {
  readonly mode: RunMode;
  readonly system: System;
  readonly journal: Pick<UndoJournal, 'open'>;
  readonly run: UndoRun;
  readonly actContext: ActContext;
  readonly clock: Clock;
  /** For the splay of a retry. */
  readonly random: Pick<Random, 'fraction'>;
  /** Told each result as soon as it is there: inside a level in any order. */
  readonly onResult?: (result: StateResult) => void;
}

/** The states have a graph without problems: who compiled them has looked. */
export async function runStates(
  states: readonly CompiledState[],
  context: StateRunContext,
): Promise<RunOutcome> {
  const { levels, problems } = stateGraph(states);
  assert(problems.length === 0, `states with problems cannot run: ${problems[0]?.message}`);
  const linked = withPrereqsRequired(states);
  const runner = new StateRunner(context, linked, strategyFor(context, linked));
  for (const level of levels) await runner.level(level);
  return summarize(runner.results, runner.canceled);
}

function strategyFor(context: StateRunContext, states: readonly CompiledState[]): Strategy {
  const { mode, modules, planContext, signal, clock, system } = context;
  if (mode === 'apply') return applyStrategy(context, states);
  const runGuard = guardRunner(system.processes);
  return checkStrategy({ modules, planContext, signal, clock, system: readOnly(system), runGuard });
}
