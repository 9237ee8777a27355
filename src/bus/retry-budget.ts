/**
 * `withRetries` repeats a call while the store has a bad moment: an election, a node that died before it answered, a
 * connection that is being made anew. It is the one place where a bus does so; whoever opens the bus gives it a budget
 * of time.
 *
 * Only for what may be said twice: questions, settings, messages with an id. A write whose outcome is not known is the
 * caller's business (fenced-write.ts, master/retry.ts).
 * Bound: no try begins later than `ms` after the first; then the failure is thrown as it is, one of time with all of it.
 */
import { type Backoff, backoffMs } from '../core/backoff.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { sleep } from '../runtime/clock.ts';
import { jitter } from '../runtime/random.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { isTransient } from './failed-call.ts';

export interface RetryBudget {
  /** 0: one try. */
  readonly ms: number;
  /** Told once for each call that has waited for `TELL_MS`; for people who wait for it. */
  readonly waiting?: (why: Error) => void;
  /** Told of every further try. */
  readonly repeated?: () => void;
}

export const NO_RETRIES: RetryBudget = { ms: 0 };
/** Elections of nats-server take 4 to 10 s, at worst two of them; commands and masters bear that. */
export const ELECTION_MS_MAX = 30_000;

const TELL_MS = 3_000;
/** A question that a dead node took with it is worth asking again soon; a slow store must not be asked ever more often. */
const FIRST_TRY_MS = 2_000;
const TRY_MS = 5_000;
const PAUSES: Backoff = { firstMs: 100, maxMs: 1_000 };
const SPREAD = 0.2;

/** The result of the first try that succeeds. `attempt` is told how long it may take. */
export async function withRetries<T>(
  { clock, random }: Runtime,
  budget: RetryBudget,
  what: string,
  attempt: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  if (budget.ms === 0) return attempt(TRY_MS);
  const begunMs = clock.monotonicMs();
  let isTold = false;
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(failures === 1 ? FIRST_TRY_MS : TRY_MS);
    } catch (error) {
      const waitedMs = clock.monotonicMs() - begunMs;
      if (!isTransient(error)) throw error;
      if (waitedMs >= budget.ms) throw afterAll(error, what, waitedMs);
      if (!isTold && waitedMs >= TELL_MS) {
        isTold = true;
        budget.waiting?.(error as Error);
      }
    }
    await sleep(clock, jitter(random, backoffMs(PAUSES, failures), SPREAD));
    budget.repeated?.();
  }
}

function afterAll(error: unknown, what: string, waitedMs: number): unknown {
  const ms = Math.round(waitedMs);
  return isZesterError(error, 'BUS_TIMEOUT') ? zesterError('BUS_TIMEOUT', { what, ms }) : error;
}
