/**
 * Whether a revert brought back what was there before, or said why not; and left alone what is not as the run left it.
 */
import type { StateResult } from '../wire/exec.ts';
import type { ImageSets } from './image-sets.ts';
import { type Ledger, pathsOf, type RunEnd, type RunToJudge } from './judge-apply.ts';
import type { DeclaredState } from './sim-states.ts';
import { type Image, UNFINISHED } from './site-tree.ts';
import type { Undo } from './undo-stacks.ts';

export interface RevertLedger extends Ledger {
  /** All that was ever at each path. */
  readonly ever: ImageSets;
}

export interface RevertVerdict {
  readonly problems: readonly string[];
  /** States that were brought back. */
  readonly restored: number;
}

/** The results come in the opposite order. */
export function judgeRevert({ states }: RunToJudge, end: RunEnd, ledger: RevertLedger): RevertVerdict {
  let restored = 0;
  const problems = [...states].reverse().flatMap((state, i) => {
    const row = end.results[i];
    if (row === undefined || row.skipped) return [];
    if (!row.changed && row.error === '' && row.diff === '' && row.details.kept === undefined)
      return [`${state.name} was not reverted, and nothing says why`];
    const undo = ledger.undo.top(state.name);
    if (undo === undefined) return row.changed ? [`${state.name} was reverted, and had changed nothing`] : [];
    if (undo === 'unknown') {
      maybe(state, ledger);
      return [];
    }
    if (row.error !== '' || row.details.kept !== undefined) return refused(state, undo, row, end, ledger);
    const problem = strangers(undo, ledger.expected).map(
      (path) => `${state.name} was reverted over ${path}, which somebody else had changed`,
    );
    if (problem.length > 0) return problem;
    for (const [path, { before }] of undo) {
      ledger.expected.set(path, [before]);
      ledger.possible.set(path, [before]);
    }
    ledger.undo.pop(state.name);
    if (row.changed) restored += 1;
    return [];
  });
  return { problems, restored };
}

function refused(
  state: DeclaredState,
  undo: Undo,
  row: StateResult,
  end: RunEnd,
  ledger: RevertLedger,
): string[] {
  const { expected, possible } = ledger;
  const asLeft = [...undo].every(([path, { after }]) => expected.known(path) === after);
  if (asLeft && row.error !== '' && end.isDiskWell && !end.isCut)
    return [`${state.name} could not be reverted although nothing had changed: ${row.error}`];
  // Where somebody else was at work, nothing of the state is touched.
  if (strangers(undo, expected).length === 0)
    for (const [path, { before }] of undo) {
      expected.add(path, [before, ...onTheWay(before)]);
      possible.add(path, [before, ...onTheWay(before)]);
    }
  if (row.error !== '') ledger.undo.doubt(state.name);
  return [];
}

function maybe(state: DeclaredState, { expected, possible, ever }: RevertLedger): void {
  for (const path of pathsOf(state, ever)) {
    expected.add(path, ever.at(path));
    possible.add(path, ever.at(path));
  }
}

function onTheWay(image: Image): Image[] {
  return image.startsWith('directory') ? [UNFINISHED] : [];
}

/** Paths that are for certain neither as before nor as the run left them. */
function strangers(undo: Undo, expected: ImageSets): string[] {
  return [...undo].flatMap(([path, { before, after }]) => {
    const now = expected.known(path);
    return now === undefined || now === before || now === after || now === UNFINISHED ? [] : [path];
  });
}
