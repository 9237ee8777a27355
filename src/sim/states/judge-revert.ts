/**
 * `judgeRevert` checks whether a revert brought back what was there before, or said why not; left alone what is not as
 * the run left it; and passed over nothing that the run had changed.
 */
import { NOT_ALL_UNDONE } from '../../peel/states/revert-run.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import type { ImageSets } from './image-sets.ts';
import { type Ledger, pathsOf, type RunEnd } from './judge-apply.ts';
import { type DeclaredState, declaredState } from './sim-states.ts';
import { type Image, UNFINISHED } from './site-tree.ts';
import { isAllUnknown, type RunToUndo, type Undo } from './undo-runs.ts';

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

/** `jid`: the job that it was asked to undo. */
export function judgeRevert(jid: string | undefined, end: RunEnd, ledger: RevertLedger): RevertVerdict {
  const target = ledger.undo.target(jid);
  const run = typeof target === 'object' ? target : undefined;
  const passedOver = passed(run, end);
  const judged = end.results.map((row) => judgeRow(row, target === 'unknown' ? target : run, end, ledger));
  if (target === 'unknown') ledger.undo.doubtAll();
  return {
    problems: [...passedOver, ...judged.flatMap(({ problem }) => problem ?? [])],
    restored: judged.filter(({ isRestored }) => isRestored).length,
  };
}

function passed(run: RunToUndo | undefined, { results, error, isCut, isDiskWell }: RunEnd): string[] {
  if (run === undefined || isCut || (error !== undefined && !isDiskWell)) return [];
  if (results.length === 0 && isAllUnknown(run.records)) return [];
  const told = results.map(({ name }) => name);
  return [...run.records].flatMap(([name, record]) =>
    record === 'unknown' || told.includes(name) ? [] : [`${name} was passed over: ${error ?? told.join()}`],
  );
}

function judgeRow(
  row: StateResult,
  target: RunToUndo | 'unknown' | undefined,
  end: RunEnd,
  ledger: RevertLedger,
): RowVerdict {
  const state = declaredState(row.name);
  // One that was asked for by its own name works outside of the site.
  if (state === undefined || row.skipped) return FINE;
  if (!row.changed && row.error === '' && row.diff === '' && row.details.kept === undefined)
    return { problem: `${state.name} was not reverted, and nothing says why` };
  const undo = typeof target === 'object' ? target.records.get(state.name) : target;
  if (undo === undefined || undo === 'reverted')
    return row.changed ? { problem: `${state.name} was reverted, and there was nothing to undo` } : FINE;
  if (undo === 'unknown' || typeof target !== 'object') {
    maybe(state, ledger);
    return FINE;
  }
  if (row.error !== '' && row.error !== NOT_ALL_UNDONE) {
    ledger.undo.note(state.name, target.run, 'unknown');
    return refused(state, undo, row, end, ledger);
  }
  const isTouched = strangers(undo, ledger.expected);
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
  ledger.undo.note(state.name, target.run, 'reverted');
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
