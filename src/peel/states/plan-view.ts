/**
 * Makes the plan of a state, the same way in a dry run and in an apply: locks, guards, plan. What carries the plan out
 * gets it while the locks are held. Nothing in a view can write.
 */
import type { Params, ValuesOf } from '../../core/params/params.ts';
import type { CompiledState } from '../../core/states/compiled-state.ts';
import type { Plan, PlanContext, StateModuleRegistry, Step } from '../../modules/state-contract.ts';
import type { ReadFiles } from '../../system/files.ts';
import { type PathLock, underLocks } from '../../system/path-lock.ts';
import { type Attempt, CUT_BEFORE_ACTING, failedAttempt, type Turn, UNCHANGED } from './attempt.ts';
import { stateErrorText } from './error-text.ts';
import { askGuards, type RunGuard } from './guards.ts';

/** The result of a state that its guards do not want. */
export const GUARD_NOT_MET = 'skipped: guard condition not met';

export interface PlanView {
  readonly modules: StateModuleRegistry;
  readonly files: ReadFiles;
  readonly lock: PathLock;
  readonly runGuard: RunGuard;
  readonly planContext: (state: CompiledState, forced: boolean, files: ReadFiles) => PlanContext;
  readonly signal: AbortSignal;
  /** Told of a state that its guards do not want, while its locks are held. */
  readonly unwanted: (state: CompiledState, turn: Turn) => Promise<void>;
  /** What it means that a guard gave no answer. */
  readonly guardFailed: (error: string) => Attempt;
  /** What it means that a module could not make a plan. */
  readonly planFailed: (error: unknown, turn: Turn) => Attempt;
}

/** Throws only for what is wrong in `carryOut`. */
export async function planUnderLocks(
  state: CompiledState,
  turn: Turn,
  view: PlanView,
  carryOut: (plan: Plan) => Promise<Attempt>,
): Promise<Attempt> {
  const { signal } = view;
  let acting = false;
  try {
    return await underLocks(locksOf(state, view.modules), view.lock, async () => {
      if (signal.aborted) return CUT_BEFORE_ACTING;
      const around = view.modules.get(state.module).guardsRun?.(valuesOf(state)) ?? {};
      const guards = await askGuards(state.attributes, around, view.runGuard, signal);
      if ('error' in guards) return signal.aborted ? CUT_BEFORE_ACTING : view.guardFailed(guards.error);
      if (!guards.wanted) {
        await view.unwanted(state, turn);
        return { ...UNCHANGED, diff: GUARD_NOT_MET };
      }
      const plan = await planState(state, turn, view);
      if ('cut' in plan) return signal.aborted ? CUT_BEFORE_ACTING : plan;
      if (signal.aborted) return CUT_BEFORE_ACTING;
      acting = true;
      return await carryOut(plan);
    });
  } catch (error) {
    if (acting) throw error;
    return failedAttempt(stateErrorText(error));
  }
}

export async function planState(
  state: CompiledState,
  turn: Turn,
  view: Pick<PlanView, 'modules' | 'files' | 'planContext' | 'planFailed'>,
): Promise<Plan | Attempt> {
  try {
    const context = view.planContext(state, turn.forced, view.files);
    return await view.modules.get(state.module).plan(valuesOf(state), context);
  } catch (error) {
    return view.planFailed(error, turn);
  }
}

function locksOf(state: CompiledState, modules: StateModuleRegistry): readonly string[] {
  return modules.get(state.module).locks?.(valuesOf(state)) ?? [];
}

/** The compiler decoded them by the parameters of this very module. */
function valuesOf({ values }: CompiledState): ValuesOf<Params> {
  return values as ValuesOf<Params>;
}

/** What steps will be reported as, before any of them is carried out. */
export function foreseeSteps(steps: readonly Step[]): Pick<Attempt, 'changed' | 'inDoubt' | 'opaque'> {
  const acts = steps.filter((step) => step.kind === 'act');
  const certain = acts.length < steps.length || acts.some(({ predicts }) => predicts === 'change');
  const perhaps = acts.some(({ predicts }) => predicts === 'unknown');
  return {
    changed: certain || perhaps,
    // What is not known of a program includes whether it fails.
    inDoubt: perhaps,
    opaque: acts.some(({ opaque }) => opaque),
  };
}
