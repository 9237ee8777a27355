/**
 * `InterruptedClaims` keeps claims of ours that could not be carried on: the store did not take them from claim to
 * `running` before the deadline, or what it said could not be helped by trying again. They must not stay for ever, owned
 * by a living master whom nobody may take them from: at the deadline each is ended as failed, with a row per target, and
 * at once when an operator cancels it. If the client asks again before, the dispatch goes on from the claim.
 *
 * Safety: resuming and giving up are both writes at the same revision, so only one of them can win.
 * Bound: at `CLAIMS_MAX` the oldest is given up at once.
 */
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { JobTally } from '../../core/jobs/job-tally.ts';
import type { Timer } from '../../runtime/clock.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { Claim } from '../dispatch/claim-job.ts';
import type { MasterContext } from '../master-context.ts';
import { endJob } from '../watch/end-job.ts';
import { ownedJob } from '../watch/owned-job.ts';

const CLAIMS_MAX = 10_000;
const REASON = 'the dispatch was interrupted before anything was sent';

interface Kept {
  readonly claim: Claim;
  readonly timer: Timer;
}

export class InterruptedClaims {
  private readonly context: MasterContext;
  private readonly kept = new Map<Jid, Kept>();
  private readonly endings = new Set<Promise<void>>();

  constructor(context: MasterContext) {
    this.context = context;
  }

  has(jid: Jid): boolean {
    return this.kept.has(jid);
  }

  get size(): number {
    return this.kept.size;
  }

  keep(claim: Claim): void {
    const { jid } = claim.job;
    const leftMs = msFromNanos(deadlineOf(claim.job)) - this.context.runtime.clock.nowMs();
    const timer = this.context.runtime.clock.after(Math.max(0, leftMs), () => this.giveUp(jid));
    this.forget(jid);
    this.kept.set(jid, { claim, timer });
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= CLAIMS_MAX) break;
      this.giveUp(oldest);
    }
  }

  /** The client asked again. */
  forget(jid: Jid): void {
    this.kept.get(jid)?.timer.cancel();
    this.kept.delete(jid);
  }

  /** An operator wants it no more. */
  cancel(jid: Jid): void {
    this.giveUp(jid, (tally) => tally.noteCancel(this.context.now()));
  }

  /** The master goes: an adopter sends what we claimed. Resolves when nothing more will be written. */
  async stop(): Promise<void> {
    for (const jid of [...this.kept.keys()]) this.forget(jid);
    await Promise.all(this.endings);
  }

  private giveUp(jid: Jid, why: (tally: JobTally) => void = (tally) => tally.noteFailure(REASON)): void {
    const claim = this.kept.get(jid)?.claim;
    this.forget(jid);
    if (claim === undefined) return;
    const tally = new JobTally(claim.job);
    why(tally);
    const ending = this.end(claim, tally).finally(() => this.endings.delete(ending));
    this.endings.add(ending);
  }

  private async end({ job, revision }: Claim, tally: JobTally): Promise<void> {
    const { life, runtime } = this.context;
    try {
      await endJob(this.context, {
        owned: { ...ownedJob(job, revision), execEpoch: 0 },
        tally,
        signal: life,
      });
    } catch (error) {
      if (!life.aborted) runtime.log.error('interrupted claim could not be ended', { jid: job.jid, error });
    }
  }
}
