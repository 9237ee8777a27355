/**
 * A return that comes after its job has ended. Its row is written all the same, and the record is counted anew from the
 * rows. A job that was canceled, or given up for a reason of its own, stays so; only its counts change.
 */

import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { Job } from '../../wire/records/job.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { isTerminal } from './job-lifecycle.ts';
import { statusOf } from './job-tally.ts';
import { isRealReturn, isSuccess } from './target-row.ts';

/** The record as the rows say it should be; undefined when there is nothing to change. */
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
