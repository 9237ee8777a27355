/**
 * Host calls leave the template: functions of the host, and loading templates. The evaluator is synchronous, the host
 * often is not. A call that answers with a promise ends the pass with a Suspension; the driver waits for the answer,
 * writes it down and runs the template again from the start. In that pass the calls that were made before are answered
 * from the record, in their order, so that each call is made once however often the template runs.
 *
 * Cost: n calls that must be waited for make n + 1 passes, so that a render takes n times the time of a pass plus the
 * time of the calls. Calls that answer at once make no further pass. A pass of a state file takes about a millisecond.
 *
 * The template must do the same in each pass up to the next unanswered call. It does, because a pass has no state from
 * the one before: variables are converted anew, and random numbers and the time are in the record too. A call that
 * does not match the record is an error, not a wrong answer.
 */
import { limitError } from '../limits.ts';
import { type Host, PythonError } from '../values/value.ts';

export interface HostCalls {
  /** The answer of a call. `what` and `args` name it in the record; `call` makes it. */
  make(what: string, args: readonly string[], call: () => unknown): unknown;
}

/** For a render that cannot wait. */
export const immediateCalls: HostCalls = {
  make(what, _args, call) {
    const answer = attempt(what, call);
    if (!isPromise(answer)) return answer;
    // Nobody will look at it: a rejection must not become an unhandled one.
    answer.then(undefined, () => undefined);
    throw new PythonError(
      'HostError',
      `${what} is asynchronous: the template must be rendered with renderAsync`,
    );
  },
};

interface RecordedCall {
  readonly what: string;
  readonly args: readonly string[];
  readonly outcome: { readonly answer: unknown } | { readonly failure: unknown };
}

/** Thrown through the evaluator when a call must be waited for. */
export class Suspension extends Error {
  override readonly name = 'Suspension';
  readonly what: string;
  readonly args: readonly string[];
  readonly promise: PromiseLike<unknown>;

  constructor(what: string, args: readonly string[], promise: PromiseLike<unknown>) {
    super(`waiting for ${what}`);
    this.what = what;
    this.args = args;
    this.promise = promise;
  }
}

/** The record of one asynchronous render, over all its passes. */
export class CallRecord {
  private readonly calls: RecordedCall[] = [];
  private readonly callsMax: number;

  constructor(callsMax: number) {
    this.callsMax = callsMax;
  }

  /** For the next pass: answers from the record as far as it goes. */
  replay(): HostCalls {
    let next = 0;
    return {
      make: (what, args, call) => {
        const known = this.calls[next] ?? this.first(what, args, call);
        if (known.what !== what || !sameTexts(known.args, args)) throw mismatch(known, what, args);
        next++;
        if ('failure' in known.outcome) throw asHostError(what, known.outcome.failure);
        return known.outcome.answer;
      },
    };
  }

  /** Waits for the call that ended the pass. */
  async settle(suspension: Suspension): Promise<void> {
    const { what, args } = suspension;
    try {
      this.calls.push({ what, args, outcome: { answer: await suspension.promise } });
    } catch (failure) {
      this.calls.push({ what, args, outcome: { failure } });
    }
  }

  private first(what: string, args: readonly string[], call: () => unknown): RecordedCall {
    if (this.calls.length >= this.callsMax)
      throw limitError(`the render made more than ${this.callsMax} host calls`);
    const answer = attempt(what, call);
    if (isPromise(answer)) throw new Suspension(what, args, answer);
    const recorded = { what, args, outcome: { answer } };
    this.calls.push(recorded);
    return recorded;
  }
}

/** The host as a pass sees it whose random numbers and times must be those of the pass before. */
export function recordedHost(host: Host, calls: HostCalls): Host {
  const { random, nowMs } = host;
  return {
    ...host,
    ...(random === undefined ? {} : { random: () => Number(calls.make('random', [], random)) }),
    ...(nowMs === undefined ? {} : { nowMs: () => Number(calls.make('now', [], nowMs)) }),
  };
}

function attempt(what: string, call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    throw asHostError(what, error);
  }
}

function asHostError(what: string, error: unknown): unknown {
  if (error instanceof PythonError) return error;
  const failure = new PythonError(
    'HostError',
    `${what}: ${error instanceof Error ? error.message : String(error)}`,
  );
  failure.cause = error;
  return failure;
}

function mismatch(known: RecordedCall, what: string, args: readonly string[]): PythonError {
  return new PythonError(
    'ReplayError',
    `the template called ${describe(what, args)} where it had called ${describe(known.what, known.args)} before: what it does must depend on nothing but its variables and the answers of its calls`,
  );
}

const describe = (what: string, args: readonly string[]): string => `${what}(${args.join(', ')})`;

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
