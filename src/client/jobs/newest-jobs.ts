/**
 * `NewestJobs` collects the newest jobs from records that come by their last write, the newest first. Pure.
 *
 * A record is written last at or after the time its job was made. So once `limit` jobs are there that were made after
 * the last write at hand, nothing that is still to come can be among the newest: reading may stop. An old job that was
 * counted anew just now comes early and does not disturb that. Clocks: `created` is the client's, the time of a write
 * the store's; a client whose clock is wrong by a minute has its jobs that much out of place.
 */

import { nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { Job } from '../../wire/records/job.ts';
import { compareJobs } from './job-order.ts';

export class NewestJobs {
  /** Whether older ones may be there that were not asked for. */
  isCut = false;
  private readonly limit: number;
  private readonly since: UnixNanos | undefined;
  /** In the order of making, the newest first: as they come, but for those that were written late. */
  private readonly jobs: Job[] = [];

  constructor(limit: number, since?: UnixNanos) {
    this.limit = limit;
    this.since = since;
  }

  /** Takes the next record, undefined for one that is not wanted; false when no other is needed. */
  take(job: Job | undefined, writtenMs: number): boolean {
    // What was last written before that was made before it.
    if (this.since !== undefined && nanosFromMs(writtenMs + 1) <= this.since) return false;
    if (job !== undefined && (this.since === undefined || job.created >= this.since)) this.add(job);
    const last = this.jobs[this.limit - 1];
    if (last === undefined || last.created < nanosFromMs(writtenMs + 1)) return true;
    this.isCut = true;
    return false;
  }

  /** The newest last, next to the prompt. */
  found(): readonly Job[] {
    return this.jobs.toReversed();
  }

  private add(job: Job): void {
    // The next one is mostly older than those that are there: then its place is the end, and nothing has to move.
    const newer = this.jobs.findLastIndex((each) => compareJobs(each, job) > 0);
    this.jobs.splice(newer + 1, 0, job);
    if (this.jobs.length <= this.limit) return;
    this.isCut = true;
    this.jobs.pop();
  }
}
