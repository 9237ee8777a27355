/** A progress line tells how far a job is: counts, and who is slow. Redrawn in place on a terminal. */

import type { JobProgress } from '../../client/jobs/job-follower.ts';
import { behindAll } from '../job/waits-behind.ts';
import { displayName } from '../terminal/peel-names.ts';

const SLOW_SHOWN_MAX = 3;

export function progressLine(progress: Omit<JobProgress, 'job'>, elapsedMs: number): string {
  const { targets, acks, returns } = progress;
  const open = targets.filter((peel) => !returns.has(peel));
  const silent = open.filter((peel) => !acks.has(peel));
  const queued = open.filter((peel) => acks.get(peel)?.behind !== undefined);
  const running = open.filter((peel) => acks.has(peel) && acks.get(peel)?.behind === undefined);
  const slow = [...running, ...queued, ...silent].slice(0, SLOW_SHOWN_MAX).map(displayName);
  const behind = behindAll(queued.map((peel) => acks.get(peel)?.behind ?? ''));
  const parts = [
    `${returns.size}/${targets.length} returned`,
    `${running.length} running`,
    ...(queued.length === 0 ? [] : [`${queued.length} waiting behind ${behind}`]),
    `${silent.length} unreachable so far`,
    `${Math.round(elapsedMs / 1_000)} s`,
  ];
  return `${parts.join(', ')}${slow.length === 0 ? '' : `; waiting for ${slow.join(', ')}`}`;
}
