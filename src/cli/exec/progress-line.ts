/** One line that tells how far a job is: counts, and who is slow. Redrawn in place on a terminal. */
import { displayName } from '../peel-names.ts';
import type { JobProgress } from './job-follower.ts';

const SLOW_SHOWN_MAX = 3;

export function progressLine(progress: JobProgress, elapsedMs: number): string {
  const { targets, acked, returns } = progress;
  const waiting = targets.filter((peel) => !returns.has(peel));
  const silent = waiting.filter((peel) => !acked.has(peel));
  const slow = [...waiting.filter((peel) => acked.has(peel)), ...silent]
    .slice(0, SLOW_SHOWN_MAX)
    .map(displayName);
  const parts = [
    `${returns.size}/${targets.length} returned`,
    `${waiting.length - silent.length} running`,
    `${silent.length} unreachable so far`,
    `${Math.round(elapsedMs / 1_000)} s`,
  ];
  return `${parts.join(', ')}${slow.length === 0 ? '' : `; waiting for ${slow.join(', ')}`}`;
}
