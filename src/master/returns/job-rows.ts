/**
 * `JobRows` brings the returns of one job to the store as rows. What is kept in the tally is only what counts; the data
 * of a return is the writer's until it is stored, and nobody's afterwards.
 */
import type { JobTally } from '../../core/jobs/job-tally.ts';
import { rowOf } from '../../core/jobs/target-row.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Return, Row } from '../../wire/records/job-return.ts';
import type { ReturnWriter } from './return-writer.ts';

export interface TakenReturn {
  /** It was not counted before. */
  readonly isFirst: boolean;
  /** Resolves to true when the row is in the store, to false when it cannot be stored. */
  readonly stored: Promise<boolean>;
}

export class JobRows {
  private readonly tally: JobTally;
  private readonly writer: ReturnWriter;
  private readonly signal: AbortSignal;
  private readonly failed: (error: unknown) => void;
  private readonly underWay = new Map<PeelId, Promise<boolean>>();

  constructor(tally: JobTally, writer: ReturnWriter, signal: AbortSignal, failed: (error: unknown) => void) {
    this.tally = tally;
    this.writer = writer;
    this.signal = signal;
    this.failed = failed;
  }

  /** Counts the return and has it stored; one that was counted before changes nothing. Undefined when there is no room. */
  take(peel: PeelId, value: Return): TakenReturn | undefined {
    if (this.tally.hasReturned(peel))
      return { isFirst: false, stored: this.underWay.get(peel) ?? Promise.resolve(true) };
    const row = rowOf(value);
    if (!this.writer.hasRoomFor(row)) return undefined;
    this.tally.noteReturn(peel, counted(row));
    const stored = this.store(peel, row);
    this.underWay.set(peel, stored);
    return { isFirst: true, stored };
  }

  /** A row that is in the store already. */
  found(peel: PeelId, row: Row): void {
    this.tally.noteStored(peel, counted(row));
  }

  private async store(peel: PeelId, row: Row): Promise<boolean> {
    try {
      const first = await this.writer.write(row, this.signal);
      if (first !== undefined) this.tally.noteStored(peel, counted(first));
      return true;
    } catch (error) {
      if (!this.signal.aborted) this.failed(error);
      return false;
    } finally {
      this.underWay.delete(peel);
    }
  }
}

function counted(row: Row): Row {
  return { ...row, returnData: ENCODED_NIL };
}
