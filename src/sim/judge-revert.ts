/**
 * Whether a revert brought back what was there before, or said why not; and left alone what is not as the run left it.
 */
import type { StateResult } from '../wire/exec.ts';
import type { ImageSets } from './image-sets.ts';
import { type Ledger, pathsOf, type RunEnd, type RunToJudge } from './judge-apply.ts';
import type { DeclaredState } from './sim-states.ts';
import { type Image, UNFINISHED } from './site-tree.ts';
import type { Undo, UndoStacks } from './undo-stacks.ts';

export interface RevertLedger extends Ledger {
  /** All that was ever at each path. */
  readonly ever: ImageSets;
}

export interface RevertVerdict {
  readonly problems: readonly string[];
  /** States that were brought back. */
  readonly restored: number;
}

interface RowVerdict {
  readonly problem?: string;
  readonly isRestored?: boolean;
}

const FINE: RowVerdict = {};

/** The results come in the opposite order. */
export function judgeRevert({ states }: RunToJudge, end: RunEnd, ledger: RevertLedger): RevertVerdict {
  const target = ledger.undo.latest(states.map(({ name }) => name));
  const judged = [...states]
    .reverse()
    .map((state, i) => judgeRow(state, end.results[i], target, end, ledger));
  if (target === 'unknown') for (const { name } of states) ledger.undo.doubtAll(name, ledger.run);
  return {
    problems: judged.flatMap(({ problem }) => problem ?? []),
    restored: judged.filter(({ isRestored }) => isRestored).length,
  };
}

function judgeRow(
  state: DeclaredState,
  row: StateResult | undefined,
  target: ReturnType<UndoStacks['latest']>,
  end: RunEnd,
  ledger: RevertLedger,
): RowVerdict {
  if (row === undefined || row.skipped) return FINE;
  if (!row.changed && row.error === '' && row.diff === '' && row.details.kept === undefined)
    return { problem: `${state.name} was not reverted, and nothing says why` };
  const undo = typeof target === 'object' ? target.of(state.name) : target;
  if (undo === undefined)
    return row.changed ? { problem: `${state.name} was reverted, and had changed nothing` } : FINE;
  if (undo === 'unknown' || typeof target !== 'object') {
    maybe(state, ledger);
    return FINE;
  }
  const isTouched = strangers(undo, ledger.expected);
  if (row.error !== '') {
    ledger.undo.doubt(state.name, target.run);
    return refused(state, undo, row, end, ledger);
  }
  if (isTouched.length > 0)
    return {
      problem: `${state.name} was reverted over ${isTouched.join()}, which somebody else had changed`,
    };
  for (const [path, { before }] of undo) {
    // A directory that holds what others put there stays.
    const images = row.details.kept === undefined ? [before] : [before, ...ledger.expected.at(path)];
    ledger.expected.set(path, images);
    ledger.possible.set(path, images);
  }
  ledger.undo.pop(state.name, target.run);
  return { isRestored: row.changed };
}

function refused(
  state: DeclaredState,
  undo: Undo,
  row: StateResult,
  end: RunEnd,
  { expected, possible }: RevertLedger,
): RowVerdict {
  const asLeft = [...undo].every(([path, { after }]) => expected.known(path) === after);
  if (asLeft && end.isDiskWell && !end.isCut)
    return { problem: `${state.name} could not be reverted although nothing had changed: ${row.error}` };
  // Where somebody else was at work, nothing of the state is touched.
  if (strangers(undo, expected).length > 0) return FINE;
  for (const [path, { before }] of undo) {
    expected.add(path, [before, ...onTheWay(before)]);
    possible.add(path, [before, ...onTheWay(before)]);
  }
  return FINE;
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
