/** This file tells how each target of a job stands: from its row if it has one, else from its ack and its heartbeat. */

import type { Signs } from '../../client/jobs/job-details.ts';
import { formatDuration } from '../../core/duration.ts';
import { isRealReturn, outcomeOf } from '../../core/jobs/target-row.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import type { LastProof, Row } from '../../wire/records/job-return.ts';
import { ageText } from '../terminal/age-text.ts';
import { behindText } from './waits-behind.ts';

export interface Standing {
  readonly peel: PeelId;
  readonly standing: string;
  readonly proof: string;
  readonly row: Row | undefined;
}

export function standings(job: Job, rows: readonly Row[], signs: Signs): Standing[] {
  const byPeel = new Map(rows.map((row) => [row.peelId, row]));
  return job.targets.map((peel) => {
    const row = byPeel.get(peel);
    const ack = signs.acks.get(peel);
    const beatMs = signs.heartbeatMs.get(peel);
    if (row?.proof !== undefined)
      return { peel, standing: outcomeOf(row), proof: proofThen(row.proof, signs.nowMs), row };
    // Who has returned needs no ack: a fast return stands for it.
    const noAck = row !== undefined && isRealReturn(row) ? [] : ['no ack'];
    const proof = [
      ...(ack === undefined ? noAck : [`acked ${ageText(signs.nowMs - ack.ackedMs)}`]),
      beatMs === undefined ? 'no heartbeat' : `heartbeat ${ageText(signs.nowMs - beatMs)}`,
    ].join(', ');
    if (row !== undefined) return { peel, standing: outcomeOf(row), proof, row };
    if (ack === undefined) return { peel, standing: 'unreachable so far', proof, row };
    if (ack.behind !== undefined)
      return { peel, standing: `waits behind ${behindText(ack.behind)}`, proof, row };
    return { peel, standing: beatMs === undefined ? 'delivered' : 'running', proof, row };
  });
}

/** What a master knew when it wrote the row: a peel that is back since then has not proved more about this job. */
function proofThen({ acked, heartbeatAge }: LastProof, nowMs: number): string {
  const ack = acked === undefined ? 'no ack' : `acked ${ageText(nowMs - msFromNanos(acked))}`;
  const beat =
    heartbeatAge === undefined
      ? 'no heartbeat then'
      : `heartbeat ${formatDuration(Math.round(msFromNanos(heartbeatAge) / 1_000) * 1_000)} old then`;
  return `${ack}, ${beat}`;
}
