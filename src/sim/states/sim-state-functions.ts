/**
 * This file wraps the real state functions and state modules of a peel, so that the simulator sees each begin and end.
 */
import type {
  Action,
  ExecutionFunction,
  FunctionOutcome,
  Query,
  QueryContext,
} from '../../modules/contract.ts';
import { STATE_FUNCTIONS } from '../../modules/state/functions.ts';
import type { StateModuleRegistry } from '../../modules/state-contract.ts';
import { STATE_MODULES, stateModuleRegistry } from '../../modules/state-registry.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { STATE_RUNS, statesAsked } from './sim-state-jobs.ts';
import { ADHOC, adHocName } from './sim-states.ts';
import type { StateBook } from './state-book.ts';

export interface StateWatch {
  readonly peel: PeelId;
  readonly book: StateBook;
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
    const { release, ...asked } = statesAsked(fn.name, given);
    watch.effect(jid);
    const run = watch.book.begin({ jid, isDry, ...asked, given: { peel: watch.peel, release } });
    const isDiskWell = watch.diskWatch();
    try {
      const outcome = await work();
      const { results = [], canceled = false } = outcome.states ?? {};
      const isCut = canceled || signal.aborted;
      watch.book.end(run, { results, error: outcome.error, isCut, isDiskWell: isDiskWell() });
      return outcome;
    } catch (error) {
      watch.broke('nothing breaks', `${fn.name}: ${String(error)}`);
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

/** A state that is asked for by its own name passes no function; its file has the job's id in its path. */
export function watchedStateModules({
  effect,
  book,
}: Pick<StateWatch, 'effect' | 'book'>): StateModuleRegistry {
  return stateModuleRegistry(
    STATE_MODULES.all.map((module) => ({
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
    })),
  );
}
