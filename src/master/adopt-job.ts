/**
 * Takes over one job of a dead master, and carries it on from what the store knows:
 *
 *   claimed   no peel has seen it: it is sent, as its first owner would have; after its deadline it is only ended
 *   running   rows and stream are read, and it is watched to its end; who said nothing gets the same request again
 *
 * Safety: the owner is changed by compare-and-set at the revision that was read, so exactly one adopter wins, and the
 * old owner, should it live, loses every later write of the record. The answer may be lost: then it is asked again
 * until it is known, because a job that is ours and that nobody watches would stay so for as long as we live.
 *
 * If we die after the write, the job has a dead owner again, and one reclaim more; after `RECLAIMS_MAX` of them it is
 * ended as failed, with a row for each target, instead of killing the next master.
 */
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { adoptedJob, reasonToGiveUp } from '../core/jobs/adoption.ts';
import { deadlineOf } from '../core/jobs/job-record.ts';
import { jobCodec } from '../wire/job.ts';
import { jobKey } from '../wire/keys.ts';
import { reindexJob } from './active-index.ts';
import type { Claim } from './claim-job.ts';
import { type DispatchParts, resumeClaim } from './dispatch-job.ts';
import type { DispatchService } from './dispatch-service.ts';
import type { MasterContext } from './master-context.ts';
import type { FoundJob } from './orphan-scan.ts';
import { ownedJob } from './owned-job.ts';
import { retried, untilKnown } from './retry.ts';
import { sameBytes } from './same-bytes.ts';

export interface AdoptionParts extends DispatchParts {
  /** A client may ask for the job again at the moment when we adopt it. */
  readonly dispatches: Pick<DispatchService, 'inTurn'>;
}

/** Resolves when the job is ours and being carried on, or another's. */
export async function adoptJob(parts: AdoptionParts, found: FoundJob): Promise<void> {
  const { context } = parts;
  const adopted = await takeOver(context, found);
  if (adopted === undefined) return;
  const { job, revision } = adopted;
  const { jid, status, reclaimCount: reclaims } = job;
  context.runtime.log.warn('job adopted', { jid, status, reclaims, from: found.owner });
  void carryOn(parts, adopted).catch((error: unknown) => {
    if (context.life.aborted || isZesterError(error, 'MASTER_CLAIM_LOST')) return;
    context.runtime.log.error('adopted job could not be carried on', { jid, revision, error });
  });
}

/** Undefined when somebody else was first. */
function takeOver(context: MasterContext, found: FoundJob): Promise<Claim | undefined> {
  const { jobs, identity, runtime, life } = context;
  const job = adoptedJob(found.job, found.revision, identity.masterId, context.now());
  const key = jobKey(job.jid);
  const value = jobCodec.encode(job);
  return untilKnown(runtime, life, async () => {
    const outcome = await jobs.update(key, value, found.revision);
    if (outcome.won) return { job, revision: outcome.revision };
    const there = await jobs.getLatest(key);
    return there.found && sameBytes(there.value, value) ? { job, revision: there.revision } : undefined;
  });
}

async function carryOn(parts: AdoptionParts, adopted: Claim): Promise<void> {
  const { context, watched } = parts;
  const { job, revision } = adopted;
  const again = (what: string, attempt: () => Promise<void>) =>
    retried(context.runtime, context.life, `${what} of job ${job.jid}`, attempt);
  await again('index', () => reindexJob(context, job));
  const failure = reasonToGiveUp(job);
  const mayBeSent = job.status === 'claimed' && failure === undefined && deadlineOf(job) > context.now();
  if (mayBeSent) {
    await parts.dispatches.inTurn(job.jid, () => again('dispatch', () => resume(parts, adopted)));
    return;
  }
  const owned = ownedJob(job, revision);
  // One that was never sent has no exec epoch.
  await watched.add(job.status === 'claimed' ? { ...owned, execEpoch: 0 } : owned).recover(failure);
}

/** What failed is tried again: nobody else may, and no client waits for it. */
async function resume(parts: DispatchParts, claim: Claim): Promise<void> {
  try {
    await resumeClaim(parts, claim);
  } catch (error) {
    if (!isZesterError(error, 'MASTER_DISPATCH_FAILED')) throw error;
    throw zesterError('BUS_STORE_UNAVAILABLE', { what: jobKey(claim.job.jid), reason: error.message });
  }
}
