/**
 * The undo journal as the runner sees it (decision 18). Before a step changes anything, what was there is written down and
 * synced; a revert restores it, and only where the machine is still as the step left it.
 *
 * Who dies right after `before`: the record says what was to happen; a revert finds the old state or the new and copes
 * with both. Who dies before it: nothing has happened. A second `before` for the same step finds the same pre-image.
 */
import type { StateName } from '../../core/states/compiled-state.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { PlannedFiles } from '../../system/planned-files.ts';

export interface UndoJournal {
  /** The record of one state in one run. Nothing is written until there is something to write. */
  open(state: StateName, run: UndoRun): UndoRecord;
  /**
   * The latest run that changed something for one of the states and is not undone. A run that only ran programs counts when
   * there is no other.
   */
  latestRun(states: readonly StateName[]): Promise<UndoRun | undefined>;
  /** Undoes what the run changed for the state. Throws only when the journal cannot be read. */
  revert(state: StateName, options: RevertOptions): Promise<RevertOutcome>;
}

export interface RevertOptions {
  /** The run that is undone. Default: the latest that changed something for the state. */
  readonly jid?: string;
  /** Changes nothing and tells what it would do. */
  readonly dryRun: boolean;
  /** Of a dry run over several states: the machine as the reverts before this one would leave it. Default: as it is. */
  readonly view?: PlannedFiles;
}

export interface UndoRun {
  /** Of the job; results and messages name it. */
  readonly jid: string;
  readonly atMs: number;
}

export interface UndoRecord {
  /** Durable when it returns: the step may now be carried out. */
  before(step: FileStep): Promise<void>;
  /** Something was done that nobody can undo: a program that ran. */
  cannotUndo(what: string): Promise<void>;
}

export interface RevertOutcome {
  /** Something was restored, or would be. */
  readonly changed: boolean;
  /** What was restored, one line each; or why there was nothing to restore. */
  readonly diff: string;
  /** What could not be undone and why, one line each. Empty when everything was. */
  readonly kept: readonly string[];
  /** Why not everything was restored although there is a record; mostly that the resource is not what apply left. */
  readonly error: string | undefined;
}
