/**
 * The job book keeps on disk what this peel has accepted; it is the reason why no job ever runs twice (decisions 2, 5
 * and 10).
 *
 *   <data dir>/jobs/<jid>           a job that is accepted and not settled; with its Return once there is one
 *   <data dir>/peel-dedup.msgpack   every job accepted before: exec epoch by jid, the newest 4,096 (wire/records/dedup.ts)
 *
 * One durable write (file and directory synced) when a job is accepted, before anything else happens for it; one when it
 * has a return, before that is sent. Settled jobs, whose return a stream has confirmed, move in batches: first the dedup
 * file with all of them is written, then their own files are removed. What if we die right after
 *
 *   the accept      the next start finds a job without a return: it reports `interrupted by restart`, and never runs it
 *   the return      the next start sends it
 *   the PubAck      the next start sends it again under the same message id: the stream keeps one, and the same one
 *   the dedup file  the same
 *   the removal     the dedup file has it
 *
 * A job is forgotten only from the dedup file, 4,096 jobs later. A file that is damaged still has a name, which is the
 * jid: it counts as accepted. A dedup file that is damaged or unreadable stops the start: the peel cannot know what it ran.
 *
 * Bounds: `SPOOL_JOBS_MAX` unsettled jobs and `SPOOL_BYTES_MAX` of returns; over it `hasRoom` is false and nothing is accepted,
 * since its end could not be kept. Of settled returns the last few stay in memory, for a NATS that forgot them.
 */

import { assert } from '../../core/assert.ts';
import { type LruBounds, LruMap } from '../../core/lru-map.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { DEDUP_ENTRIES_MAX } from '../../wire/names/limits.ts';
import { type DedupRecord, dedupCodec } from '../../wire/records/dedup.ts';
import { dedupPath, jobsDir } from '../data-dir.ts';
import type { PeelContext } from '../peel-context.ts';
import { hasReturned, type JobFile, jobFileCodec, newMessageId } from './job-file.ts';
import { loadJobFiles, readDedup } from './load-job-book.ts';

export const SPOOL_JOBS_MAX = 1_024;
const SPOOL_BYTES_MAX = 64 * 1_048_576;
/** The last returns that were sent, in memory: a NATS that came back older may have lost them. */
const RECENT_RETURNS: LruBounds<Jid, StoredReturn> = {
  entriesMax: 64,
  weightMax: 1_048_576,
  weightOf: ({ bytes }) => bytes.length,
};
/** Settled jobs are moved together, this long after the first of them. */
const SETTLE_DELAY_MS = 1_000;

/** A Return as it goes out, with the message id that goes with it. */
export interface StoredReturn {
  readonly bytes: Uint8Array;
  readonly messageId: string;
}

export type BookContext = Pick<PeelContext, 'system' | 'dataDir' | 'runtime'>;

export async function openJobBook(context: BookContext): Promise<JobBook> {
  const dedup = await readDedup(context);
  const jobs = await loadJobFiles(context);
  return new JobBook(context, dedup, jobs);
}

export class JobBook {
  private readonly context: BookContext;
  /** Exec epoch of every job that was ever accepted and is not forgotten, oldest first. */
  private readonly epochs: Map<string, number>;
  /** Those with a file of their own. */
  private readonly jobs = new Map<Jid, JobFile>();
  private readonly settled = new Set<Jid>();
  private readonly recent = new LruMap<Jid, StoredReturn>(RECENT_RETURNS);
  private readonly settling: WakeLoop;
  private bytes = 0;
  private confirmed = 0;

  constructor(context: BookContext, dedup: DedupRecord, jobs: readonly JobFile[]) {
    this.context = context;
    this.epochs = new Map(Object.entries(dedup));
    for (const job of jobs) this.note(job);
    this.settling = wakeLoop(
      context.runtime,
      () => this.moveSettled(),
      (error) => context.runtime.log.error('cannot write the record of accepted jobs', { error }),
    );
  }

  /** Undefined: never accepted, as far as this peel remembers. */
  epochOf(jid: Jid): number | undefined {
    return this.epochs.get(jid);
  }

  ackIdOf(jid: Jid): string {
    return this.jobs.get(jid)?.ackId ?? this.messageId();
  }

  returnOf(jid: Jid): StoredReturn | undefined {
    const job = this.jobs.get(jid);
    if (job === undefined) return this.recent.peek(jid);
    return hasReturned(job) ? { bytes: job.returned, messageId: job.returnId } : undefined;
  }

  /** Accepted and not returned. */
  isOpen(jid: Jid): boolean {
    const job = this.jobs.get(jid);
    return job !== undefined && !hasReturned(job);
  }

