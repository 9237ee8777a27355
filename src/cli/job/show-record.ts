/** A job for programs: its record, and every target with its row or, as long as it has none, with its signs of life. */

import { jobRecord } from '../../client/jobs/read-jobs.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { outcomeOf } from '../../core/jobs/job-tally.ts';
import type { Job } from '../../wire/records/job.ts';
import type { Return } from '../../wire/records/job-return.ts';
import { rowRecord } from '../returns/row-record.ts';
import type { Signs } from './target-standing.ts';

/** `waitsBehind`: what the whole job waits behind. */
export function showRecord(
  job: Job,
  rows: readonly Return[],
  signs: Signs,
  waitsBehind: readonly string[],
): object {
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
  return { ...jobRecord(job, waitsBehind), returns: Object.fromEntries(returns) };
}
