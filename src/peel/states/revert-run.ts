/**
 * Reverts a run: undoes what the journal says an apply did (decisions 18 and 52). Nothing is compiled, no module takes
 * part, and no guard: what was done is undone, wanted or not. Each record gives one result, and one that is left alone
 * says why; so does a name that was asked for and is not on record. If the peel dies in the middle, or is asked twice,
 * the journal knows which states are done.
 *
 * States are undone one by one, in the opposite order: two may have made the same directory, and only the last one to
 * leave finds it empty. States that worked side by side may be in each other's way in this order too, so what could not
 * be undone is tried once more when the others are done. What could not be undone keeps what it stands on: nobody pulls
 * the foundation away from under a file that stays.
 *
 * A dry run looks at the machine as the reverts before would leave it, as every dry run does.
 */

import type { StateName } from '../../core/states/compiled-state.ts';
import { chooseStates, foundationsBelow, type RunOnRecord } from '../../core/states/revert-choice.ts';
import type { SkipReason } from '../../core/states/run-rules.ts';
import type { StateRunOutcome } from '../../modules/state/state-access.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { PlannedFiles } from '../../system/planned-files.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { type StateResult, stateResultCodec } from '../../wire/records/exec.ts';
import type { UndoJournal } from '../undo/undo-journal.ts';
import { stateErrorText } from './error-text.ts';

/** The error of a state of which something stays; its detail `kept` has what, and why. */
export const NOT_ALL_UNDONE = 'not all of it can be undone';

export interface RevertContext {
  readonly journal: UndoJournal;
  /** The job that asks. */
  readonly by: string;
  /** Of a dry run: tell what would be restored, here and nowhere else. */
  readonly view: PlannedFiles | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** `names` narrow it; none: all of the run. */
export async function revertRun(
  run: RunOnRecord,
  names: readonly string[],
  parts: RevertContext,
): Promise<StateRunOutcome> {
  const { states, unknown } = chooseStates(run, names);
  const results = new Map<StateName, StateResult>(states.map(({ name }) => [name, notRun(name)]));
  let toDo = states.map(({ name }) => name);
  let canceled = false;
  for (const isLastTry of [false, true]) {
    /** What something stands on that could not be undone, and what that is. */
    const needed = new Map<StateName, StateName>();
    const left: StateName[] = [];
    for (const name of toDo) {
      canceled ||= parts.signal.aborted;
      if (canceled) break;
      const because = needed.get(name);
      const before = results.get(name);
      const { result, isLeft, isConflict } =
        because === undefined ? await revertState(run.jid, name, isLastTry, parts) : keptFor(name, because);
      if (isConflict) for (const base of foundationsBelow(name, run)) needed.set(base, because ?? name);
      if (isLeft) left.push(name);
      results.set(name, before?.changed === true ? joined(before, result) : result);
    }
    toDo = left;
  }
  return {
    results: [...results.values(), ...unknown.map(({ name, why }) => ({ ...plain(name), error: why }))],
    canceled,
  };
}

interface Tried {
  readonly result: StateResult;
  /** Another try may get further. */
  readonly isLeft: boolean;
  /** The state stays, and with it what it stands on. */
  readonly isConflict: boolean;
}

async function revertState(
  jid: string,
  state: StateName,
  isLastTry: boolean,
  { journal, by, view, clock }: RevertContext,
): Promise<Tried> {
  const startedMs = clock.monotonicMs();
  const took = () => nanosFromMs(clock.monotonicMs() - startedMs);
  try {
    const { end, changed, diff, kept, error } = await journal.revert({ jid, state }, { by, isLastTry, view });
    const details = kept.length === 0 ? {} : { kept: kept.join('\n') };
    const incomplete = kept.length === 0 || end === 'was reverted' ? '' : NOT_ALL_UNDONE;
    const told = { changed, diff, details, duration: took(), error: error ?? incomplete };
    return { result: { ...plain(state), ...told }, isLeft: end === 'left', isConflict: error !== undefined };
  } catch (error) {
    const result = { ...plain(state), duration: took(), error: stateErrorText(error) };
    return { result, isLeft: true, isConflict: true };
  }
}

function joined(first: StateResult, second: StateResult): StateResult {
  const diff = [first.diff, second.changed ? second.diff : ''].filter((text) => text !== '').join('\n');
  return { ...second, changed: true, diff, duration: first.duration + second.duration };
}

function keptFor(name: StateName, because: StateName): Tried {
  const skipReason: SkipReason = 'dependent_not_reverted';
  const result = { ...notRun(name), skipReason, details: { because } };
  return { result, isLeft: true, isConflict: true };
}

function notRun(name: StateName): StateResult {
  return { ...plain(name), skipped: true };
}

/** The journal knows the name of a state and not the line that it stands in: that may be gone. */
function plain(name: StateName): StateResult {
  return stateResultCodec.create({ name });
}
