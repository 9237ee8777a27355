/**
 * This file makes and reads the row of one target, which is what the store keeps of it: the target's return, or what a
 * master knows of a target that sent none. A row that a master made counts as no return, and says what was last heard of
 * the target.
 */
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import type { LastProof, Return, Row } from '../../wire/records/job-return.ts';
import type { Outcome } from '../../wire/records/job-status.ts';

/** A peel sent it, as against a row that a master wrote in its place. */
export function isRealReturn(row: Row): boolean {
  return !row.unreachable;
}

export function isSuccess(row: Row): boolean {
  return isRealReturn(row) && isGood(row);
}

/** What a row says in one word. */
export function outcomeOf(row: Row): Outcome {
  return isRealReturn(row) ? outcomeOfReturn(row) : (row.outcome ?? 'unreachable');
}

/** A return as the row that is stored: with its outcome, and nothing that only masters may say. */
export function rowOf(value: Return): Row {
  const { jid, peelId, success, returnData, error, duration, timestamp } = value;
  const outcome = outcomeOfReturn(value);
  // Field by field: one is made for every return of every job, and the spread stood out in a master's profile.
  return {
    jid,
    peelId,
    success,
    returnData,
    error,
    duration,
    timestamp,
    outcome,
    unreachable: false,
    proof: undefined,
  };
}

/** How the job ended without a return of this target. */
export interface SilentTarget {
  readonly peel: PeelId;
  readonly acked: UnixNanos | undefined;
  readonly heartbeatAge: bigint | undefined;
  readonly isCanceled: boolean;
  /** The job could not be carried on. */
  readonly isGivenUp: boolean;
}

/** The row that a master writes for a target that did not return. */
export function rowFor(job: Job, target: SilentTarget, now: UnixNanos): Row {
  const { peel, acked, heartbeatAge } = target;
  const outcome = target.isCanceled ? 'canceled' : acked === undefined ? 'unreachable' : 'running';
  const proof: LastProof = { acked, heartbeatAge, epoch: job.epoch };
  return {
    jid: job.jid,
    peelId: peel,
    success: false,
    returnData: ENCODED_NIL,
    error: silenceText(outcome, target.isGivenUp),
    duration: 0n,
    timestamp: now,
    // The key that says "a master wrote this".
    unreachable: true,
    outcome,
    proof,
  };
}

function silenceText(outcome: 'canceled' | 'unreachable' | 'running', isGivenUp: boolean): string {
  const until = isGivenUp ? 'the job was given up' : 'the deadline';
  if (outcome === 'unreachable') return `UNREACHABLE: no ack and no return before ${until}`;
  return outcome === 'running'
    ? `accepted, but did not return before ${until}`
    : 'canceled before it returned';
}

/** A peel may say of itself that it stopped, or was too late; nothing else. */
function outcomeOfReturn(value: Return): Outcome {
  if (isGood(value)) return 'returned';
  return value.outcome === 'canceled' || value.outcome === 'expired' ? value.outcome : 'failed';
}

function isGood({ success, error }: Return): boolean {
  return success && error === '';
}
