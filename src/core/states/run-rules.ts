/**
 * These rules decide whether a state runs, from how the states before it ended. The table stands at `REQUISITE_KINDS`;
 * the order of the questions is that of the spec: failures first, then onchanges, then onfail, prereq last.
 *
 * A skip for `require_failed` counts as a failure for whatever builds on it, so that it reaches transitive dependents; the
 * other skips are neutral (decision 12). For `onfail` only a state that ran and failed counts.
 */
import type { StateResult } from '../../wire/records/exec.ts';
import { assert } from '../assert.ts';
import type { CompiledState, StateName } from './compiled-state.ts';

/** As they go on the wire. A state that is skipped because the run was canceled has none. */
export type SkipReason =
  | 'require_failed'
  | 'onchanges_not_met'
  | 'onfail_not_met'
  | 'prereq_not_met'
  /** A state with `failhard` failed in an earlier level. */
  | 'failhard_abort'
  /** Of a revert: a state that builds on it stays. */
  | 'dependent_not_reverted';

export type RunVerdict =
  /** `askPrereq`: only if one of its prereq targets is going to change something, which only looking can tell. */
  | { readonly do: 'run'; readonly forced: boolean; readonly askPrereq: boolean }
  | { readonly do: 'skip'; readonly reason: SkipReason };

export type Results = ReadonlyMap<StateName, StateResult>;

/** `results` holds every state that this one names, except its prereq targets. */
export function judge(state: CompiledState, results: Results): RunVerdict {
  return judgeBy(state, (name) => resultOf(name, results));
}

/**
 * Whether the verdict hangs on a state of which a dry run does not know how it ends: whether it runs, changes something or
 * fails. A change can only make more states run, a failure only make what
 * builds on it fail and what waits for it run; so when all doubts resolved in the same way, in any of the ways there are,
 * give one verdict, mixed ways give it too.
 */
export function hangsOnDoubt(
  state: CompiledState,
  results: Results,
  doubts: ReadonlySet<StateName>,
): boolean {
  if (doubts.size === 0) return false;
  const verdicts = [true, false].flatMap((changed) =>
    ['', 'in doubt'].map((error) =>
      judgeBy(state, (name) => resolved(resultOf(name, results), doubts.has(name), { changed, error })),
    ),
  );
  return new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size > 1;
}

function resolved(
  result: StateResult,
  inDoubt: boolean,
  as: Pick<StateResult, 'changed' | 'error'>,
): StateResult {
  return inDoubt ? { ...result, ...as, skipReason: '' } : result;
}

function judgeBy({ requisites }: CompiledState, endOf: (name: StateName) => StateResult): RunVerdict {
  const of = (names: readonly StateName[]) => names.map((name) => endOf(name));
  const [require, requireAny] = [of(requisites.require), of(requisites.require_any)];
  const [watch, watchAny] = [of(requisites.watch), of(requisites.watch_any)];
  const [onchanges, onchangesAny] = [of(requisites.onchanges), of(requisites.onchanges_any)];
  const [onfail, onfailAll] = [of(requisites.onfail), of(requisites.onfail_all)];
  const onfailAny = of(requisites.onfail_any);

  if ([...require, ...watch, ...onchanges].some(broken)) return skip('require_failed');
  if ([requireAny, watchAny].some((group) => asked(group) && group.every(broken)))
    return skip('require_failed');
  if (asked(onchangesAny) && !onchangesAny.some(changed) && onchangesAny.every(broken))
    return skip('require_failed');
  if ([onchanges, onchangesAny].some((group) => asked(group) && !group.some(changed)))
    return skip('onchanges_not_met');
  if ([onfail, onfailAny].some((group) => asked(group) && !group.some(failed))) return skip('onfail_not_met');
  if (!onfailAll.every(failed)) return skip('onfail_not_met');
  const forced = [...watch, ...watchAny].some(changed);
  return { do: 'run', forced, askPrereq: requisites.prereq.length > 0 };
}

/** What a state that is skipped for `require_failed` can blame, in the order it was written. */
export function brokenRequisites({ requisites }: CompiledState, results: Results): readonly StateName[] {
  const { require, require_any, watch, watch_any, onchanges, onchanges_any } = requisites;
  const named = [...require, ...require_any, ...watch, ...watch_any, ...onchanges, ...onchanges_any];
  return [...new Set(named)].filter((name) => broken(resultOf(name, results)));
}

function resultOf(name: StateName, results: Results): StateResult {
  const result = results.get(name);
  assert(result !== undefined, `${name} runs in an earlier level`);
  return result;
}

function changed(result: StateResult): boolean {
  return result.changed;
}

function asked(group: readonly StateResult[]): boolean {
  return group.length > 0;
}

export function failed({ error }: StateResult): boolean {
  return error !== '';
}

/** It failed, or could not be tried because something before it did. */
function broken(result: StateResult): boolean {
  return failed(result) || result.skipReason === ('require_failed' satisfies SkipReason);
}

function skip(reason: SkipReason): RunVerdict {
  return { do: 'skip', reason };
}
