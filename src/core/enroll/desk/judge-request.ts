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
 *
 * Anybody can ask for any id, and nobody has looked at a request that waits. So it gives way to a machine whose join token covers the
 * id, which is the word of an operator; otherwise a stranger could keep an autoscaler's machines out by asking for their ids
 * first. A request that came with a token itself is about to be approved, and is left alone for `HALF_MADE_MS`.
 */
import type { UnixNanos } from '../../../wire/msgpack/time.ts';
import type { Enrollment } from '../../../wire/records/enroll/enrollment.ts';
import { hasCredentials, holdsId } from './enrollment-state.ts';

/** A master needs some milliseconds from one to the other. */
export const HALF_MADE_MS = 30_000;
const HALF_MADE_NANOS = BigInt(HALF_MADE_MS) * 1_000_000n;

/** Who holds the peel id. `half-made`: there is an index key, and no record. */
export type IdHolder =
  | { readonly is: 'nobody' }
  /** By the clocks of the server and of this master, so it may be negative. */
  | { readonly is: 'half-made'; readonly ageMs: number }
  | { readonly is: 'record'; readonly record: Enrollment };

export type RequestKeys = Pick<Enrollment, 'publicKey' | 'curvePublicKey'>;

/** What a machine says, by its signature, of the CA that it sees. */
export type RequestTrust = Pick<Enrollment, 'trustMismatch' | 'trustedCaSpki'>;

export type RequestVerdict =
  /** The id is free: a new enrollment, which waits for a decision. */
  | 'new'
  /** It is the same request again. */
  | 'same'
  /** Its credentials are out and it has proven the approved key: a new enrollment takes the place of the old one. */
  | 'supersede'
  /** The id is that of a request that waits, and a join token counts more: that one is rejected, then this one is looked at again. */
  | 'displace'
  /** Somebody may be at it: ask again. */
  | 'wait'
  /** The id is another key's. */
  | 'conflict';

/** `token`: a join token would approve the request. */
export function judgeRequest(
  holder: IdHolder,
  keys: RequestKeys,
  token?: { readonly now: UnixNanos },
): RequestVerdict {
  if (holder.is === 'nobody') return 'new';
  if (holder.is === 'half-made') return Math.abs(holder.ageMs) < HALF_MADE_MS ? 'wait' : 'new';
  const { record } = holder;
  if (!holdsId(record.state)) return 'new';
  if (isOfKeys(record, keys)) return hasCredentials(record.state) ? 'supersede' : 'same';
  if (token === undefined || record.state !== 'pending') return 'conflict';
  const age = token.now - record.updatedAt;
  const isFresh = age < HALF_MADE_NANOS && age > -HALF_MADE_NANOS;
  return record.joinToken !== '' && isFresh ? 'wait' : 'displace';
}

/**
 * A request that waits, with what its machine has said since: that it sees another CA. Undefined: nothing new. It stays with the record,
 * whatever the machine says later, because whoever stood in between once may have been asked for everything that followed.
 */
export function mismatchNoted(record: Enrollment, asked: RequestKeys & RequestTrust): Enrollment | undefined {
  const isNews = asked.trustMismatch && !record.trustMismatch;
  if (!isNews || record.state !== 'pending' || !isOfKeys(record, asked)) return undefined;
  return { ...record, trustChecked: true, trustMismatch: true, trustedCaSpki: asked.trustedCaSpki };
}

function isOfKeys(record: RequestKeys, { publicKey, curvePublicKey }: RequestKeys): boolean {
  return record.publicKey === publicKey && record.curvePublicKey === curvePublicKey;
}
