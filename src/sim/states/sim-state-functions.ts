/**
 * This file wraps the real state functions and state modules of a peel, so that the simulator sees each begin and end.
 */

import { withDefault } from '../../core/params/params.ts';
import type {
  Action,
  ExecutionFunction,
  FunctionOutcome,
  Query,
  QueryContext,
} from '../../modules/contract.ts';
import { STATE_FUNCTIONS } from '../../modules/state/functions.ts';
import {
  NOTHING_TO_DO,
  type StateModule,
  type StateModuleRegistry,
  stateModule,
} from '../../modules/state-contract.ts';
import { STATE_MODULES, stateModuleRegistry } from '../../modules/state-registry.ts';
import { sleep } from '../../runtime/clock.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { PeelFilesBook } from '../files/peel-files-book.ts';
import type { RunEnd } from './judge-apply.ts';
import { STATE_RUNS, type StatesAsked, statesAsked } from './sim-state-jobs.ts';
import { ADHOC, adHocName } from './sim-states.ts';
import type { StateBook } from './state-book.ts';

/** One of them, in the record of what can be undone. */
const STAMPED_STATE = 'file.managed:stamp-main';

export interface StateWatch {
  readonly peel: PeelId;
  readonly book: StateBook;
  readonly files: PeelFilesBook;
  /** Called with the job's id when something begins. */
  readonly effect: (jid: string) => void;
  /** True as long as nothing is wrong with the disk. */
  readonly diskWatch: () => () => boolean;
  readonly broke: (rule: string, text: string) => void;
}

export function watchedStateFunctions(watch: StateWatch): readonly ExecutionFunction[] {
  return STATE_FUNCTIONS.map((fn) => {
    if (fn.kind === 'query') return watchedQuery(fn, watch);
    return STATE_RUNS.includes(fn.name) ? watchedRun(fn, watch) : fn;
  });
}

function watchedQuery(fn: Query, { effect }: StateWatch): Query {
  return {
    ...fn,
    run: (values, context) => {
      effect(context.jid);
      return fn.run(values, context);
    },
  };
}

function watchedRun(fn: Action, watch: StateWatch): Action {
  const watched = async (
    given: WireMap,
    isDry: boolean,
    { signal, jid }: QueryContext,
    work: () => Promise<FunctionOutcome>,
  ): Promise<FunctionOutcome> => {
    watch.effect(jid);
    const asked = statesAsked(fn.name, given);
    const files = watch.files.begin(jid, { ref: asked.ref, isDry });
    const endInBook = beginInBook(watch, jid, isDry, asked);
    const isDiskWell = watch.diskWatch();
    try {
      const outcome = await work();
      const { results = [], canceled = false } = outcome.states ?? {};
      const isCut = canceled || signal.aborted;
      const end = { results, error: outcome.error, isCut, isDiskWell: isDiskWell() };
      const mayNotCompile = watch.files.end(files, end);
      endInBook({ ...end, mayNotCompile });
      return outcome;
    } catch (error) {
      if (!signal.aborted) watch.broke('nothing breaks', `${fn.name}: ${String(error)}`);
      const end = { results: [], error: String(error), isCut: true, isDiskWell: isDiskWell() };
      endInBook({ ...end, mayNotCompile: watch.files.end(files, end) });
      throw error;
    }
  };
  return {
    ...fn,
    run: (values, context) =>
      watched({ ...(values as WireMap), ...context.rest }, false, context, () => fn.run(values, context)),
    preview: (values, context) =>
      watched({ ...(values as WireMap), ...context.rest }, true, context, () => fn.preview(values, context)),
  };
}

/** What the stamped states leave is the matter of the book of files. */
function beginInBook(
  { book, peel }: StateWatch,
  jid: string,
  isDry: boolean,
  { isStamped, release, ...asked }: StatesAsked,
): (end: RunEnd) => void {
  if (!isStamped) {
    const run = book.begin({ jid, isDry, ...asked, given: { peel, release } });
    return (end) => book.end(run, end);
  }
  if (!isDry) book.beginUnwatched(jid, STAMPED_STATE);
  return () => undefined;
}

/** A state that is asked for by its own name passes no function; its file has the job's id in its path. */
export function watchedStateModules({
  effect,
  book,
}: Pick<StateWatch, 'effect' | 'book'>): StateModuleRegistry {
  const watched = STATE_MODULES.all.map(
    (module): StateModule => ({
      ...module,
      plan: (values, context) => {
        const name = String((values as WireMap).name);
        if (name.startsWith(ADHOC)) {
          const jid = name.slice(ADHOC.length);
          effect(jid);
          book.beginUnwatched(jid, adHocName(name));
        }
        return module.plan(values, context);
      },
    }),
  );
  return stateModuleRegistry([...watched, simWait]);
}

/** Does nothing and takes its time, so that files can change in the middle of a run. */
const simWait = stateModule({
  name: 'sim.wait',
  summary: 'Waits.',
  params: { ms: withDefault('integer', 0, { doc: 'How long.' }) },
  examples: ['pause:\n  sim.wait:\n    - ms: 100\n'],
  plan: async ({ ms }) => {
    if (ms === 0) return NOTHING_TO_DO;
    const run = async ({ clock, signal }: { clock: Parameters<typeof sleep>[0]; signal: AbortSignal }) => {
      await sleep(clock, ms, signal);
      return { changed: false };
    };
    return {
      steps: [{ kind: 'act', what: `waits ${ms} ms`, predicts: 'no change', opaque: false, run }],
      diff: '',
    };
  },
});
