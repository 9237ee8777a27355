/**
 * This file repeats calls that the store does not answer: with growing pauses, for ever, or for as long as the caller's
 * retry policy says. Two kinds: `retried` for what may be repeated at will, `untilKnown` for what must end in yes or no.
 */
import { mayHaveHappened } from '../bus/failed-call.ts';
import { type Backoff, backoffMs } from '../core/backoff.ts';
import { isZesterError, type ZesterError } from '../core/errors/zester-error.ts';
import { sleep } from '../runtime/clock.ts';
import { jitter } from '../runtime/random.ts';
import type { Runtime } from '../runtime/runtime.ts';

/**
 * The time limit of a write that is repeated here: with one of its own a call is tried once by the bus, so that there
 * is one policy of retries and not two, and each failure is heard of.
 */
export const TRY_MS = 5_000;
const PAUSES: Backoff = { firstMs: 100, maxMs: 5_000 };
const SPREAD = 0.2;
/** One line at the start of a bad time and then one in so many: the log must not drown in it. */
const LOGGED_EVERY = 20;

/** How long something is tried. Asked after a failure only: what goes well is never given up. */
export interface RetryPolicy {
  /** It is too late, or nobody wants it any more. */
  isOver(): boolean;
  /** It failed and is tried again, or given up. */
  failed(error: Error): void;
  /** Ends the pause that is running, so that the end of the policy is noticed at once. */
  readonly hurry?: AbortSignal;
}

/**
 * The result of the first attempt that succeeds. Rejects when the signal aborts, when the policy is over, and for what no
 * repetition can help: a message that is too large, a bug.
 */
export async function retried<T>(
  runtime: Runtime,
  signal: AbortSignal,
  what: string,
  attempt: () => Promise<T>,
  policy: RetryPolicy = endless(runtime, what),
): Promise<T> {
  return await repeated(runtime, signal, attempt, policy, () => policy.isOver());
}

/**
 * Repeats a write whose answer was lost until its outcome is known. A failure that had no effect is thrown, at once or
 * when the policy is over, unless an earlier attempt may have had one: then the caller could not tell what the store holds.
 * `attempt` must recognise its own earlier success.
 */
export async function untilKnown<T>(
  runtime: Runtime,
  signal: AbortSignal,
  attempt: () => Promise<T>,
  policy: RetryPolicy = none(runtime),
): Promise<T> {
  let inDoubt = false;
  return await repeated(runtime, signal, attempt, policy, (error) => {
    inDoubt ||= mayHaveHappened(error);
    return !inDoubt && policy.isOver();
  });
}

async function repeated<T>(
  runtime: Runtime,
  signal: AbortSignal,
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  givesUp: (error: Error) => boolean,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!isBusTrouble(error)) throw error;
      policy.failed(error);
      if (givesUp(error)) throw error;
    }
    await pause(runtime, failures, signal, policy.hurry);
  }
}

function endless({ log }: Runtime, what: string): RetryPolicy {
  let failures = 0;
  return {
    isOver: () => false,
    failed(error) {
      if (failures % LOGGED_EVERY === 0) log.warn(`${what}: not done yet, trying again`, { error });
      failures += 1;
    },
  };
}

function none({ log }: Runtime): RetryPolicy {
  return {
    isOver: () => true,
    failed: (error) => log.debug('a write was not confirmed', { error }),
  };
}

/** The bus failed, as against: it answered, or we have a bug. */
function isBusTrouble(error: unknown): error is ZesterError {
  return isZesterError(error) && error.code.startsWith('BUS_') && error.code !== 'BUS_TOO_LARGE';
}

async function pause(
  { clock, random }: Runtime,
  failures: number,
  signal: AbortSignal,
  hurry: AbortSignal | undefined,
): Promise<void> {
  // Once aborted it would end every pause to come: what is in doubt is tried on, and the event loop would get no turn.
  const ending = hurry === undefined || hurry.aborted ? signal : AbortSignal.any([signal, hurry]);
  try {
    await sleep(clock, jitter(random, backoffMs(PAUSES, failures), SPREAD), ending);
  } catch (error) {
    if (signal.aborted) throw error;
  }
}
