/**
 * The targets of jobs that ended here lately whose return is stored as their row. The shared consumer `late-returns`
 * brings each return once more, often just after its job has ended; what is remembered here need not be read again.
 *
 * Safe to trust at any delivery: the row was stored and counted before the final record was written. Written by the
 * watcher that ended the job, read by late-returns.ts; lost when the master dies, and then the rows are read.
 * Bound: `PEELS_MAX` targets over all jobs; the oldest jobs are forgotten first.
 */
import type { Jid, PeelId } from '../../wire/names/ids.ts';

const PEELS_MAX = 200_000;

export class EndedRows {
  private readonly jobs = new Map<Jid, ReadonlySet<PeelId>>();
  private peels = 0;

  add(jid: Jid, returned: ReadonlySet<PeelId>): void {
    this.forget(jid);
    this.jobs.set(jid, returned);
    this.peels += returned.size;
    for (const oldest of this.jobs.keys()) {
      if (this.peels <= PEELS_MAX) return;
      this.forget(oldest);
    }
  }

  has(jid: Jid, peel: PeelId): boolean {
    return this.jobs.get(jid)?.has(peel) === true;
  }

  private forget(jid: Jid): void {
    this.peels -= this.jobs.get(jid)?.size ?? 0;
    this.jobs.delete(jid);
  }
}
