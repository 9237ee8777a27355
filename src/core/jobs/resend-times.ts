/**
 * When a target that has said nothing is sent its request again (decision 3): first after the ack window, then each time
 * after twice as long, up to `RESEND_GAP_MS_MAX` between two, until the deadline. A request is a core message, which a
 * busy or a flooded peel can lose any number of times; repeats are exact duplicates, so one too many does no harm.
 */
import { backoffMs } from '../backoff.ts';

/** Between two of them. What a target costs that stays away: one message a minute. */
export const RESEND_GAP_MS_MAX = 60_000;

/**
 * From the send before to the next one. `sends`: how many went out so far, the first included. Undefined: no more, because
 * they are switched off (a negative window) or the deadline would be there first.
 */
export function msToResend(ackWindowMs: number, sends: number, msToDeadline: number): number | undefined {
  if (ackWindowMs < 0) return undefined;
  const maxMs = Math.max(ackWindowMs, RESEND_GAP_MS_MAX);
  // A window of nothing is a wish for haste, not for a flood.
  const gapMs = backoffMs({ firstMs: Math.max(ackWindowMs, 1), maxMs }, sends);
  return gapMs < msToDeadline ? gapMs : undefined;
}
