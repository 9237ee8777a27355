/**
 * Writes rows so that a real return is never lost and never replaced: the first one stays, whoever wrote it. Masters
 * write the same row at the same time as a matter of course (the owner on arrival, another one from the stream), and
 * any number of times; a row that a master made for a silent target gives way to the real one, and to one that was made
 * under a later ownership of the job, never to one of an earlier.
 *
 * Each write is fenced by the revision it replaces. If we die after it, whoever writes next finds it.
 */
import type { Bus, KvEntry } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { fittingRow } from '../../core/jobs/fitting-row.ts';
import { isRealReturn } from '../../core/jobs/target-row.ts';
import { WireError } from '../../wire/msgpack/wire-error.ts';
import { jobReturnKey } from '../../wire/names/keys.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { payloadLimit } from '../dispatch/payload-limit.ts';
import type { MasterContext } from '../master-context.ts';

/** Each round means that somebody else wrote the row between our read and our write. */
const ROUNDS_MAX = 8;

/** Stores the row; gives the real return that was there already, which then is the one that counts. */
export async function persistRow(
  { rows, bus }: Pick<MasterContext, 'rows' | 'bus'>,
  row: Row,
): Promise<Row | undefined> {
  const { key, value } = entryOf(bus, row);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if ((await rows.create(key, value)).won) return undefined;
    const there = await rows.getLatest(key);
    if (!there.found) continue;
    const stored = storedRow(there);
    if (stored !== undefined && isRealReturn(stored)) return stored;
    if (stored !== undefined && isOlder(row, stored)) return undefined;
    if ((await rows.update(key, value, there.revision)).won) return undefined;
  }
  throw zesterError('BUS_STORE_UNAVAILABLE', { what: key, reason: 'it changes faster than it can be read' });
}

/** Made by a master that has lost the job to the one that made the other. */
function isOlder(row: Row, other: Row): boolean {
  return row.proof !== undefined && other.proof !== undefined && row.proof.epoch < other.proof.epoch;
}

/** Stores the row only where there is none; false when there is one. */
export async function addRow({ rows, bus }: Pick<MasterContext, 'rows' | 'bus'>, row: Row): Promise<boolean> {
  const { key, value } = entryOf(bus, row);
  return (await rows.create(key, value)).won;
}

function entryOf(bus: Bus, row: Row): { key: string; value: Uint8Array } {
  const value = rowCodec.encode(fittingRow(row, payloadLimit(bus)));
  return { key: jobReturnKey(row.jid, row.peelId), value };
}

/** The row of an entry; undefined when it is not one, and then as good as absent. */
export function storedRow(entry: KvEntry): Row | undefined {
  try {
    return rowCodec.decode(entry.value);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
