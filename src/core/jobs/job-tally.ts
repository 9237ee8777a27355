/**
 * The tally of a job keeps what is known of its targets while it runs, and makes the rows and the record that follow.
 *
 * Acks and returns may come twice, late, in any order, and from peels that are no targets: those are not taken. The
 * first return of a target counts; a later one changes nothing. Status counts real returns only (decision 4): all, some,
 * none. Every target ends with exactly one row; a row for a target that did not return says what was last heard of it.
 */

import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { JobStatus } from '../../wire/records/job-status.ts';
import { isTerminal } from './job-lifecycle.ts';
import { isRealReturn, isSuccess, outcomeOf, rowFor } from './target-row.ts';

export type ReturnTaken = 'first' | 'again' | 'not-a-target';

/** What the master knows of a target's heartbeat when it writes a row. */
export type HeartbeatAge = (peel: PeelId) => bigint | undefined;

export class JobTally {
  readonly job: Job;
  private readonly targets: ReadonlySet<PeelId>;
  private readonly acks = new Map<PeelId, UnixNanos>();
  private readonly returns = new Map<PeelId, Row>();
  /** Acked and not returned. */
  private atWork = 0;
  private canceledAt: UnixNanos | undefined;
  private failure: string | undefined;

  constructor(job: Job) {
    this.job = job;
    this.targets = new Set(job.targets);
  }

  /** False for a peel that is no target. */
  noteAck(peel: PeelId, at: UnixNanos): boolean {
    if (!this.targets.has(peel)) return false;
    if (this.acks.has(peel)) return true;
    this.acks.set(peel, at);
    if (!this.returns.has(peel)) this.atWork += 1;
    return true;
  }

  /** Takes a real return; rows that a master made for a silent target are no returns. */
  noteReturn(peel: PeelId, row: Row): ReturnTaken {
    if (!this.targets.has(peel)) return 'not-a-target';
    if (!isRealReturn(row) || this.returns.has(peel)) return 'again';
    this.noteStored(peel, row);
    return 'first';
  }

  /** The row that the store keeps, which is the one that counts: another writer was first. */
  noteStored(peel: PeelId, row: Row): void {
    if (!this.targets.has(peel) || !isRealReturn(row)) return;
    if (this.acks.has(peel) && !this.returns.has(peel)) this.atWork -= 1;
    this.returns.set(peel, row);
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
    for (const row of this.returns.values()) if (outcomeOf(row) === 'canceled') return true;
    return false;
  }

  /** Some target has accepted the job and not returned. */
  someAtWork(): boolean {
    return this.atWork > 0;
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
  missingRows(now: UnixNanos, heartbeatAge: HeartbeatAge): Row[] {
    const silence = { isCanceled: this.isCanceled(), isGivenUp: this.failure !== undefined };
    return this.job.targets
      .filter((peel) => !this.returns.has(peel))
      .map((peel) => {
        const target = { ...silence, peel, acked: this.acks.get(peel), heartbeatAge: heartbeatAge(peel) };
        return rowFor(this.job, target, now);
      });
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

/**
 * The record of an ended job as its rows say it should be, after a return came late; undefined when there is nothing to
 * change. A job that was canceled, or given up for a reason of its own, stays so; only its counts change.
 */
export function recounted(job: Job, rows: readonly Row[], now: UnixNanos): Job | undefined {
  if (!isTerminal(job.status)) return undefined;
  const targets = new Set<string>(job.targets);
  const real = rows.filter((row) => targets.has(row.peelId) && isRealReturn(row));
  const returned = real.length;
  const succeeded = real.filter(isSuccess).length;
  if (returned === job.returnCount && succeeded === job.successCount) return undefined;
  const fixed = job.status === 'canceled' || job.metadata.failed_reason !== undefined;
  const status = fixed ? job.status : statusOf({ targets: targets.size, returned, succeeded });
  return { ...job, status, returnCount: returned, successCount: succeeded, updated: now };
}
