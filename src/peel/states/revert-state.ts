/**
 * Revert: undoes what the journal says an apply did to a state (decision 18). No module takes part, and no guard: what was
 * done is undone, wanted or not. The journal copes with a death in the middle and with being asked twice.
 *
 * States are undone one by one: two of a level may have made the same directory, and only the last one to leave finds it
 * empty. A dry run looks at the machine as the reverts before would leave it, as every dry run does.
 */
import type { StateName } from '../../core/states/compiled-state.ts';
import type { StateModuleRegistry } from '../../modules/state-contract.ts';
import type { PlannedFiles } from '../../system/planned-files.ts';
import type { UndoJournal, UndoRun } from '../undo/undo-journal.ts';
import { failedAttempt, type Hands, NEVER_IN_DOUBT, NO_CHANGE } from './attempt.ts';
import { errorText } from './error-text.ts';
import { type LockPath, locksOf, underLocks } from './plan-view.ts';

export interface RevertParts {
  readonly journal: UndoJournal;
  readonly modules: StateModuleRegistry;
  readonly lock: LockPath;
  /** Of a dry run: tell what would be restored, here and nowhere else. */
  readonly view: PlannedFiles | undefined;
  /** All that may be reverted: one run is undone, the latest that changed one of them. */
  readonly states: readonly StateName[];
}

export function revertHands({ journal, modules, lock, view, states }: RevertParts): Hands {
  const options = view === undefined ? { dryRun: false } : { dryRun: true, view };
  let run: Promise<UndoRun | undefined> | undefined;
  const revert = async (state: StateName) => {
    run ??= journal.latestRun(states);
    const jid = (await run)?.jid;
    return journal.revert(state, jid === undefined ? options : { ...options, jid });
  };
  return {
    retries: !options.dryRun,
    oneByOne: true,
    begin: (state) => async () => {
      try {
        const { changed, diff, kept, error } = await underLocks(locksOf(state, modules), lock, () =>
          revert(state.name),
        );
        const details = kept.length === 0 ? {} : { kept: kept.join('\n') };
        return { ...NO_CHANGE, changed, diff, details, error };
      } catch (error) {
        return failedAttempt(errorText(error));
      }
    },
    suppose: NEVER_IN_DOUBT,
    // A prereq has no meaning backwards; nobody asks.
    foresee: async () => NO_CHANGE,
  };
}
