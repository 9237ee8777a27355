/**
 * The orphan scan finds jobs whose owner is dead and adopts them; every master runs one, every `orphanScanMs`, at its
 * start, as soon as a master says that it is leaving, and as soon as one has died on the same machine. It looks only at
 * the index of unfinished jobs, so it costs by living jobs, not by kept ones.
 *
 * Safety: a look counts only if every reading of it succeeded; a store that does not answer is never taken for dead
 * masters. After one that failed, or in which the bus had to ask again, a whole period passes before misses are counted
 * again: where we could not read, others could not write their heartbeats. How long a look took says nothing: there may
 * be much to read. Two masters may find the same orphan: adoption is a compare-and-set, one wins (adopt-job.ts). Whoever
 * was only slow finds at its next write that the job is not its own any more, or here: a job that we watch and that the
 * index gives to another is looked at.
 * Liveness: what is not adopted in this look, for whatever reason, is found by the next one.
 * An entry of the index whose job has ended or is no more is removed, at the revision that was read; nobody waits for it.
 * Bounds: `READS_AT_A_TIME` readings, `ADOPTIONS_AT_A_TIME` adoptions, `watchedJobsMax` jobs; over the last an orphan is
 * left to other masters, and the log says so.
 */
import type { TableEntry } from '../../bus/kv/table.ts';
import { type Departure, findOrphans, NO_LOOK_BEFORE } from '../../core/jobs/dead-owners.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { jitter } from '../../runtime/random.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid, MasterId } from '../../wire/names/ids.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import type { ActiveJobEntry, Job } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import type { MasterSigns } from './master-signs.ts';

const READS_AT_A_TIME = 32;
const ADOPTIONS_AT_A_TIME = 16;
const SPREAD = 0.1;
/** What a look reads. */
const READ_STREAMS = [BUCKETS.jobs, BUCKETS.masterHeartbeat].map(({ name }) => kvStreamName(name));

/** A job that has not ended and is not watched here. */
interface FoundJob {
  readonly job: Job;
  readonly owner: MasterId;
  readonly revision: number;
}

/** One whose owner is dead. */
export interface Orphan extends FoundJob {
  readonly departure: Departure;
}

/** What a scan asks of the rest of the master. */
export interface ScanHooks {
  /** Ours already, or about to be. */
  readonly isInHand: (jid: Jid) => boolean;
  /** The index gives a job that is in our hands to another master. */
  readonly doubt: (jid: Jid) => void;
  readonly hasRoom: () => boolean;
  /** Resolves when it is known who owns the job now. */
  readonly adopt: (orphan: Orphan) => Promise<void>;
}

export class OrphanScan {
  private readonly context: MasterContext;
  private readonly signs: MasterSigns;
  private readonly hooks: ScanHooks;
  private readonly loop: WakeLoop;
  private readonly reads = new Semaphore(READS_AT_A_TIME);
  private readonly adoptions = new Semaphore(ADOPTIONS_AT_A_TIME);
  private memory = NO_LOOK_BEFORE;
  private looking: Promise<void> = Promise.resolve();
  /** By the last look, for want of room. */
  private leftToOthers = 0;
  /** When the next look counts: one that was woken early must not count as a second miss, nor put off the next. */
  private dueMs = Number.NEGATIVE_INFINITY;

  constructor(context: MasterContext, signs: MasterSigns, hooks: ScanHooks) {
    this.context = context;
    this.signs = signs;
    this.hooks = hooks;
    const { runtime, metrics } = context;
    this.loop = wakeLoop(
      runtime,
      () => {
        this.looking = this.look();
        return this.looking;
      },
      (error) => {
        metrics.orphanScanned('aborted');
        runtime.log.warn('orphan scan: not this time', { error });
      },
    );
  }

  /** Looks now: at the start, and when a master seems to be gone. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves when the look that is under way is over. */
  async stop(): Promise<void> {
    this.loop.stop();
    await this.looking.catch(() => undefined);
  }

