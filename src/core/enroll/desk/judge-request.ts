/**
 * `judgeRequest` decides what becomes of a request to join whose key has been proven, given who holds the peel id now. Masters
 * ask it with what they read, write what it says by compare-and-set, and ask again when somebody was faster.
 *
 * An id belongs to one key at a time, from the first request on, so that nobody squats on an id that waits for an operator. Only a
 * decision frees it. An index key without a record is what a master left that died in between, or one that is at it right
 * now: it counts as held for `HALF_MADE_MS`. Taken over too early it harms nobody, because a record that the index does not name
 * has no effect; the wait saves two masters from taking turns.
 *
 * The key of an approved enrollment whose credentials were not handed out yet gets that enrollment again, and no other, so that a
 * machine that asks in a loop makes no records.
 */
import type { Enrollment } from '../../../wire/records/enroll/enrollment.ts';
import { hasCredentials, holdsId } from './enrollment-state.ts';

/** A master needs some milliseconds from one to the other. */
export const HALF_MADE_MS = 30_000;

/** Who holds the peel id. `half-made`: there is an index key, and no record. */
export type IdHolder =
  | { readonly is: 'nobody' }
  /** By the clocks of the server and of this master, so it may be negative. */
  | { readonly is: 'half-made'; readonly ageMs: number }
  | { readonly is: 'record'; readonly record: Enrollment };

export interface RequestKeys {
  readonly publicKey: string;
  readonly curvePublicKey: string;
}

export type RequestVerdict =
  /** The id is free: a new enrollment, which waits for a decision. */
  | 'new'
  /** It is the same request again. */
  | 'same'
  /** Its credentials are out and it has proven the approved key: a new enrollment takes the place of the old one. */
  | 'supersede'
  /** Somebody may be at it: ask again. */
  | 'wait'
  /** The id is another key's. */
  | 'conflict';

export function judgeRequest(holder: IdHolder, keys: RequestKeys): RequestVerdict {
  if (holder.is === 'nobody') return 'new';
  if (holder.is === 'half-made') return Math.abs(holder.ageMs) < HALF_MADE_MS ? 'wait' : 'new';
  const { record } = holder;
  if (!holdsId(record.state)) return 'new';
  const isSame = record.publicKey === keys.publicKey && record.curvePublicKey === keys.curvePublicKey;
  if (!isSame) return 'conflict';
  return hasCredentials(record.state) ? 'supersede' : 'same';
}