  /** All of them. Right after the start: what the last life left. */
  openJobs(): Jid[] {
    return [...this.jobs.values()].filter((job) => !hasReturned(job)).map((job) => job.jid);
  }

  /** With a return that no stream has confirmed. */
  unsentReturns(): Jid[] {
    const waiting = (job: JobFile) => hasReturned(job) && !this.settled.has(job.jid);
    return [...this.jobs.values()].filter(waiting).map((job) => job.jid);
  }

  /** Whether one more job may be accepted. */
  hasRoom(): boolean {
    const unsettled = this.jobs.size - this.settled.size;
    return unsettled < SPOOL_JOBS_MAX && this.bytes < SPOOL_BYTES_MAX;
  }

  /** From here on the job is known, also when the write fails and this throws: it will not run in this life. */
  async accept(jid: Jid, epoch: number): Promise<void> {
    assert(!this.epochs.has(jid), 'a job is accepted once');
    const { clock } = this.context.runtime;
    const job: JobFile = {
      jid,
      epoch,
      accepted: nanosFromMs(clock.nowMs()),
      ackId: this.messageId(),
      returnId: this.messageId(),
      returned: ENCODED_NIL,
    };
    this.note(job);
    await this.write(job);
  }

  /** Accepts and returns at once, in one write: for a job that is answered without being run. */
  async answer(jid: Jid, epoch: number, returned: Uint8Array): Promise<void> {
    assert(!this.epochs.has(jid), 'a job is accepted once');
    const accepted = nanosFromMs(this.context.runtime.clock.nowMs());
    const [ackId, returnId] = [this.messageId(), this.messageId()];
    await this.keep({ jid, epoch, accepted, ackId, returnId, returned });
  }

  /** Stores the return of an accepted job. A job has one. */
  async finish(jid: Jid, returned: Uint8Array): Promise<void> {
    const job = this.jobs.get(jid);
    assert(job !== undefined && !hasReturned(job), 'a job returns once, after it was accepted');
    await this.keep({ ...job, returned });
  }

  /** A stream has the return. */
  settle(jid: Jid): void {
    if (!this.jobs.has(jid) || this.settled.has(jid)) return;
    this.settled.add(jid);
    this.confirmed += 1;
    if (this.settled.size === 1) this.settling.wakeAfter(SETTLE_DELAY_MS);
  }

  /** Since the start. */
  settledCount(): number {
    return this.confirmed;
  }

  /** Moves what is settled now, so that the next life does not send it again. */
  async close(): Promise<void> {
    this.settling.stop();
    try {
      await this.moveSettled();
    } catch (error) {
      this.context.runtime.log.warn('settled jobs stay in the spool until the next start', { error });
    }
  }

  /** If it cannot be written it is sent all the same: should we die before that, it counts as interrupted. */
  private async keep(job: JobFile): Promise<void> {
    this.note(job);
    try {
      await this.write(job);
    } catch (error) {
      this.context.runtime.log.error('cannot store a return', { jid: job.jid, error });
    }
  }

  private note(job: JobFile): void {
    this.bytes += job.returned.length - (this.jobs.get(job.jid)?.returned.length ?? 0);
    this.jobs.set(job.jid, job);
    this.epochs.set(job.jid, job.epoch);
    this.forgetOldest();
  }

  private forgetOldest(): void {
    for (const jid of this.epochs.keys()) {
      if (this.epochs.size <= DEDUP_ENTRIES_MAX) return;
      if (!this.jobs.has(jid as Jid)) this.epochs.delete(jid);
    }
  }

  private write(job: JobFile): Promise<void> {
    return this.context.system.files.writeAtomic(this.pathOf(job.jid), jobFileCodec.encode(job));
  }

  private async moveSettled(): Promise<void> {
    const moved = [...this.settled];
    if (moved.length === 0) return;
    const newest = [...this.epochs].slice(-DEDUP_ENTRIES_MAX);
    const { system, dataDir } = this.context;
    const { files } = system;
    await files.writeAtomic(dedupPath(dataDir), dedupCodec.encode(Object.fromEntries(newest)));
    for (const jid of moved) {
      await files.removeFile(this.pathOf(jid));
      this.forgetFile(jid);
    }
    if (this.settled.size > 0) this.settling.wakeAfter(SETTLE_DELAY_MS);
  }

  private forgetFile(jid: Jid): void {
    const job = this.jobs.get(jid);
    this.settled.delete(jid);
    if (job === undefined) return;
    this.jobs.delete(jid);
    this.bytes -= job.returned.length;
    this.recent.set(jid, { bytes: job.returned, messageId: job.returnId });
  }

  private pathOf(jid: Jid): string {
    return `${jobsDir(this.context.dataDir)}/${jid}`;
  }

  private messageId(): string {
    return newMessageId(this.context.runtime.random);
  }
}
