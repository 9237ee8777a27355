/**
 * `fencedWrite` writes one value on behalf of a leader, so that a leader of the past cannot undo what the present one
 * wrote. A lease only saves double work: its holder may be frozen between asking whether it leads and writing.
 *
 * Safety: the value carries the token of whoever wrote it, and each write is a compare-and-set at the revision whose token
 * was read; one with a lower token than the stored one is refused. So a new leader shuts the old one out with its first
 * write; it writes first what it guards, changed or not. Until then the old one's last write may still come, and is
 * replaced by that first one.
 * Who is refused is no leader any more, whatever its lease says, and writes nothing else.
 * If we die after the write, or its answer is lost: it is repeated as it is, by anyone, and changes nothing.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Bucket } from '../port.ts';

/** Each round means that somebody else wrote between our read and our write. */
const ROUNDS_MAX = 8;

export interface FencedWrite {
  readonly key: string;
  readonly value: Uint8Array;
  /** Of the writer, and in `value`. */
  readonly token: number;
  /** The token in a stored value: its format knows where. Undefined when it carries none, which anybody may replace. */
  readonly tokenOf: (stored: Uint8Array) => number | undefined;
}

export type FencedOutcome =
  | { readonly written: true; readonly revision: number }
  /** Of a later leader. */
  | { readonly written: false; readonly token: number };

export async function fencedWrite(bucket: Bucket, write: FencedWrite): Promise<FencedOutcome> {
  const { key, value, token, tokenOf } = write;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const there = await bucket.getLatest(key);
    const stored = there.found ? tokenOf(there.value) : undefined;
    if (stored !== undefined && stored > token) return { written: false, token: stored };
    const outcome = there.found
      ? await bucket.update(key, value, there.revision)
      : await bucket.create(key, value);
    if (outcome.won) return { written: true, revision: outcome.revision };
  }
  throw zesterError('BUS_STORE_UNAVAILABLE', { what: key, reason: 'it changes faster than it can be read' });
}

/**
 * The token of a leader's term, from the revision of its lease and from what the guarded value carries when the lease is
 * won. Normally the first: it grows with every holder. A store that has lost its leases counts from one again, and then
 * the leader would be shut out for ever by its own predecessors.
 */
export function tokenOfTerm(leaseRevision: number, stored: number | undefined): number {
  return Math.max(leaseRevision, (stored ?? 0) + 1);
}
