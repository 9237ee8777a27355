/**
 * A show record tells programs of a job: its record, and every target with its row or, as long as it has none, with its
 * signs of life.
 */

import { describeJob } from '../../client/jobs/describe-job.ts';
import type { JobDetails } from '../../client/jobs/job-details.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import { rowRecord } from '../returns/row-record.ts';

export function showRecord({ job, rows, signs, waitsBehind }: JobDetails): object {
  const byPeel = new Map(rows.map((row) => [row.peelId, row]));
  const isTest = asksDryRun(job.args);
  const returns = job.targets.map((peel) => {
    const value = byPeel.get(peel);
    const ack = signs.acks.get(peel);
    const ackedMs = ack?.ackedMs;
    const beatMs = signs.heartbeatMs.get(peel);
    const now = {
      ackedMs,
      heartbeatAgeMs: beatMs === undefined ? undefined : signs.nowMs - beatMs,
      behind: value === undefined ? ack?.behind : undefined,
    };
    if (value !== undefined)
      return [
        peel,
        rowRecord({
          outcome: outcomeOf(value),
          value,
          isTest,
          ...(value.proof === undefined ? { signs: now } : {}),
        }),
      ];
    return [
      peel,
      rowRecord({ outcome: ackedMs === undefined ? 'unreachable' : 'running', value, isTest, signs: now }),
    ];
  });
  return { ...describeJob(job, waitsBehind), returns: Object.fromEntries(returns) };
}
