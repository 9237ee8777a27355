/**
 * `Adoptions` takes over jobs of dead masters, and carries each on from what the store knows:
 *
 *   claimed   no peel has seen it: it is sent, as its first owner would have; after its deadline it is only ended
 *   running   rows and stream are read, and it is watched to its end; who said nothing gets the same request again
 *
 * Safety: the owner is changed by compare-and-set at the revision that was read, so exactly one adopter wins, and the
 * old owner, should it live, loses every later write of the record. The answer may be lost: then it is asked again
 * until it is known, because a job that is ours and that nobody watches would stay so for as long as we live. All this
 * happens in the turn of the job: a client that asks for it again at the same moment waits and finds what we did.
 *
 * If we die after the write, the job has a dead owner again, and one reclaim more; after `RECLAIMS_MAX` of them it is
 * ended as failed, with a row for each target, instead of killing the next master.
 */
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { adoptedJob, reasonToGiveUp } from '../../core/jobs/adoption.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { stopSource } from '../../runtime/signals.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { jobKey } from '../../wire/names/keys.ts';
import type { Job } from '../../wire/records/job.ts';
import { reindexJob } from '../dispatch/active-index.ts';
import { type JobsInHand, resumeClaim } from '../dispatch/dispatch-job.ts';
import type { DispatchService } from '../dispatch/dispatch-service.ts';
import { claimLost } from '../dispatch/mark-running.ts';
import type { MasterContext } from '../master-context.ts';
import { retried, untilKnown } from '../retry.ts';
import { ownedJob } from '../watch/owned-job.ts';
import type { Orphan } from './orphan-scan.ts';

interface Adopted {
  readonly job: Job;
  readonly revision: number;
  /** When we began to take it, on the monotonic clock. */
  readonly begunMs: number;
}

export class Adoptions {
  private readonly context: MasterContext;
  private readonly hand: JobsInHand;
  private readonly dispatches: DispatchService;
  /** From the first write until the job is watched, or known to be another's. */
  private readonly underWay = new Map<Jid, Promise<void>>();
  private readonly stopping = stopSource();
  private readonly signal: AbortSignal;

  constructor(context: MasterContext, hand: JobsInHand, dispatches: DispatchService) {
    this.context = context;
    this.hand = hand;
    this.dispatches = dispatches;
    this.signal = AbortSignal.any([context.life, this.stopping.signal]);
  }

  get size(): number {
    return this.underWay.size;
  }

  has(jid: Jid): boolean {
    return this.underWay.has(jid);
  }

  /** Resolves when it is known whether the job is ours; it is carried on after that. Rejects when it is not known. */
  adopt(orphan: Orphan): Promise<void> {
    const { jid } = orphan.job;
    return new Promise((known, failed) => {
      const work = this.dispatches
        .inTurn(jid, async () => {
          const adopted = await this.takeOver(orphan).catch(failed);
          known();
          if (adopted) await this.carryOn(adopted);
        })
        .catch((error: unknown) => this.tell(jid, error))
        .finally(() => this.underWay.delete(jid));
      this.underWay.set(jid, work);
    });
  }

  /** What is under way is let go at the next pause; resolves when nothing more will be written. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.underWay.values());
  }

  /** Undefined when somebody else was first. */
  private async takeOver(orphan: Orphan): Promise<Adopted | undefined> {
    const { jobs, identity, runtime } = this.context;
    const { revision, departure, owner: from } = orphan;
    const begunMs = runtime.clock.monotonicMs();
    const now = this.context.now();
    const job = adoptedJob(orphan.job, { revision, departure, owner: identity.masterId, now });
    const written = await untilKnown(runtime, this.signal, () => jobs.updateOrRead(job.jid, job, revision));
    if (!written.isOurs) return undefined;
    if (departure === 'died') this.context.metrics.jobReclaimed();
    const { jid, status, reclaimCount: reclaims } = job;
    runtime.log.warn('job adopted', { jid, status, reclaims, from, departure });
    return { job, revision: written.revision, begunMs };
  }

  private async carryOn(adopted: Adopted): Promise<void> {
    const { context, hand } = this;
    const { job, revision } = adopted;
    const again = (what: string, attempt: () => Promise<void>) =>
      retried(context.runtime, this.signal, `${what} of job ${job.jid}`, attempt);
    await again('index', async () => {
      await this.checkOwner(adopted);
      await reindexJob(context, job);
    });
    const failure = reasonToGiveUp(job);
    const mayBeSent = job.status === 'claimed' && failure === undefined && deadlineOf(job) > context.now();
    if (mayBeSent) return again('dispatch', () => this.resume(adopted));
    const owned = ownedJob(job, revision);
    // One that was never sent has no exec epoch.
    const watcher = hand.watched.add(job.status === 'claimed' ? { ...owned, execEpoch: 0 } : owned);
    void watcher.recover(failure);
  }

  /** Frozen or cut off on the way to here, we may have been replaced ourselves. */
  private async checkOwner({ job, revision, begunMs }: Adopted): Promise<void> {
    const { jobs, sign } = this.context;
    if (!sign.isLongAgo(begunMs)) return;
    const there = await jobs.getLatest(job.jid);
    if (there.revision !== revision) throw claimLost(job.jid, there);
  }

  /** What failed is tried again: nobody else may, and no client waits for it. */
  private async resume({ job, revision }: Adopted): Promise<void> {
    try {
      await resumeClaim(this.context, this.hand, { job, revision, isNew: false }, this.signal);
    } catch (error) {
      if (!isZesterError(error, 'MASTER_DISPATCH_FAILED')) throw error;
      throw zesterError('BUS_STORE_UNAVAILABLE', { what: jobKey(job.jid), reason: error.message });
    }
  }

  private tell(jid: Jid, error: unknown): void {
    if (this.signal.aborted || isZesterError(error, 'MASTER_CLAIM_LOST')) return;
    this.context.runtime.log.error('adopted job could not be carried on', { jid, error });
  }
}
