/**
 * `StatesAccess` is the state engine as execution functions see it. The engine itself belongs to the peel, because it
 * writes the undo journal; here is only what `state.*` and ad-hoc states ask of it.
 *
 * Every method throws a ZesterError when nothing could be run: no state files, mistakes in them, settings that cannot be
 * read. What went wrong with single states is in their results.
 */

import type { DataMap } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { RunOnRecord } from '../../core/states/revert-choice.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import type { StateResult } from '../../wire/records/exec.ts';

/** Which states. */
export type StateSelection =
  /** State files by their refs, `web.config`. */
  | { readonly by: 'refs'; readonly refs: readonly string[] }
  /** What the top file gives this peel. */
  | { readonly by: 'top' }
  /** One state that no file declares. */
  | { readonly by: 'call'; readonly module: string; readonly id: string; readonly args: WireMap };

export interface StateRequest {
  readonly states: StateSelection;
  /** Laid over the settings of the peel. */
  readonly settings: DataMap;
}

/** What a revert is about. The undo journal alone answers it: no state file is read (decision 52). */
export interface RevertRequest {
  /** Undefined: the last run on record. */
  readonly jid: string | undefined;
  /** Names that narrow it; none: all that the run changed. */
  readonly states: readonly string[];
}

export interface StateRunOutcome {
  readonly results: readonly StateResult[];
  /** A cancel or the deadline cut it short. */
  readonly canceled: boolean;
  /** Why there is no result although nothing went wrong. */
  readonly note?: string;
}

export type StateView = 'high' | 'low' | 'top' | 'graph';
export type GraphFormat = 'text' | 'json' | 'dot';

/** Changes nothing; only guards (`onlyif`, `unless`) start programs. */
export interface ReadStates {
  /** A dry run. */
  check(request: StateRequest): Promise<StateRunOutcome>;
  checkRevert(request: RevertRequest): Promise<StateRunOutcome>;
  /** What the undo journal has, oldest first. */
  runs(): Promise<readonly RunOnRecord[]>;
  show(view: StateView, request: StateRequest, format?: GraphFormat): Promise<WireValue>;
}

export interface StatesAccess extends ReadStates {
  apply(request: StateRequest): Promise<StateRunOutcome>;
  revert(request: RevertRequest): Promise<StateRunOutcome>;
}

/** For a peel without a state engine. */
export const NO_STATES: StatesAccess = {
  apply: notHere,
  check: notHere,
  revert: notHere,
  checkRevert: notHere,
  runs: notHere,
  show: notHere,
};

async function notHere(): Promise<never> {
  throw zesterError('STATES_NOT_HERE', {});
}
