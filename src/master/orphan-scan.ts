/**
 * Finds jobs whose owner is dead and adopts them; every master does, every `orphanScanMs`, at its start, and as soon as a
 * master says that it is leaving. It looks only at the index of unfinished jobs, so it costs by living jobs, not by kept
 * ones.
 *
 * Safety: a look counts only if every reading of it succeeded; a store that does not answer is never taken for dead
 * masters. Two masters may find the same orphan: adoption is a compare-and-set, one wins (adopt-job.ts). Whoever was
 * only slow finds at its next write that the job is not its own any more.
 * Liveness: what is not adopted in this look, for whatever reason, is found by the next one.
 * An entry of the index whose job has ended or is no more is removed, at the revision that was read.
 * Bounds: `READS_AT_A_TIME` readings, `ADOPTIONS_AT_A_TIME` adoptions, `watchedJobsMax` jobs; over the last an orphan is
 * left to other masters, and the log says so.
 */
import type { KvEntry } from '../bus/port.ts';
import { type WakeLoop, wakeLoop } from '../bus/wake-loop.ts';
import { judgeOwners, type OwnerSign } from '../core/jobs/dead-owners.ts';
import { isTerminal } from '../core/jobs/job-lifecycle.ts';
import { jitter } from '../runtime/random.ts';
import type { Jid, MasterId } from '../wire/ids.ts';
import type { Job } from '../wire/job.ts';
import { ACTIVE_JOBS_PATTERN, jobKey, parseActiveJobKey } from '../wire/keys.ts';
import type { MasterContext } from './master-context.ts';
import type { MasterSigns } from './master-signs.ts';
import { Slots } from './slots.ts';
import { storedJob } from './stored-job.ts';

const READS_AT_A_TIME = 32;
const ADOPTIONS_AT_A_TIME = 16;
const SPREAD = 0.1;

/** A job that has not ended and is not watched here. */
export interface FoundJob {
  readonly job: Job;
  readonly owner: MasterId;
  readonly revision: number;
}

export interface ScanParts {
  readonly context: MasterContext;
  readonly signs: MasterSigns;
  readonly isWatched: (jid: Jid) => boolean;
  readonly hasRoom: () => boolean;
  readonly adopt: (found: FoundJob) => Promise<void>;
}

export class OrphanScan {
  private readonly parts: ScanParts;
  private readonly loop: WakeLoop;
  private readonly reads = new Slots(READS_AT_A_TIME);
  private readonly adoptions = new Slots(ADOPTIONS_AT_A_TIME);
  private misses: ReadonlyMap<MasterId, number> = new Map();
  private leaving: { stop(): void } | undefined;
  /** When a look last counted: an early one must not count as a second miss. */
  private countedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: ScanParts) {
    this.parts = parts;
    const { runtime } = parts.context;
    this.loop = wakeLoop(
      runtime,
      () => this.look(),
      (error) => runtime.log.warn('orphan scan: this look does not count', { error }),
    );
  }

  start(): void {
    this.leaving = this.parts.signs.onLeaving(() => this.loop.wake());
    this.loop.wake();
  }

  stop(): void {
    this.leaving?.stop();
    this.loop.stop();
  }

  private async look(): Promise<void> {
    const { context, signs } = this.parts;
    const { runtime, settings, identity } = context;
    this.loop.wakeAfter(jitter(runtime.random, settings.orphanScanMs, SPREAD));
    // Jobs before heartbeats: a living owner had its heartbeat before its first job.
    const found = await this.unwatchedJobs();
    const dead = this.judge(found, await signs.read());
    const orphans = found.filter(({ owner }) => owner !== identity.masterId && dead.has(owner));
    if (orphans.length === 0) return;
    runtime.log.info('orphaned jobs found', { jobs: orphans.length, owners: [...dead] });
    // Each master in its own order, so that they share the work instead of racing for every job.
    shuffle(orphans, () => runtime.random.fraction());
    await Promise.all(orphans.map((orphan) => this.adoptions.run(() => this.adopt(orphan))));
  }

  private async adopt(orphan: FoundJob): Promise<void> {
    const { context, hasRoom, adopt } = this.parts;
    if (this.loop.stopped()) return;
    if (hasRoom()) await adopt(orphan);
    else context.runtime.log.warn('no room to adopt a job; left to others', { jid: orphan.job.jid });
  }

  /** A look that was woken early counts no misses: two of them may be a moment apart. */
  private judge(found: readonly FoundJob[], signs: ReadonlyMap<MasterId, OwnerSign>): ReadonlySet<MasterId> {
    const { runtime, settings } = this.parts.context;
    const nowMs = runtime.clock.monotonicMs();
    const owners = found.map(({ owner }) => owner);
    if (nowMs - this.countedMs < settings.orphanScanMs * (1 - SPREAD))
      return judgeOwners(owners, signs, new Map()).dead;
    const judged = judgeOwners(owners, signs, this.misses);
    this.misses = judged.misses;
    this.countedMs = nowMs;
    return judged.dead;
  }

  private async unwatchedJobs(): Promise<FoundJob[]> {
    const entries = await this.parts.context.jobs.entries(ACTIVE_JOBS_PATTERN);
    const found = await Promise.all(entries.map((entry) => this.reads.run(() => this.jobOf(entry))));
    return found.filter((job) => job !== undefined);
  }

  /** Removes the entry of a job that has ended. */
  private async jobOf(entry: KvEntry): Promise<FoundJob | undefined> {
    const { context, isWatched } = this.parts;
    const jid = parseActiveJobKey(entry.key);
    if (jid === undefined || isWatched(jid)) return undefined;
    const read = await context.jobs.getLatest(jobKey(jid));
    const job = read.found ? storedJob(read) : undefined;
    // A record that cannot be read is nobody's job, but it is there: its entry is left alone.
    if (read.found && job === undefined) return undefined;
    if (job === undefined || isTerminal(job.status)) {
      await context.jobs.delete(entry.key, { revision: entry.revision });
      return undefined;
    }
    return job.owner === undefined ? undefined : { job, owner: job.owner, revision: read.revision };
  }
}

function shuffle<T>(items: T[], fraction: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(fraction() * (last + 1));
    [items[last], items[other]] = [items[other] as T, items[last] as T];
  }
}
