/** This file makes the record of a job that another master takes over, and says when a job is given up instead. */

import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import { assert } from '../assert.ts';
import type { Departure } from './dead-owners.ts';
import { isTerminal } from './job-lifecycle.ts';
import { deadlineOf, execEpochOf } from './job-record.ts';

/** A job that keeps killing its masters, or only meets dying ones, is ended after so many adoptions. */
export const RECLAIMS_MAX = 3;

export interface Adoption {
  /** Of the record as it was read. */
  readonly revision: number;
  readonly owner: MasterId;
  /** What became of the old owner. */
  readonly departure: Departure;
  readonly now: UnixNanos;
}

/**
 * The record under its new owner. The status stays: before `running` no peel has seen the job, from then on one may
 * have. So does the exec epoch, under which every request of the job is the same request. Only a dead owner counts
 * towards the limit: a long job must survive any number of rolling restarts.
 */
export function adoptedJob(job: Job, { revision, owner, departure, now }: Adoption): Job {
  assert(!isTerminal(job.status), 'a job that has ended is not adopted');
  const isRunning = job.status === 'running';
  return {
    ...job,
    status: isRunning ? 'running' : 'claimed',
    owner,
    epoch: 0,
    execEpoch: isRunning ? execEpochOf(job, revision) : 0,
    reclaimCount: job.reclaimCount + (departure === 'died' ? 1 : 0),
    deadline: deadlineOf(job),
    updated: now,
  };
}

/** Why an adopted job is not carried on; undefined when it is. */
export function reasonToGiveUp({ reclaimCount }: Job): string | undefined {
  if (reclaimCount <= RECLAIMS_MAX) return undefined;
  return `reclaimed ${reclaimCount} times, more than ${RECLAIMS_MAX}: its masters keep dying`;
}
