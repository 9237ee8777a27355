/**
 * The sweep makes sure that no living job is invisible (decision 8): at the start and every `sweepMs` each master goes
 * through all records and makes the missing entries of the index, from which the orphan scan works. An entry is missing
 * when a master died between the claim and the entry, or the store forgot it.
 *
 * What is left of entries that were deleted and not removed is removed, so that no look has to read it (active-index.ts).
 *
 * Safe to do twice, at once, and by everybody: the entry is only created where there is none. A job that ends at the same
 * moment may get an entry that is left over; the scan removes it.
 * Bounds: records are read `READS_AT_A_TIME`; those that have ended are remembered, up to `ENDED_KEPT_MAX`, so that a
 * week of them is read once.
 */
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { periodic } from '../../runtime/periodic.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { stopSource } from '../../runtime/signals.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { indexJob, removeMark } from '../dispatch/active-index.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';

const SPREAD = 0.1;

const READS_AT_A_TIME = 16;
const ENDED_KEPT_MAX = 500_000;

export class JobSweep {
  private readonly context: MasterContext;
  private readonly reads = new Semaphore(READS_AT_A_TIME);
  private readonly stopping = stopSource();
  private readonly signal: AbortSignal;
  private ended = new Set<Jid>();
  private turns: { stop(): void } | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  constructor(context: MasterContext) {
    this.context = context;
    this.signal = AbortSignal.any([context.life, this.stopping.signal]);
  }

  /** The first sweep begins at once; nobody waits for it. */
  start(): void {
    const { runtime, settings } = this.context;
    const sweep = () => {
      this.sweeping = this.sweep();
      return this.sweeping;
    };
    void sweep().catch((error: unknown) => {
      if (!this.signal.aborted) runtime.log.warn('sweep of jobs: not this time', { error });
    });
    this.turns = periodic(
      runtime,
      { what: 'sweep of jobs', everyMs: settings.sweepMs, spread: SPREAD },
      sweep,
    );
  }

  /** Resolves when nothing more will be written. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.turns?.stop();
    await this.sweeping.catch(() => undefined);
  }

  private async sweep(): Promise<void> {
    const { jobs, activeJobs } = this.context;
    const keys = await this.retry('keys of the index', () => activeJobs.idsWithDeleted());
    const jids = await this.retry('list of jobs', () => jobs.idsWithDeleted());
    const indexed = new Set(await this.retry('index of jobs', () => activeJobs.ids()));
    const kept = new Set(jids.filter((jid) => this.ended.has(jid)));
    this.ended = kept;
    const unknown = jids.filter((jid) => !kept.has(jid) && !indexed.has(jid));
    await Promise.all(unknown.map((jid) => this.reads.run(() => this.check(jid))));
    const marks = keys.filter((jid) => !indexed.has(jid));
    const remove = (jid: Jid) => this.retry(`mark of job ${jid}`, () => removeMark(this.context, jid));
    await Promise.all(marks.map((jid) => this.reads.run(() => remove(jid))));
  }

  private async check(jid: Jid): Promise<void> {
    const { jobs, runtime } = this.context;
    const read = await this.retry(`record of job ${jid}`, () => jobs.getLatest(jid));
    if (read.is !== 'found') return;
    if (!isTerminal(read.value.status)) {
      runtime.log.warn('unfinished job without an index entry; made again', { jid });
      await this.retry(`index of job ${jid}`, () => indexJob(this.context, read.value));
    } else if (this.ended.size < ENDED_KEPT_MAX) {
      this.ended.add(jid);
    }
  }

  /** A store that has a bad moment must not cost ten minutes. */
  private retry<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    return retried(this.context.runtime, this.signal, what, attempt);
  }
}
