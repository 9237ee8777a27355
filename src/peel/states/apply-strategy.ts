/**
 * The strategy of an apply: makes the plan of a state and carries it out, step after step. Each file step is in the undo
 * journal before it happens, and so is each program that may change something.
 *
 * If the peel dies between the two, the journal has a step that did not happen, which a revert finds to be as it was. If it
 * dies in the middle of a plan, the next apply plans what is still missing. The same state a second time plans nothing.
 */
import type { CompiledState, StateName } from '../../core/states/compiled-state.ts';
import { buildsOn } from '../../core/states/graph/graph-edges.ts';
import { EXECUTION_CANCELED } from '../../modules/run-function.ts';
import type { ActContext, ActOutcome, ActStep, Plan, Step } from '../../modules/state-contract.ts';
import { performFileStep } from '../../system/file-steps.ts';
import { readOnly } from '../../system/system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { Foundations, UndoRecord } from '../undo/undo-journal.ts';
import { type Attempt, failedAttempt, NEVER_IN_DOUBT, type Strategy, UNCHANGED } from './attempt.ts';
import { stateErrorText } from './error-text.ts';
import { guardRunner } from './guards.ts';
import { foreseeSteps, type PlanView, planUnderLocks } from './plan-view.ts';
import type { StateRunContext } from './run-states.ts';

/** Of the steps that were done before one failed, in the error. The last ones tell most. */
const DONE_TOLD_MAX = 5;

/** `states`: all of the run, as the rules see them. */
export function applyStrategy(context: StateRunContext, states: readonly CompiledState[]): Strategy {
  const { system, modules, planContext, signal, journal, run } = context;
  const foundations = newFoundations(states);
  const view: PlanView = {
    modules,
    files: readOnly(system).files,
    lock: system.files.lock,
    runGuard: guardRunner(system.processes),
    planContext,
    signal,
    unwanted: async () => undefined,
    guardFailed: failedAttempt,
    planFailed: (error) => failedAttempt(stateErrorText(error)),
  };
  return {
    retries: true,
    begin: (state) => {
      // One for all attempts: what was there before the first one is what a revert restores.
      let opened: UndoRecord | undefined;
      const record = () => (opened ??= journal.open(state.name, run, () => foundations(state.name)));
      return (turn) => planUnderLocks(state, turn, view, (plan) => performPlan(plan, record, context));
    },
    suppose: NEVER_IN_DOUBT,
    foresee: (state, turn) =>
      planUnderLocks(state, turn, view, async ({ steps }) => ({
        ...UNCHANGED,
        changed: foreseeSteps(steps).changed,
      })),
  };
}

/** What a state builds on, near and far, for the journal: each link once in a run. */
function newFoundations(states: readonly CompiledState[]): (name: StateName) => Foundations {
  const byName = new Map(states.map((state) => [state.name, state]));
  const told = new Set<StateName>();
  return (name) => {
    const links: [StateName, readonly StateName[]][] = [];
    const toVisit = [name];
    for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
      const state = told.has(next) ? undefined : byName.get(next);
      if (state === undefined) continue;
      told.add(next);
      const bases = buildsOn(state);
      if (bases.length > 0) links.push([next, bases]);
      toVisit.push(...bases);
    }
    return links;
  };
}

type OpenRecord = () => UndoRecord;

async function performPlan(plan: Plan, record: OpenRecord, context: StateRunContext): Promise<Attempt> {
  const done: string[] = [];
  let changed = false;
  let details = { ...plan.details };
  let data: WireMap = {};
  for (const step of plan.steps) {
    const outcome = await performStep(step, record, context);
    changed ||= outcome.changed;
    details = { ...details, ...outcome.details };
    data = { ...data, ...outcome.data };
    if (outcome.error === undefined) {
      done.push(stepText(step));
      continue;
    }
    const cut = context.signal.aborted;
    const error = `${cut ? EXECUTION_CANCELED : outcome.error}${toldDone(done)}`;
    return { ...UNCHANGED, changed, details, data, error, cut: cut ? 'while acting' : undefined };
  }
  return { ...UNCHANGED, changed, details, data, diff: changed ? plan.diff : '' };
}

async function performStep(step: Step, record: OpenRecord, context: StateRunContext): Promise<ActOutcome> {
  if (context.signal.aborted) return { changed: false, error: EXECUTION_CANCELED };
  try {
    if (step.kind === 'act') return await performAct(step, record, context.actContext);
    await record().before(step);
    await performFileStep(context.system.files, step, context.clock.nowMs());
    return { changed: true };
  } catch (error) {
    return { changed: false, error: stateErrorText(error) };
  }
}

async function performAct(step: ActStep, record: OpenRecord, context: ActContext): Promise<ActOutcome> {
  if (step.predicts === 'no change') return step.run(context);
  await record().cannotUndo(step.what);
  return step.run(context);
}

/** For the error of a state that failed half way: what is no longer as it was. */
export function toldDone(done: readonly string[]): string {
  if (done.length === 0) return '';
  const told = done.slice(-DONE_TOLD_MAX);
  const more = done.length - told.length;
  return `; already done: ${more > 0 ? `${more} other steps, ` : ''}${told.join(', ')}`;
}

export function stepText(step: Step): string {
  return step.kind === 'act' ? step.what : `${step.kind} ${step.path}`;
}
