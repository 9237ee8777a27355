/**
 * When a job is counted. Its deadline is the end of the work: nothing is sent or started after it, and peels cut off
 * what still runs. They do so at that very instant, so their word on it comes a moment later; a job counted at the
 * deadline would call such a target `running` and be corrected right away. So a job in which some target has accepted
 * and not returned stays open for `LAST_WORD_MS` more, and not longer than until the last of them has returned.
 * Targets that never accepted are not waited for: they have nothing to cut off.
 */
import type { JobTally } from './job-tally.ts';

/** A program that ignores SIGTERM is killed after 2 s; the rest is for the disk, the way and clocks that differ. */
export const LAST_WORD_MS = 5_000;

/** 0: count it now. `msToDeadline` is negative once the deadline has passed. */
export function msToClosing(
  tally: Pick<JobTally, 'allReturned' | 'someAtWork'>,
  msToDeadline: number,
): number {
  if (tally.allReturned()) return 0;
  if (msToDeadline > 0) return msToDeadline;
  return tally.someAtWork() ? Math.max(0, msToDeadline + LAST_WORD_MS) : 0;
}
