/** This file says when a watched job is counted, and when a silent target is sent its request again. */
import { backoffMs } from '../backoff.ts';
import type { JobTally } from './job-tally.ts';

/** A program that ignores SIGTERM is killed after 2 s; the rest is for the disk, the way and clocks that differ. */
export const LAST_WORD_MS = 5_000;

/**
 * How long until the job is counted; 0: now. `msToDeadline` is negative once the deadline has passed.
 *
 * The deadline is the end of the work: nothing is sent or started after it, and peels cut off what still runs. They do so
 * at that very instant, so their word on it comes a moment later; a job counted at the deadline would call such a target
 * `running` and be corrected right away. So a job in which some target has accepted and not returned stays open for
 * `LAST_WORD_MS` more, and not longer than until the last of them has returned. Targets that never accepted are not
 * waited for: they have nothing to cut off.
 */
export function msToClosing(
  tally: Pick<JobTally, 'allReturned' | 'someAtWork'>,
  msToDeadline: number,
): number {
  if (tally.allReturned()) return 0;
  if (msToDeadline > 0) return msToDeadline;
  return tally.someAtWork() ? Math.max(0, msToDeadline + LAST_WORD_MS) : 0;
}

/** Between two sends to a silent target. What one costs that stays away: one message a minute. */
export const RESEND_GAP_MS_MAX = 60_000;

/**
 * From one send to the next (decision 3): first the ack window, then each time twice as long, up to `RESEND_GAP_MS_MAX`,
 * until the deadline. A request is a core message, which a busy or a flooded peel can lose any number of times; repeats are
 * exact duplicates, so one too many does no harm.
 *
 * `sends`: how many went out so far, the first included. Undefined: no more, because they are switched off (a negative
 * window) or the deadline would be there first.
 */
export function msToResend(ackWindowMs: number, sends: number, msToDeadline: number): number | undefined {
  if (ackWindowMs < 0) return undefined;
  const maxMs = Math.max(ackWindowMs, RESEND_GAP_MS_MAX);
  // A window of nothing is a wish for haste, not for a flood.
  const gapMs = backoffMs({ firstMs: Math.max(ackWindowMs, 1), maxMs }, sends);
  return gapMs < msToDeadline ? gapMs : undefined;
}
