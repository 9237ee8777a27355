/**
 * `doorVerdict` says what a machine does about the answer of an enrollment door. Pure: told by status and headers alone.
 *
 *   good       2xx
 *   later      429: this master has had enough of us, and says for how long. Another master would be asked in vain as well
 *   next       5xx: this master is in trouble; another may not be
 *   refused    everything else, redirects included: the same answer would come again
 */
import type { EnrollmentState } from '../../wire/records/enroll/enrollment.ts';
import { never } from '../assert.ts';

export type DoorVerdict =
  | { readonly is: 'good' }
  | { readonly is: 'later'; readonly waitMs: number }
  | { readonly is: 'next' }
  | { readonly is: 'refused' };

/** Where a door does not say how long. */
const WAIT_MS = 10_000;
/** However long it says. */
const WAIT_MS_MAX = 300_000;

export function doorVerdict(status: number, retryAfter: string): DoorVerdict {
  if (status >= 200 && status < 300) return { is: 'good' };
  if (status === 429) return { is: 'later', waitMs: waitOf(retryAfter) };
  return status >= 500 && status < 600 ? { is: 'next' } : { is: 'refused' };
}

/** Seconds, as our doors say it. */
function waitOf(retryAfter: string): number {
  if (!/^\d{1,6}$/.test(retryAfter)) return WAIT_MS;
  return Math.min(Math.max(Number(retryAfter) * 1000, 1_000), WAIT_MS_MAX);
}

/**
 * What a machine with credentials does by how the masters say that its enrollment stands. Its files cannot say that: whoever shut it
 * out did not ask it.
 *
 *   joined     it is in, and its credentials count
 *   go-on      it has asked again, and that one is decided about: its credentials are those of an enrollment before it
 *   anew       nobody knows the enrollment any more, or said no to one that was asked for later: it may ask again
 *   shut-out   it was revoked: it asks again when somebody tells it to, not by itself
 */
export type JoinedVerdict = 'joined' | 'go-on' | 'anew' | 'shut-out';

/** `state`: undefined when the masters do not know the enrollment. */
export function joinedVerdict(state: EnrollmentState | undefined): JoinedVerdict {
  switch (state) {
    case 'issued':
    case 'active':
      return 'joined';
    case 'pending':
    case 'approved':
      return 'go-on';
    case 'revoked':
      return 'shut-out';
    case 'rejected':
    case undefined:
      return 'anew';
    default:
      return never(state);
  }
}

/** More than this is no delay on the way and no drift. */
const SKEW_MS = 120_000;

/** What the clock of this machine and the one of a server have to do with a certificate that is not good now. */
export function clockVerdict(
  nowMs: number,
  serverMs: number | undefined,
): 'clock' | 'certificate' | 'unknown' {
  if (serverMs === undefined) return 'unknown';
  return Math.abs(nowMs - serverMs) > SKEW_MS ? 'clock' : 'certificate';
}
