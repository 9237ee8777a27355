/**
 * This is the undo journal as runs of states see it (decisions 18 and 52). Before a step changes anything, what was
 * there is written down and synced; a revert restores it, and only where the machine is still as the step left it.
 *
 * If the peel dies right after `before`, the record says what was to happen; a revert finds the old state or the new
 * and copes with both. If it dies before that, nothing has happened. A second `before` for the same step finds the same
 * pre-image. If it dies in a revert, what is restored is found restored by the next one.
 */
import type { StateName } from '../../core/states/compiled-state.ts';
import type { RunOnRecord } from '../../core/states/revert-choice.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { PlannedFiles } from '../../system/planned-files.ts';

export interface UndoJournal {
  /**
   * The record of one state in one run. Nothing is written until there is something to write; then `foundations` is
   * asked what the state builds on, and what that builds on, as far as the journal has not been told for this run.
   */
  open(state: StateName, run: UndoRun, foundations: () => Foundations): UndoRecord;
  /** Oldest first. Throws when a record cannot be read. */
  runs(): Promise<readonly RunOnRecord[]>;
  /** Throws when a record that is younger than the run, or all there is, cannot be read. */
  lastRun(): Promise<RunOnRecord | undefined>;
  run(jid: string): Promise<RunOnRecord | undefined>;
  /** Runs that began until then were forgotten for want of room; undefined: none was. */
  forgottenUntilMs(): Promise<number | undefined>;
  /** Undoes what the run changed for the state, which it has on record. Throws only when the journal cannot be read. */
  revert(
    of: { readonly jid: string; readonly state: StateName },
    options: RevertOptions,
  ): Promise<RevertOutcome>;
}

export interface RevertOptions {
  /** The job that asks, for the note that it was reverted. */
  readonly by: string;
  /** There is no later try: what cannot be undone now stays, and is noted as such. */
  readonly isLastTry: boolean;
  /** Changes nothing and tells what it would do, on the machine as the reverts before this one would leave it. */
  readonly view: PlannedFiles | undefined;
}

export interface UndoRun {
  /** Of the job; results and messages name it. */
  readonly jid: string;
  readonly atMs: number;
}

/** For each state the names of those it builds on. */
export type Foundations = readonly (readonly [state: StateName, buildsOn: readonly StateName[]])[];

export interface UndoRecord {
  /** Durable when it returns: the step may now be carried out. */
  before(step: FileStep): Promise<void>;
  /** Something was done that nobody can undo: a program that ran. */
  cannotUndo(what: string): Promise<void>;
}

export interface RevertOutcome {
  /** `left`: nothing is noted, another try may get further. */
  readonly end: 'reverted' | 'was reverted' | 'left';
  /** Something was restored, or would be. */
  readonly changed: boolean;
  /** What was restored, one line each; or why there was nothing to restore. */
  readonly diff: string;
  /** What could not be undone and why, one line each. Empty when everything was. */
  readonly kept: readonly string[];
  /** Why not all was restored although there is a record; mostly that the resource is not what apply left. */
  readonly error: string | undefined;
}
