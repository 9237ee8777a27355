/**
 * What is known of a job's targets while it runs, and the rows and the record it ends with.
 *
 * Acks and returns may come twice, late, in any order, and from peels that are no targets: those are not taken. The
 * first return of a target counts; a later one changes nothing. Status counts real returns only (decision 4): all, some,
 * none. Every target ends with exactly one row; a row for a target that did not return says what was last heard of it.
 */

import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import type { LastProof, Return } from '../../wire/records/job-return.ts';
import type { JobStatus, Outcome } from '../../wire/records/job-status.ts';

export type ReturnTaken = 'first' | 'again' | 'not-a-target';

/** What the master knows of a target's heartbeat when it writes a row. */
export type HeartbeatAge = (peel: PeelId) => bigint | undefined;

export class JobTally {
  readonly job: Job;
  private readonly targets: ReadonlySet<PeelId>;
  private readonly acks = new Map<PeelId, UnixNanos>();
  private readonly returns = new Map<PeelId, Return>();
  private canceledAt: UnixNanos | undefined;
  private failure: string | undefined;

  constructor(job: Job) {
    this.job = job;
    this.targets = new Set(job.targets);
  }

  /** False for a peel that is no target. */
  noteAck(peel: PeelId, at: UnixNanos): boolean {
    if (!this.targets.has(peel)) return false;
    if (!this.acks.has(peel)) this.acks.set(peel, at);
    return true;
  }

  /** Takes a real return; rows that a master made for a silent target are no returns. */
  noteReturn(peel: PeelId, value: Return): ReturnTaken {
    if (!this.targets.has(peel)) return 'not-a-target';
    if (!isRealReturn(value)) return 'again';
    if (this.returns.has(peel)) return 'again';
    this.returns.set(peel, value);
    return 'first';
  }

  /** The row that the store keeps, which is the one that counts: another writer was first. */
  noteStored(peel: PeelId, row: Return): void {
    if (this.targets.has(peel) && isRealReturn(row)) this.returns.set(peel, row);
  }

  noteCancel(at: UnixNanos): void {
    this.canceledAt ??= at;
  }

  /** The job cannot be carried on; its record will say why, unless all have returned and nothing is left to carry on. */
  noteFailure(reason: string): void {
    this.failure ??= reason;
  }

  isCanceled(): boolean {
    return this.canceledAt !== undefined;
  }

  allReturned(): boolean {
    return this.returns.size >= this.targets.size;
  }

  /** Targets with a real return. */
  returned(): ReadonlySet<PeelId> {
    return new Set(this.returns.keys());
  }

  hasReturned(peel: PeelId): boolean {
    return this.returns.has(peel);
  }

  /** Some target says that it was stopped by a cancel. */
  someStopped(): boolean {
    for (const value of this.returns.values()) if (outcomeOf(value) === 'canceled') return true;
    return false;
  }

  /** Some target has accepted the job and not returned. */
  someAtWork(): boolean {
    for (const peel of this.acks.keys()) if (!this.returns.has(peel)) return true;
    return false;
  }

  isTarget(peel: PeelId): boolean {
    return this.targets.has(peel);
  }

  isSilent(peel: PeelId): boolean {
    return this.targets.has(peel) && !this.acks.has(peel) && !this.returns.has(peel);
  }

  /** Targets of which nothing was heard: who a request is sent to again. */
  silent(): PeelId[] {
    return this.job.targets.filter((peel) => this.isSilent(peel));
  }

  counts(): {
    readonly targets: number;
    readonly acked: number;
    readonly returned: number;
    readonly succeeded: number;
  } {
    const succeeded = [...this.returns.values()].filter(isSuccess).length;
    return { targets: this.targets.size, acked: this.acks.size, returned: this.returns.size, succeeded };
  }

  /** The record that ends the job. */
  finalJob(execEpoch: number, now: UnixNanos): Job {
    const { returned, succeeded } = this.counts();
    return {
      ...this.job,
      status: this.finalStatus(returned, succeeded),
      updated: now,
      execEpoch,
      returnCount: returned,
      successCount: succeeded,
      metadata:
        this.failure === undefined || this.allReturned()
          ? this.job.metadata
          : { ...this.job.metadata, failed_reason: this.failure },
    };
  }

  /** Rows for the targets that did not return; those that did have theirs already. */
  missingRows(now: UnixNanos, heartbeatAge: HeartbeatAge): Return[] {
    return this.job.targets
      .filter((peel) => !this.returns.has(peel))
      .map((peel) => {
        const acked = this.acks.get(peel);
        const proof: LastProof = { acked, heartbeatAge: heartbeatAge(peel), epoch: this.job.epoch };
        const outcome = this.isCanceled() ? 'canceled' : acked === undefined ? 'unreachable' : 'running';
        return { ...missingRow(this.job, peel, outcome, now), error: this.missingError(outcome), proof };
      });
  }

  private missingError(outcome: MissingOutcome): string {
    const until = this.failure === undefined ? 'the deadline' : 'the job was given up';
    if (outcome === 'unreachable') return `UNREACHABLE: no ack and no return before ${until}`;
    return outcome === 'running'
      ? `accepted, but did not return before ${until}`
      : 'canceled before it returned';
  }

  private finalStatus(returned: number, succeeded: number): JobStatus {
    const counted = statusOf({ targets: this.targets.size, returned, succeeded });
    // A cancel that came when all was done stopped nothing.
    if (this.allReturned()) return this.isCanceled() && this.someStopped() ? 'canceled' : counted;
    if (this.failure !== undefined) return 'failed';
    return this.isCanceled() ? 'canceled' : counted;
  }
}

/** Status by real returns: all, some, none. */
export function statusOf(count: {
  readonly targets: number;
  readonly returned: number;
  readonly succeeded: number;
}): JobStatus {
  if (count.returned >= count.targets) return count.succeeded === count.returned ? 'complete' : 'failed';
  return count.returned > 0 ? 'partial' : 'timeout';
}

/** A peel sent it, as against a row that a master wrote in its place. */
export function isRealReturn(value: Return): boolean {
  return !value.unreachable;
}

export function isSuccess(value: Return): boolean {
  return isRealReturn(value) && value.success && value.error === '';
}

/** What a row says in one word. A peel may say of itself that it stopped, or was too late; nothing else. */
export function outcomeOf(value: Return): Outcome {
  if (!isRealReturn(value)) return value.outcome ?? 'unreachable';
  if (isSuccess(value)) return 'returned';
  return value.outcome === 'canceled' || value.outcome === 'expired' ? value.outcome : 'failed';
}

/** A return as the row that is stored: with its outcome, and without what only masters may say. */
export function rowOf(value: Return): Return {
  return { ...value, outcome: outcomeOf(value), proof: undefined };
}

type MissingOutcome = 'canceled' | 'unreachable' | 'running';

function missingRow(job: Job, peelId: PeelId, outcome: MissingOutcome, now: UnixNanos): Return {
  return {
    jid: job.jid,
    peelId,
    success: false,
    returnData: ENCODED_NIL,
    error: '',
    duration: 0n,
    timestamp: now,
    // The key that says "a master wrote this".
    unreachable: true,
    outcome,
    proof: undefined,
  };
}
