/**
 * `persistRow` writes rows so that a real return is never lost and never replaced: the first one stays, whoever wrote it.
 * Masters write the same row at the same time as a matter of course (the owner on arrival, another one from the stream),
 * and any number of times; a row that a master made for a silent target gives way to the real one, and to one that was
 * made under a later ownership of the job, never to one of an earlier.
 *
 * Each write is fenced by the revision it replaces. If we die after it, whoever writes next finds it.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { fittingRow } from '../../core/jobs/fitting-row.ts';
import { isRealReturn } from '../../core/jobs/target-row.ts';
import { jobReturnKey } from '../../wire/names/keys.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { RowId } from '../../wire/records/tables.ts';
import { payloadLimit } from '../dispatch/payload-limit.ts';
import type { MasterContext } from '../master-context.ts';

/** Each round means that somebody else wrote the row between our read and our write. */
const ROUNDS_MAX = 8;

/** Stores the row; gives the real return that was there already, which then is the one that counts. */
export async function persistRow(
  { rows, bus }: Pick<MasterContext, 'rows' | 'bus'>,
  row: Row,
): Promise<Row | undefined> {
  const id = idOf(row);
  const fitting = fittingRow(row, payloadLimit(bus));
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if ((await rows.create(id, fitting)).won) return undefined;
    const there = await rows.getLatest(id);
    if (there.is === 'absent') continue;
    // What cannot be read is no row: it gives way.
    const stored = there.is === 'found' ? there.value : undefined;
    if (stored !== undefined && isRealReturn(stored)) return stored;
    if (stored !== undefined && isOlder(row, stored)) return undefined;
    if ((await rows.update(id, fitting, there.revision)).won) return undefined;
  }
  const what = jobReturnKey(id.jid, id.peel);
  throw zesterError('BUS_STORE_UNAVAILABLE', { what, reason: 'it changes faster than it can be read' });
}

/** Made by a master that has lost the job to the one that made the other. */
function isOlder(row: Row, other: Row): boolean {
  return row.proof !== undefined && other.proof !== undefined && row.proof.epoch < other.proof.epoch;
}

/** Stores the row only where there is none; false when there is one. */
export async function addRow({ rows, bus }: Pick<MasterContext, 'rows' | 'bus'>, row: Row): Promise<boolean> {
  return (await rows.create(idOf(row), fittingRow(row, payloadLimit(bus)))).won;
}

function idOf({ jid, peelId }: Row): RowId {
  return { jid, peel: peelId };
}
