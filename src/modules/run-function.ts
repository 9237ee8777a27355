/**
 * `runFunction` runs one execution function for a request and gives the answer that goes on the wire. What is wrong
 * with the request, and what fails on the machine, is in the answer; it throws only for a bug.
 *
 * A request that cannot be run (no such function, bad arguments) has `error` and no result. A function that ran has one
 * result, with its own error when it failed. One that was ended by the signal has `execution canceled` in both places,
 * with what it had said until then.
 *
 * A function that runs states answers with their results. The name of a state function that no execution function has
 * is a state of its own, `zester web-01 file.absent /tmp/old`.
 */
import { isZesterError } from '../core/errors/zester-error.ts';
import { decodeArguments, takeDryRun } from '../core/params/decode-arguments.ts';
import type { Params, ValuesOf } from '../core/params/params.ts';
import { printValue } from '../core/params/print-value.ts';
import { readOnly } from '../system/system.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import type { WireMap } from '../wire/msgpack/wire-value.ts';
import type { PeelId } from '../wire/names/ids.ts';
import type { ExecRequest, ExecResponse, StateResult } from '../wire/records/exec.ts';
import type { ExecutionFunction, FunctionContext, FunctionOutcome, QueryContext } from './contract.ts';
import { errorAnswer } from './error-answer.ts';
import { stateOutcome } from './state/state-outcome.ts';
import { unknownFunction } from './unknown-function.ts';

export type FunctionRequest = Pick<ExecRequest, 'jid' | 'module' | 'id' | 'args'>;

export interface FunctionRunContext extends FunctionContext {
  readonly peelId: PeelId;
}

/** The text of a run that was ended from outside; spelled as in the wire reference (5.2). */
export const EXECUTION_CANCELED = 'execution canceled';

export async function runFunction(
  request: FunctionRequest,
  context: FunctionRunContext,
): Promise<ExecResponse> {
  const respond = (answer: Partial<ExecResponse>): ExecResponse => ({
    protocol: 0,
    peelId: context.peelId,
    jid: request.jid,
    success: false,
    test: false,
    results: [],
    error: '',
    code: '',
    statesRevision: 0,
    settingsRevision: 0,
    ...answer,
  });
  let call: PreparedCall;
  try {
    call = prepare(request, context);
  } catch (error) {
    if (isZesterError(error)) return respond({ error: errorAnswer(error), code: error.code });
    throw error;
  }
  const startedMs = context.clock.monotonicMs();
  const outcome = await perform(call, context);
  if (outcome.states !== undefined) return respond({ test: call.dryRun, ...answerOfStates(outcome) });
  const result: StateResult = {
    name: request.module,
    changed: outcome.changed,
    diff: outcome.diff ?? '',
    duration: nanosFromMs(context.clock.monotonicMs() - startedMs),
    details: {
      ...(outcome.result === undefined ? {} : { result: printValue(outcome.result) }),
      ...outcome.details,
    },
    error: outcome.error ?? '',
    skipped: false,
    skipReason: '',
    data: {
      ...(outcome.result === undefined || typeof outcome.result === 'string'
        ? {}
        : { result: outcome.result }),
      ...outcome.data,
    },
    state: undefined,
  };
  const success = outcome.error === undefined;
  const error = outcome.error === EXECUTION_CANCELED ? EXECUTION_CANCELED : '';
  return respond({ success, test: call.dryRun, results: [result], error });
}

/** Why a run of states as a whole came to nothing is the answer's error; what single states say is in their results. */
function answerOfStates({ states, error, code }: FunctionOutcome): Partial<ExecResponse> {
  const { results = [], canceled = false } = states ?? {};
  if (canceled || error === EXECUTION_CANCELED) return { results, error: EXECUTION_CANCELED };
  const success = error === undefined;
  return results.length === 0
    ? { success, results, error: error ?? '', code: code ?? '' }
    : { success, results };
}

interface PreparedCall {
  readonly dryRun: boolean;
  run(): Promise<FunctionOutcome>;
}

function prepare({ module, id, args }: FunctionRequest, context: FunctionContext): PreparedCall {
  const { functions, stateModules } = context;
  if (!functions.has(module) && !stateModules.has(module)) throw noSuchFunction(module, context);
  const { dryRun, args: rest } = takeDryRun(module, args);
  if (functions.has(module))
    return { dryRun, run: preparedFunction(functions.get(module), id, rest, context, dryRun) };
  const request = { states: { by: 'call', module, id, args: rest }, settings: {} } as const;
  const { states } = context;
  return { dryRun, run: () => stateOutcome(() => (dryRun ? states.check(request) : states.apply(request))) };
}

/** One function calls another: from a template or from `module.run`. Throws when it cannot be called like that. */
export function callFunction(
  name: string,
  { id = '', args }: { readonly id?: string; readonly args: WireMap },
  context: FunctionContext,
  dryRun: boolean,
): Promise<FunctionOutcome> {
  return preparedFunction(context.functions.get(name), id, args, context, dryRun)();
}

function preparedFunction(
  fn: ExecutionFunction,
  id: string,
  args: WireMap,
  context: FunctionContext,
  dryRun: boolean,
): () => Promise<FunctionOutcome> {
  const { own, rest } = fn.open ? declaredAndRest(fn, args) : { own: args, rest: {} };
  const values: ValuesOf<Params> = decodeArguments(fn.name, fn.params, { id, args: own });
  const acting = { ...context, rest };
  const looking = queryContext(acting);
  if (fn.kind === 'query') return () => fn.run(values, looking);
  return () => (dryRun ? fn.preview(values, looking) : fn.run(values, acting));
}

/** By their own names only: `name` is an argument of whatever an open function calls. */
function declaredAndRest(
  fn: ExecutionFunction,
  args: WireMap,
): { readonly own: WireMap; readonly rest: WireMap } {
  const entries = Object.entries(args);
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(fn.params, name);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    rest: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}

function noSuchFunction(name: string, { functions, stateModules }: FunctionContext): Error {
  const names = [...functions.all, ...stateModules.all].map((known) => known.name);
  return unknownFunction(name, [...new Set(names)].sort());
}

/** The writing methods are gone at run time too, not only from the type: a cast does not bring them back. */
function queryContext(context: FunctionContext): QueryContext {
  const { facts, states } = context;
  return {
    ...context,
    system: readOnly(context.system),
    facts: { all: () => facts.all(), words: () => facts.words(), get: (path) => facts.get(path) },
    states: { check: states.check, checkRevert: states.checkRevert, runs: states.runs, show: states.show },
  };
}

async function perform(call: PreparedCall, { signal }: FunctionContext): Promise<FunctionOutcome> {
  if (signal.aborted) return { changed: false, error: EXECUTION_CANCELED };
  try {
    const outcome = await call.run();
    // A function that ended well before it saw the signal has its result; one that fails now failed because of the signal.
    return outcome.error !== undefined && signal.aborted
      ? { ...outcome, error: EXECUTION_CANCELED }
      : outcome;
  } catch (error) {
    if (signal.aborted) return { changed: false, error: EXECUTION_CANCELED };
    if (isZesterError(error)) return { changed: false, error: errorAnswer(error) };
    throw error;
  }
}
