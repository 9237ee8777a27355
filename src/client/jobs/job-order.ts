/**
 * This file sorts job lists: as the jobs were made, the newest last, next to the prompt (spec, "List Recent Jobs"). A
 * job id has whole seconds, so within one second its order is chance; the record has more. Jobs of one instant go by
 * id, so that the same list is always in the same order.
 */
import type { Job } from '../../wire/records/job.ts';

export function inOrder(jobs: readonly Job[]): Job[] {
  return [...jobs].sort(compareJobs);
}

/** Negative when the first was made before the second. */
export function compareJobs(a: Job, b: Job): number {
  return compare(a.created, b.created) || compare(a.jid, b.jid);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