  private async look(): Promise<void> {
    const { runtime, identity, metrics } = this.context;
    const { found, signs } = await this.read();
    const look = { me: identity.masterId, found, signs, memory: this.memory, counts: this.counts() };
    const { orphans, dead, memory } = findOrphans(look);
    this.memory = memory;
    metrics.orphanScanned('done');
    if (orphans.length === 0) return;
    runtime.log.info('orphaned jobs found', { jobs: orphans.length, owners: [...dead.keys()] });
    // Each master in its own order, so that they share the work instead of racing for every job.
    shuffle(orphans, () => runtime.random.fraction());
    this.leftToOthers = 0;
    const tried = await Promise.allSettled(
      orphans.map((orphan) => this.adoptions.run(() => this.adopt(orphan))),
    );
    if (this.leftToOthers > 0)
      runtime.log.warn('no room to adopt these jobs; left to others', { jobs: this.leftToOthers });
    // The next look comes soon, and finds what could not be adopted.
    for (const result of tried) if (result.status === 'rejected') throw result.reason;
  }

  private async read() {
    let hadToRepeat = false;
    const repeats = this.context.bus.onRepeat((subject) => {
      hadToRepeat ||= subject.split('.').some((token) => READ_STREAMS.includes(token));
    });
    try {
      // Jobs before heartbeats: a living owner had its heartbeat before its first job.
      const read = { found: await this.unwatchedJobs(), signs: await this.signs.read() };
      if (hadToRepeat) this.putOff();
      return read;
    } catch (error) {
      this.putOff();
      throw error;
    } finally {
      repeats.unsubscribe();
    }
  }

  private async adopt(orphan: Orphan): Promise<void> {
    if (this.loop.stopped()) return;
    if (this.hooks.hasRoom()) await this.hooks.adopt(orphan);
    else this.leftToOthers += 1;
  }

  /** Whether this look counts misses. Not one that was woken early: two of them may be a moment apart. */
  private counts(): boolean {
    const nowMs = this.context.runtime.clock.monotonicMs();
    const counts = nowMs >= this.dueMs;
    if (counts) this.putOff();
    this.loop.wakeAfter(this.dueMs - nowMs);
    return counts;
  }

  private putOff(): void {
    const { runtime, settings } = this.context;
    this.dueMs = runtime.clock.monotonicMs() + jitter(runtime.random, settings.orphanScanMs, SPREAD);
  }

  private async unwatchedJobs(): Promise<FoundJob[]> {
    const entries = await this.context.activeJobs.entries();
    const found = await Promise.all(entries.map((entry) => this.reads.run(() => this.jobOf(entry))));
    return found.filter((job) => job !== undefined);
  }

  private async jobOf(entry: TableEntry<Jid, ActiveJobEntry>): Promise<FoundJob | undefined> {
    const { context } = this;
    const { isInHand, doubt } = this.hooks;
    const { id: jid, revision } = entry;
    if (jid === undefined) return undefined;
    if (isInHand(jid)) {
      if (entry.is !== 'found' || entry.value.owner !== context.identity.masterId) doubt(jid);
      return undefined;
    }
    const read = await context.jobs.getLatest(jid);
    // A record that cannot be read is nobody's job, but it is there: its entry is left alone.
    if (read.is === 'unreadable') return undefined;
    if (read.is === 'absent' || isTerminal(read.value.status)) {
      await this.removeLeftOver(jid, revision);
      return undefined;
    }
    const { value: job } = read;
    return job.owner === undefined ? undefined : { job, owner: job.owner, revision: read.revision };
  }

  /** Its job has ended or is no more. Not done this time, it is done by the next look: no reason to adopt nothing. */
  private async removeLeftOver(jid: Jid, revision: number): Promise<void> {
    const { activeJobs, runtime } = this.context;
    await activeJobs.remove(jid, { revision }).catch((error: unknown) => {
      runtime.log.warn('index entry of an ended job not removed', { jid, error });
    });
  }
}

function shuffle<T>(items: T[], fraction: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(fraction() * (last + 1));
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
