/** This file makes jobs that run states, and says what may be expected of a peel that got one. */

import { isWireMap, type WireMap } from '../../wire/msgpack/wire-value.ts';
import { execResponseCodec } from '../../wire/records/exec.ts';
import type { Job } from '../../wire/records/job.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { RUN_SETTING, STAMP_REF, WAIT_SETTING } from '../files/site-trees.ts';
import { ADHOC, DECLARED, type DeclaredState, SINGLE, SINGLE_PATH, TOP_REF } from './sim-states.ts';

const APPLY = 'state.apply';
const SLS = 'state.sls';
const REVERT = 'state.revert';
const SINGLE_RUN = 'state.single';
const HIGHSTATE = 'state.highstate';
const SHOWN = ['state.show_sls', 'state.show_low_sls', 'state.show_graph'];
const SHOWN_OF_TOP = ['state.show_top', 'state.show_highstate'];
const AD_HOC = 'file.managed';

/** Functions that are watched from begin to end. */
export const STATE_RUNS: readonly string[] = [APPLY, SLS, HIGHSTATE, REVERT, SINGLE_RUN];
const RELEASES = 4;
const DRY = 0.3;
/** Runs that leave the stamps of the published files that they read. */
const STAMPED = 0.35;
/** Between what is read first and what is read last; most are short. */
const STAMPED_WAIT_MS_MAX = 12_000;

export interface StateCall {
  readonly function: string;
  readonly stateId: string;
  readonly args: WireMap;
}

/** `draw` gives a number from 0 to 1; `earlier` is a job to undo, if any. */
export function newStateCall(jid: string, draw: () => number, earlier: string | undefined): StateCall {
  const pick = <T>(from: readonly T[]) => from[Math.floor(draw() * from.length)] as T;
  if (draw() < STAMPED) {
    const call = stampedCall(jid, Math.floor(draw() ** 2 * STAMPED_WAIT_MS_MAX));
    return draw() < DRY ? { ...call, args: { ...call.args, test: true } } : call;
  }
  const name = pick([
    ...[APPLY, APPLY, APPLY, APPLY, SLS, HIGHSTATE, REVERT, SINGLE_RUN, AD_HOC],
    pick([...SHOWN, ...SHOWN_OF_TOP]),
  ]);
  const test = draw() < DRY ? { test: true } : {};
  const refs = Object.keys(DECLARED);
  const ref = refs[Math.floor(draw() ** 2 * refs.length)] ?? '';
  const release = `r${Math.floor(draw() * RELEASES)}`;
  if (name === AD_HOC) return { function: name, stateId: `${ADHOC}${jid}`, args: { contents: jid, ...test } };
  if (name === SINGLE_RUN) {
    const { args, ...call } = singleCall(jid);
    return { ...call, args: { ...args, ...test } };
  }
  if (name === REVERT) return { function: name, stateId: earlier ?? '', args: test };
  const mods = name === HIGHSTATE || SHOWN_OF_TOP.includes(name) ? {} : { mods: ref };
  return { function: name, stateId: '', args: { ...mods, settings: { release }, ...test } };
}

/**
 * One after another on the same machines: what one job leaves, the next one meets. A revert of `#0` names the job of the
 * first step; one of nothing means the last run.
 */
export const STORIES: readonly (readonly StoryStep[])[] = [
  [
    [APPLY, 'web'],
    [REVERT, ''],
  ],
  [
    [APPLY, 'web', 'r0'],
    [APPLY, 'web', 'r1'],
    [REVERT, ''],
    [REVERT, ''],
    [REVERT, '#0'],
  ],
  [
    [APPLY, 'motd'],
    [SINGLE_RUN, ''],
    [REVERT, '#0'],
    [REVERT, '#1'],
  ],
  [
    [APPLY, 'motd'],
    [APPLY, 'banner'],
    [REVERT, '#0'],
    [REVERT, '#1'],
    [REVERT, '#0'],
  ],
  [
    [APPLY, 'web'],
    [APPLY, 'clean'],
    [REVERT, ''],
    [REVERT, '#0'],
  ],
];

export type StoryStep = readonly [functionName: string, what: string, release?: string];

/** `earlier`: the jobs of the steps so far. */
export function storyCall(
  [name, what, release = 'story']: StoryStep,
  jid: string,
  earlier: readonly string[],
): StateCall {
  if (name === SINGLE_RUN) return singleCall(jid);
  if (name === REVERT) return { function: name, stateId: earlier[Number(what.slice(1))] ?? '', args: {} };
  return { function: name, stateId: '', args: { mods: what, settings: { release } } };
}

export function stampedCall(jid: string, waitMs: number): StateCall {
  const settings = { [RUN_SETTING]: jid, [WAIT_SETTING]: waitMs };
  return { function: APPLY, stateId: '', args: { mods: STAMP_REF, settings } };
}

export function isStampedCall({ args }: Pick<StateCall, 'args'>): boolean {
  return args.mods === STAMP_REF;
}

function singleCall(jid: string): StateCall {
  return { function: SINGLE_RUN, stateId: '', args: { fun: AD_HOC, name: SINGLE_PATH, contents: jid } };
}

export interface StatesAsked {
  readonly kind: 'apply' | 'revert';
  /** Of a revert: the job that it is to undo; undefined: the last one. */
  readonly undoes?: string | undefined;
  readonly release: string;
  readonly states: readonly DeclaredState[];
  /** The file that is asked for; undefined where the run needs none. */
  readonly ref: string | undefined;
  /** The states are those of the stamped file, which are in no list. */
  readonly isStamped: boolean;
}

export function statesAsked(name: string, args: WireMap): StatesAsked {
  const none = { ref: undefined, isStamped: false };
  if (name === SINGLE_RUN) return { kind: 'apply', release: String(args.contents), states: SINGLE, ...none };
  if (name === REVERT) {
    const undoes = typeof args.run === 'string' ? args.run : undefined;
    return { kind: 'revert', undoes, release: '', states: [], ...none };
  }
  const settings = isWireMap(args.settings) ? args.settings : {};
  const ref = name === HIGHSTATE ? TOP_REF : String(args.mods);
  return {
    kind: 'apply',
    release: String(settings.release),
    states: DECLARED[ref] ?? [],
    ref,
    isStamped: ref === STAMP_REF,
  };
}

/** What is wrong with a row of which the peel says that all went well. */
export function wrongAnswer(job: Job, row: Row): string | undefined {
  if (!STATE_RUNS.includes(job.function)) return undefined;
  const { kind, states, isStamped } = statesAsked(job.function, job.args);
  const { results, test } = execResponseCodec.decode(row.returnData);
  const names = states.map(({ name }) => name);
  const rows = results.map(({ name }) => name);
  if (kind === 'apply' && !isStamped && rows.join() !== names.join()) return `its rows are ${rows.join()}`;
  return test === (job.args.test === true) ? undefined : 'a dry run and an apply were confused';
}

export function isAdHoc(job: Job): boolean {
  return job.function === AD_HOC;
}
