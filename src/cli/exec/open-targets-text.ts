/**
 * This file words what is known of targets without a row when a command stops following their job: what each of them
 * has said, by its ack, and whether the job still goes on, by its record and its deadline. Pure.
 */

import type { JobProgress } from '../../client/jobs/job-follower.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { timeText } from '../../core/time-text.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { behindAll } from '../job/waits-behind.ts';
import { displayNames } from '../terminal/peel-names.ts';

/** Empty when every target has a row. */
export function openTargetsText(progress: JobProgress, nowMs: number, attachCommand: string): string {
  const { targets, acks, returns, job } = progress;
  const open = targets.filter((peel) => !returns.has(peel));
  if (open.length === 0) return '';
  if (job !== undefined && isTerminal(job.status))
    return `The job has ended (${job.status}), and no row was read for ${displayNames(open)}.`;
  const silent = open.filter((peel) => !acks.has(peel));
  const started = open.filter((peel) => acks.has(peel) && acks.get(peel)?.behind === undefined);
  const queued = open.flatMap((peel) => {
    const behind = acks.get(peel)?.behind;
    return behind === undefined ? [] : [{ peel, behind }];
  });
  const behind = behindAll(queued.map((each) => each.behind));
  return [
    ...named('No return yet, but an ack, from', started),
    ...named(
      'In the queue of',
      queued.map(({ peel }) => peel),
      `, behind ${behind}`,
    ),
    ...named('No word yet from', silent),
    `${standing(job, nowMs)}: ${attachCommand}`,
  ].join(' ');
}

function named(what: string, peels: readonly PeelId[], more = ''): string[] {
  return peels.length === 0 ? [] : [`${what} ${displayNames(peels)}${more}.`];
}

function standing(job: JobProgress['job'], nowMs: number): string {
  if (job === undefined) return 'The record of the job was not seen';
  const deadline = deadlineOf(job);
  return msFromNanos(deadline) > nowMs
    ? `The job goes on until its deadline, ${timeText(deadline)}`
    : 'Its deadline has passed, and no master has ended the job yet';
}
