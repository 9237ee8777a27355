/**
 * `EndedRows` remembers, of jobs that ended here lately, the targets whose return is stored as their row. The shared
 * consumer `late-returns` brings each return once more, often just after its job has ended; what is remembered here need
 * not be read again.
 *
 * Safe to trust at any delivery: the row was stored and counted before the final record was written. Written by the
 * watcher that ended the job, read by late-returns.ts; lost when the master dies, and then the rows are read.
 * Bound: `PEELS_MAX` targets over all jobs, and as many jobs; the oldest are forgotten first.
 */
import { LruMap } from '../../core/lru-map.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';

const PEELS_MAX = 200_000;

export class EndedRows {
  private readonly jobs = new LruMap<Jid, ReadonlySet<PeelId>>({
    entriesMax: PEELS_MAX,
    weightMax: PEELS_MAX,
    weightOf: (returned) => returned.size,
  });

  add(jid: Jid, returned: ReadonlySet<PeelId>): void {
    this.jobs.set(jid, returned);
  }

  has(jid: Jid, peel: PeelId): boolean {
    return this.jobs.peek(jid)?.has(peel) === true;
  }
}
