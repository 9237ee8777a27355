/**
 * Runs one execution function for a request and gives the answer that goes on the wire. What is wrong with the request,
 * and what fails on the machine, is in the answer; it throws only for a bug.
 *
 * A request that cannot be run (no such function, bad arguments) has `error` and no result. A function that ran has one
 * result, with its own error when it failed. One that was ended by the signal has `execution canceled` in both places,
 * with what it had said until then.
 */
import { isZesterError, type ZesterError } from '../core/errors/zester-error.ts';
import { decodeArguments, takeDryRun } from '../core/params/decode-arguments.ts';
import type { Params, ValuesOf } from '../core/params/params.ts';
import { printValue } from '../core/params/print-value.ts';
import { readOnly } from '../system/system.ts';
import type { ExecRequest, ExecResponse, StateResult } from '../wire/exec.ts';
import type { PeelId } from '../wire/ids.ts';
import { nanosFromMs } from '../wire/time.ts';
import type { FunctionContext, FunctionOutcome, QueryContext } from './contract.ts';

export type FunctionRequest = Pick<ExecRequest, 'jid' | 'module' | 'id' | 'args'>;

export interface RunContext extends FunctionContext {
  readonly peelId: PeelId;
}

/** The text of a run that was ended from outside; the Go programs know it (wire reference, 5.2). */
export const EXECUTION_CANCELED = 'execution canceled';

export async function runFunction(request: FunctionRequest, context: RunContext): Promise<ExecResponse> {
  const respond = (answer: Partial<ExecResponse>): ExecResponse => ({
    protocol: 0,
    peelId: context.peelId,
    jid: request.jid,
    success: false,
    test: false,
    results: [],
    error: '',
    ...answer,
  });
  let call: PreparedCall;
  try {
    call = prepare(request, context);
  } catch (error) {
    if (isZesterError(error)) return respond({ error: textOf(error) });
    throw error;
  }
  const startedMs = context.clock.monotonicMs();
  const outcome = await perform(call, context);
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
  };
  const success = outcome.error === undefined;
  const error = outcome.error === EXECUTION_CANCELED ? EXECUTION_CANCELED : '';
  return respond({ success, test: call.dryRun, results: [result], error });
}

interface PreparedCall {
  readonly dryRun: boolean;
  run(): Promise<FunctionOutcome>;
}

function prepare({ module, id, args }: FunctionRequest, context: FunctionContext): PreparedCall {
  const fn = context.functions.get(module);
  const { dryRun, args: rest } = takeDryRun(module, args);
  const values: ValuesOf<Params> = decodeArguments(module, fn.params, { id, args: rest });
  const looking = queryContext(context);
  if (fn.kind === 'query') return { dryRun, run: () => fn.run(values, looking) };
  return { dryRun, run: () => (dryRun ? fn.preview(values, looking) : fn.run(values, context)) };
}

/** At run time too there is nothing in it that writes: a cast does not bring it back. */
function queryContext(context: FunctionContext): QueryContext {
  const { facts } = context;
  return {
    ...context,
    system: readOnly(context.system),
    facts: { all: () => facts.all(), get: (path) => facts.get(path) },
  };
}

async function perform(call: PreparedCall, { signal }: FunctionContext): Promise<FunctionOutcome> {
  if (signal.aborted) return { changed: false, error: EXECUTION_CANCELED };
  try {
    const outcome = await call.run();
    // What came to a good end before it noticed has its result; what failed now failed because of the signal.
    return outcome.error !== undefined && signal.aborted
      ? { ...outcome, error: EXECUTION_CANCELED }
      : outcome;
  } catch (error) {
    if (signal.aborted) return { changed: false, error: EXECUTION_CANCELED };
    if (isZesterError(error)) return { changed: false, error: textOf(error) };
    throw error;
  }
}

function textOf(error: ZesterError): string {
  return `${error.message} [${error.code}]`;
}
