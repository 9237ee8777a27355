/** What becomes of the record of a job whose owner is dead. */
import type { MasterId } from '../../wire/ids.ts';
import type { Job } from '../../wire/job.ts';
import type { UnixNanos } from '../../wire/time.ts';
import { assert } from '../assert.ts';
import { isTerminal } from './job-lifecycle.ts';
import { deadlineOf, execEpochOf } from './job-record.ts';

/** A job that keeps killing its masters, or only meets dying ones, is ended after so many adoptions. */
export const RECLAIMS_MAX = 3;

/**
 * The record under its new owner. The status stays: `claimed` still proves that no peel has seen the job, `running` that
 * one may have. So does the exec epoch, under which every request of the job is the same request.
 */
export function adoptedJob(job: Job, revision: number, owner: MasterId, now: UnixNanos): Job {
  assert(!isTerminal(job.status), 'a job that has ended is not adopted');
  return {
    ...job,
    owner,
    epoch: 0,
    execEpoch: job.status === 'running' ? execEpochOf(job, revision) : 0,
    reclaimCount: job.reclaimCount + 1,
    deadline: deadlineOf(job),
    updated: now,
  };
}

/** Why an adopted job is not carried on; undefined when it is. */
export function reasonToGiveUp({ reclaimCount }: Job): string | undefined {
  if (reclaimCount <= RECLAIMS_MAX) return undefined;
  return `reclaimed ${reclaimCount} times, more than ${RECLAIMS_MAX}: its masters keep dying`;
}
