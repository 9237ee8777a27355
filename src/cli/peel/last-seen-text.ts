/** When a peel was last seen, in words: `5s ago`, `10m ago or later, by its facts`. */
import type { LastSeen } from '../../client/peels/last-seen.ts';
import { ageText } from '../terminal/age-text.ts';

const BY: Readonly<Record<LastSeen['by'], string>> = {
  heartbeat: '',
  facts: ' or later, by its facts',
  job: ' or later, by a job',
};

export function lastSeenText(seen: LastSeen | undefined, nowMs: number): string {
  return seen === undefined ? 'unknown' : `${ageText(nowMs - seen.atMs)}${BY[seen.by]}`;
}
