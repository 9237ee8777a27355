/**
 * This file makes the record of a job at each step of its dispatch. The client's word on status, owner, epochs, deadline
 * and counts is never taken: these are the master's.
 */

import { NANOS_PER_SECOND, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import { assert } from '../assert.ts';
import { mayFollow } from './job-lifecycle.ts';

/** For a job that names no timeout. */
const DEFAULT_TIMEOUT: bigint = 60n * NANOS_PER_SECOND;

/** The record of a claim: ours, not sent to anyone. The deadline counts on the master's clock from now. */
export function claimedJob(asked: Job, owner: MasterId, now: UnixNanos): Job {
  return {
    ...asked,
    // A target named twice is one target: it gets one request and one row.
    targets: [...new Set(asked.targets)],
    status: 'claimed',
    owner,
    updated: now,
    deadline: now + timeoutOf(asked),
    epoch: 0,
    execEpoch: 0,
    reclaimCount: 0,
    returnCount: 0,
    successCount: 0,
  };
}

/** The record that says: from this write on, requests may be on the wire. Its revision becomes the exec epoch. */
export function runningJob(claimed: Job, revision: number, now: UnixNanos): Job {
  assert(mayFollow(claimed.status, 'running'), `a job that is ${claimed.status} cannot be started`);
  return { ...claimed, status: 'running', epoch: revision, execEpoch: 0, updated: now };
}

/**
 * The exec epoch of a stored record. The write that set `running` cannot contain its own revision; every later write
 * carries it on.
 */
export function execEpochOf(job: Job, revision: number): number {
  return job.execEpoch === 0 ? revision : job.execEpoch;
}

/** A record read back without a deadline gets the one it should have had. */
export function deadlineOf(job: Job): UnixNanos {
  return job.deadline ?? job.created + timeoutOf(job);
}

/** When it was claimed first, on the clock of that master: the client's own clock may be far off. */
export function dispatchedAt(job: Job): UnixNanos {
  return deadlineOf(job) - timeoutOf(job);
}

function timeoutOf(job: Job): bigint {
  return job.timeout > 0n ? job.timeout : DEFAULT_TIMEOUT;
}
