/** `judgeApply` checks whether an apply, or its dry run, said what is true: state by state, from what was there before. */
import type { StateResult } from '../../wire/records/exec.ts';
import type { ImageSets } from './image-sets.ts';
import type { DeclaredState, Given } from './sim-states.ts';
import type { Undo, UndoRuns } from './undo-runs.ts';

export interface RunToJudge {
  readonly states: readonly DeclaredState[];
  readonly given: Given;
  readonly isDry: boolean;
}

export interface RunEnd {
  readonly results: readonly StateResult[];
  readonly error: string | undefined;
  /** A cancel or the deadline came. */
  readonly isCut: boolean;
  /** No disk fault since it began. */
  readonly isDiskWell: boolean;
  /** The published files may have had a mistake, or a secret may not have come yet. */
  readonly mayNotCompile: boolean;
}

export interface Ledger {
  /** Number of the run. */
  readonly run: number;
  /** What must be there after the run: at first what was there before. */
  readonly expected: ImageSets;
  /** What may be there after it, also when the power fails then. */
  readonly possible: ImageSets;
  readonly undo: UndoRuns;
}

/** Moves the ledger on. The problem of each state whose result is not true. */
export function judgeApply({ states, given, isDry }: RunToJudge, end: RunEnd, ledger: Ledger): string[] {
  const undisturbed = end.isDiskWell && !end.isCut;
  return states.flatMap((state, i) => {
    const row = end.results[i];
    if (row === undefined) return [];
    if (row.skipped)
      return undisturbed && !state.isBlocked && !state.mayBeSkipped ? [`${state.name} was skipped`] : [];
    if (state.isBlocked) return [`${state.name} was not skipped`];
    if (row.error !== '') {
      if (!isDry) attempted(state, given, ledger);
      return undisturbed && !state.fails ? [`${state.name} failed: ${row.error}`] : [];
    }
    if (state.fails) return [`${state.name} succeeded`];
    return held(state, given, row, isDry, ledger);
  });
}

function held(
  state: DeclaredState,
  given: Given,
  row: StateResult,
  isDry: boolean,
  ledger: Ledger,
): string[] {
  const { run, expected, possible, undo } = ledger;
  const changes: Map<string, { before: string; after: string }> = new Map();
  for (const path of pathsOf(state, expected)) {
    const before = expected.known(path);
    if (before === undefined) {
      // An earlier state of the run failed at it.
      attempted(state, given, ledger);
      return [];
    }
    const after = state.next(before, given);
    if (after !== before) changes.set(path, { before, after });
    expected.set(path, [after]);
    if (after !== before && !isDry) possible.set(path, [after]);
  }
  if (changes.size > 0 && !isDry) undo.note(state.name, run, changes satisfies Undo);
  if (row.changed === changes.size > 0) return [];
  return [
    `${state.name} says ${row.changed ? 'changed' : 'no change'}, and ${changes.size} paths are others`,
  ];
}

/** It may have come to its end, to nothing, or somewhere between. */
function attempted(state: DeclaredState, given: Given, { run, expected, possible, undo }: Ledger): void {
  for (const path of pathsOf(state, expected)) expected.add(path, outcomes(state, given, expected, path));
  for (const path of pathsOf(state, possible)) possible.add(path, outcomes(state, given, possible, path));
  if (state.path !== undefined) undo.note(state.name, run, 'unknown');
}

/** What a state may leave at a path, as far as one knows what is there. */
export function outcomes(state: DeclaredState, given: Given, sets: ImageSets, path: string): string[] {
  const afters = [...sets.at(path)].map((before) => state.next(before, given));
  return state.between === undefined ? afters : [...afters, state.between];
}

export function pathsOf({ path, isDeep = false }: DeclaredState, sets: ImageSets): readonly string[] {
  return path === undefined ? [] : sets.paths(path, isDeep);
}
