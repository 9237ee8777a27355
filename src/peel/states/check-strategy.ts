/**
 * The strategy of a dry run (mode `check`): makes the plan of a state on a view of the files in which the steps of the states before it are done, and
 * remembers its steps for the states after it. So what it says of a state is what an apply will report, as far as that
 * can be known.
 *
 * It cannot be known where a guard looks at a machine that is going to be different by then, and where a plan looked at
 * what such a state may or may not change: then the prediction is marked `unknown`. After a program that may change files
 * anything may be different; a plan that fails then is a change that nobody can describe, not a failure.
 *
 * There is nothing in here that writes: guards are the only programs that run (decision 19).
 */
import { type CompiledState, NO_ATTRIBUTES } from '../../core/states/compiled-state.ts';
import { NOTHING_TO_DO, type Plan, type Step } from '../../modules/state-contract.ts';
import { pathLock } from '../../system/path-lock.ts';
import { type PlannedFiles, plannedFiles } from '../../system/planned-files.ts';
import type { ReadSystem } from '../../system/system.ts';
import { stepText, toldDone } from './apply-strategy.ts';
import { type Attempt, failedAttempt, type Strategy, type Turn, UNCHANGED } from './attempt.ts';
import { DoubtfulPaths } from './doubtful-paths.ts';
import { stateErrorText } from './error-text.ts';
import { isGuarded, type RunGuard } from './guards.ts';
import { foreseeSteps, type PlanView, planState, planUnderLocks } from './plan-view.ts';
import type { StateRunContext } from './run-states.ts';

/** What a dry run gets of the context of its run: nothing that writes, and of programs the guards alone. */
export interface CheckContext extends Pick<StateRunContext, 'modules' | 'planContext' | 'signal' | 'clock'> {
  readonly system: ReadSystem;
  readonly runGuard: RunGuard;
}

export function checkStrategy(context: CheckContext): Strategy {
  const { clock, system, ...view } = context;
  // Modules get the view alone.
  const { plan: remember, ...files } = plannedFiles({ base: system.files, clock });
  const doubtful = new DoubtfulPaths();
  // The view is shared by the states of a level as the disk is in an apply, and so needs the same locks.
  const lock = pathLock();

  /** `carryOut` learns whether the plan rests on a guess. */
  async function look(
    state: CompiledState,
    turn: Turn,
    carryOut: (plan: Plan, guessed: boolean) => Promise<Attempt>,
  ): Promise<Attempt> {
    const { before } = turn;
    const watched = doubtful.watch(files);
    const guards = isGuarded(state.attributes) && (before.changes || before.opaque);
    const guessed = () => guards || watched.sawDoubt();
    const planned: PlanView = {
      ...view,
      files: watched.files,
      lock,
      // It may be wanted by then. What it would touch is in doubt from now on.
      unwanted: async () => {
        const plan = guards ? await planState(state, turn, planned) : NOTHING_TO_DO;
        if ('steps' in plan) doubtful.add(pathsOf(plan.steps));
      },
      // Its directory or its user may be there by then.
      guardFailed: (error) => failedPreview(error, before.changes || before.opaque),
      planFailed: (error) => failedPreview(stateErrorText(error), before.opaque || watched.sawDoubt()),
    };
    const attempt = await planUnderLocks(state, turn, planned, (plan) => carryOut(plan, guessed()));
    return guessed() ? { ...attempt, inDoubt: true } : attempt;
  }

  /** Of a state that is skipped and may run after all: what it would touch is in doubt from now on. */
  async function suppose(state: CompiledState, turn: Turn): Promise<void> {
    await look({ ...state, attributes: NO_ATTRIBUTES }, { ...turn, forced: true }, async ({ steps }) => {
      doubtful.add(pathsOf(steps));
      return UNCHANGED;
    });
  }

  async function attemptOf(state: CompiledState, turn: Turn): Promise<Attempt> {
    return look(state, turn, async (plan, guessed) => {
      const preview = await previewPlan(plan, turn, remember);
      if (guessed || turn.guessed || preview.inDoubt) doubtful.add(pathsOf(plan.steps));
      return preview;
    });
  }

  return {
    retries: false,
    begin: (state) => (turn) => attemptOf(state, turn),
    suppose,
    // An apply takes the same "perhaps" of a program for a yes, so that by itself leaves nothing unknown.
    foresee: (state, turn) =>
      look(state, turn, async ({ steps }) => ({ ...UNCHANGED, changed: foreseeSteps(steps).changed })),
  };
}

function pathsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => (step.kind === 'act' ? [] : [step.path]));
}

async function previewPlan(plan: Plan, turn: Turn, remember: PlannedFiles['plan']): Promise<Attempt> {
  const done: Step[] = [];
  const details = { ...plan.details };
  for (const step of plan.steps) {
    try {
      if (step.kind !== 'act') await remember([step]);
      done.push(step);
    } catch (error) {
      const { changed, opaque } = foreseeSteps(done);
      const text = `${stateErrorText(error)}${toldDone(done.map(stepText))}`;
      const failure = failedPreview(text, turn.before.opaque || opaque);
      return { ...failure, changed: failure.changed || changed, details, opaque };
    }
  }
  const foreseen = foreseeSteps(plan.steps);
  return { ...UNCHANGED, ...foreseen, details, diff: foreseen.changed ? plan.diff : '' };
}

function failedPreview(error: string, uncertain: boolean): Attempt {
  if (!uncertain) return failedAttempt(error);
  const diff = `cannot be told before earlier states have run: ${error}`;
  return { ...UNCHANGED, changed: true, diff, inDoubt: true };
}
