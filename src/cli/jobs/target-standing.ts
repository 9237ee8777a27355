/** How each target of a job stands: from its row if it has one, else from its ack and its heartbeat. */
import { outcomeOf } from '../../core/jobs/job-tally.ts';
import type { PeelId } from '../../wire/ids.ts';
import type { Job } from '../../wire/job.ts';
import type { Return } from '../../wire/job-return.ts';

export interface Signs {
  /** When each target's ack is stored, by the store's clock. */
  readonly ackedMs: ReadonlyMap<PeelId, number>;
  /** When each peel last wrote its heartbeat; absent when it has none. */
  readonly heartbeatMs: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

export interface Standing {
  readonly peel: PeelId;
  readonly standing: string;
  readonly proof: string;
  readonly row: Return | undefined;
}

export function standings(job: Job, rows: readonly Return[], signs: Signs): Standing[] {
  const byPeel = new Map(rows.map((row) => [row.peelId, row]));
  return job.targets.map((peel) => {
    const row = byPeel.get(peel);
    const ackedMs = signs.ackedMs.get(peel);
    const beatMs = signs.heartbeatMs.get(peel);
    const proof = [
      ackedMs === undefined ? 'no ack' : `acked ${age(signs.nowMs - ackedMs)} ago`,
      beatMs === undefined ? 'no heartbeat' : `heartbeat ${age(signs.nowMs - beatMs)} ago`,
    ].join(', ');
    if (row !== undefined) return { peel, standing: outcomeOf(row), proof, row };
    if (ackedMs === undefined) return { peel, standing: 'not delivered', proof, row };
    return { peel, standing: beatMs === undefined ? 'delivered' : 'running', proof, row };
  });
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 120 ? `${seconds}s` : `${Math.round(seconds / 60)}m`;
}
