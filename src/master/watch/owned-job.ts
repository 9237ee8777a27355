/** An owned job is one whose record this master wrote last, and whose requests may be on the wire. */
import { execEpochOf } from '../../core/jobs/job-record.ts';
import type { Job } from '../../wire/records/job.ts';

export interface OwnedJob {
  /** The record, its epoch being the revision below. */
  readonly job: Job;
  /** Of our newest write of the record: what the next one is fenced by. */
  readonly revision: number;
  /** Every request of the job carries it, from any master. */
  readonly execEpoch: number;
}

export function ownedJob(job: Job, revision: number): OwnedJob {
  return { job: { ...job, epoch: revision }, revision, execEpoch: execEpochOf(job, revision) };
}
