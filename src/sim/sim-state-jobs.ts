/** Jobs that run states: how they are asked for, and what may be expected of a peel that was asked. */
import { execResponseCodec } from '../wire/exec.ts';
import type { Job } from '../wire/job.ts';
import type { Return } from '../wire/job-return.ts';
import { isWireMap, type WireMap } from '../wire/wire-value.ts';
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

export interface StateCall {
  readonly function: string;
  readonly stateId: string;
  readonly args: WireMap;
}

/** `draw` gives a number from 0 to 1. */
export function newStateCall(jid: string, draw: () => number): StateCall {
  const pick = <T>(from: readonly T[]) => from[Math.floor(draw() * from.length)] as T;
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
  const mods = name === HIGHSTATE || SHOWN_OF_TOP.includes(name) ? {} : { mods: ref };
  return { function: name, stateId: '', args: { ...mods, settings: { jid, release }, ...test } };
}

/** One after another on the same machines: what one job leaves, the next one meets. */
export const STORIES: readonly (readonly StoryStep[])[] = [
  [
    [APPLY, 'web'],
    [REVERT, 'web'],
  ],
  [
    [APPLY, 'web', 'r0'],
    [APPLY, 'web', 'r1'],
    [REVERT, 'web'],
    [REVERT, 'web'],
  ],
  [
    [APPLY, 'motd'],
    [SINGLE_RUN, ''],
    [REVERT, 'motd'],
  ],
  [
    [APPLY, 'motd'],
    [APPLY, 'banner'],
    [REVERT, 'motd'],
    [REVERT, 'banner'],
    [REVERT, 'motd'],
  ],
  [
    [APPLY, 'web'],
    [APPLY, 'clean'],
    [REVERT, 'clean'],
    [REVERT, 'web'],
  ],
];

type StoryStep = readonly [functionName: string, ref: string, release?: string];

export function storyCall([name, mods, release = 'story']: StoryStep, jid: string): StateCall {
  return name === SINGLE_RUN
    ? singleCall(jid)
    : { function: name, stateId: '', args: { mods, settings: { jid, release } } };
}

function singleCall(jid: string): StateCall {
  return { function: SINGLE_RUN, stateId: '', args: { fun: AD_HOC, name: SINGLE_PATH, contents: jid } };
}

export interface StatesAsked {
  readonly jid: string;
  readonly kind: 'apply' | 'revert';
  readonly release: string;
  readonly states: readonly DeclaredState[];
}

export function statesAsked(name: string, args: WireMap): StatesAsked {
  if (name === SINGLE_RUN) {
    const jid = String(args.contents);
    return { jid, kind: 'apply', release: jid, states: SINGLE };
  }
  const settings = isWireMap(args.settings) ? args.settings : {};
  return {
    jid: String(settings.jid),
    kind: name === REVERT ? 'revert' : 'apply',
    release: String(settings.release),
    states: DECLARED[name === HIGHSTATE ? TOP_REF : String(args.mods)] ?? [],
  };
}

/** What is wrong with a row of which the peel says that all went well. */
export function wrongAnswer(job: Job, row: Return): string | undefined {
  if (!STATE_RUNS.includes(job.function)) return undefined;
  const { kind, states } = statesAsked(job.function, job.args);
  const { results, test } = execResponseCodec.decode(row.returnData);
  const names = states.map(({ name }) => name);
  if (kind === 'revert') names.reverse();
  const rows = results.map(({ name }) => name);
  if (rows.join() !== names.join()) return `its rows are ${rows.join()}`;
  return test === (job.args.test === true) ? undefined : 'a dry run and an apply were confused';
}

export function isAdHoc(job: Job): boolean {
  return job.function === AD_HOC;
}
