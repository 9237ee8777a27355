/**
 * The return writer takes rows off the callbacks of NATS and writes them, many at a time, each until it is stored. There is
 * one for all jobs of a master.
 *
 * Safety: a return counts as persisted when the store said so, never before. Liveness: a failed write is repeated with
 * growing pauses for as long as the master lives and the job is its own. Bounds: `rowWritesMax` writes under way and
 * `rowBytesMax` bytes waiting; at the second the return is not taken. It is not lost: it is in stream job-events, from
 * which the watcher reads it again, as does the late-returns consumer.
 *
 * Rows that come in together go out together, at most `ROWS_GATHERED_MS` later. If we die in that time they are in the
 * stream, as before.
 */
import { gathering } from '../../runtime/gather.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';
import { persistRow } from './persist-row.ts';

export interface ReturnWriter {
  /** Whether another row may be handed in; asked by callbacks, which cannot wait. */
  hasRoomFor(row: Row): boolean;
  /**
   * Resolves when the row is stored; rejects when `signal` aborts first. What it resolves to is the real return that
   * was stored before, if there was one.
   */
  write(row: Row, signal: AbortSignal): Promise<Row | undefined>;
  /** Rows not stored yet. */
  waiting(): number;
}

/** What a row costs in memory beside its data and its error. */
const ROW_OVERHEAD_BYTES = 512;
const ROWS_GATHERED_MS = 8;

export function returnWriter(
  context: Pick<MasterContext, 'bus' | 'rows' | 'runtime' | 'settings'>,
): ReturnWriter {
  const { rowWritesMax, rowBytesMax } = context.settings;
  const writes = new Semaphore(rowWritesMax);
  const gather = gathering(context.runtime.clock, ROWS_GATHERED_MS);
  let bytes = 0;
  let waiting = 0;

  async function store(row: Row, signal: AbortSignal): Promise<Row | undefined> {
    await gather();
    const what = `row of ${row.peelId} for job ${row.jid}`;
    return writes.run(() => retried(context.runtime, signal, what, () => persistRow(context, row)));
  }

  return {
    // One row always has room: otherwise a large one would never get in.
    hasRoomFor: (row) => waiting === 0 || bytes + sizeOf(row) <= rowBytesMax,
    write(row, signal) {
      const size = sizeOf(row);
      bytes += size;
      waiting += 1;
      return store(row, signal).finally(() => {
        bytes -= size;
        waiting -= 1;
      });
    },
    waiting: () => waiting,
  };
}

function sizeOf(row: Row): number {
  return row.returnData.length + row.error.length + ROW_OVERHEAD_BYTES;
}
