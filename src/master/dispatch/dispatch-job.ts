/**
 * `dispatchJob` carries out one dispatch, in the order of the specification:
 *
 *   1 claim       create the record: whoever wins owns the job                       claim-job.ts
 *   2 index       make its entry among the unfinished jobs; best effort, repeated    active-index.ts
 *   3 announce    append the dispatch event to stream job-events
 *   4 running     change the record from `claimed` to `running`                      mark-running.ts
 *   5 listen      subscribe to acks and returns, before anything can answer          job-watcher.ts
 *   6 send        one request to each target                                         job-requests.ts
 *
 * If we die after 1, 2 or 3, the record says `claimed` and no peel has seen the job: it may be sent by whoever adopts
 * it. After 4, 5 or in the middle of 6 it says `running`: requests may be on the wire, and an adopter repeats them, under
 * the same exec epoch, to targets that said nothing. In any case the client that asks again gets the one job.
 *
 * What fails in 1, 3 or 4 is repeated until the deadline of the job (dispatch-progress.ts): the same bytes, the event under
 * the same message id, so that an attempt whose answer was lost and the next one are the same. Then the dispatch has failed
 * and nothing was sent. Meanwhile the client may ask another master: it finds the claim, and is told to wait; or there is
 * none yet and that master's wins, which ours then finds. What fails in 2 is repeated while the job lives. What fails in 5
 * ends the job as failed. What fails in 6 is logged for its target; the others get theirs.
 */
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { acceptableJob, fittingClaim } from '../../core/jobs/acceptable-job.ts';
import { claimedJob, dispatchedAt } from '../../core/jobs/job-record.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { jobDispatchSubject } from '../../wire/names/subjects.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { jobEventCodec } from '../../wire/records/job-event.ts';
import type { MasterContext } from '../master-context.ts';
import { retried, TRY_MS } from '../retry.ts';
import type { InterruptedClaims } from '../takeover/interrupted-claims.ts';
import type { OwnedJob } from '../watch/owned-job.ts';
import type { WatchedJobs } from '../watch/watched-jobs.ts';
import { indexJob } from './active-index.ts';
import { type Claim, claimJob } from './claim-job.ts';
import { DispatchProgress, type DispatchStep } from './dispatch-progress.ts';
import { markRunning } from './mark-running.ts';
import { payloadLimit } from './payload-limit.ts';

/** The jobs that this master has in hand, by how far they have come. */
export interface JobsInHand {
  /** Dispatches from the first step to the last. */
  readonly underWay: Map<Jid, DispatchProgress>;
  readonly watched: WatchedJobs;
  readonly interrupted: InterruptedClaims;
}

/**
 * Resolves when the job is on its way, or was before. Not to be called twice at a time for one job id. After
 * `stopping` what does not go well is left to another master.
 */
export async function dispatchJob(
  context: MasterContext,
  hand: JobsInHand,
  asked: Job,
  stopping: AbortSignal,
): Promise<Jid> {
  const { jid } = asked;
  const job = claimOf(context, asked);
  await tracked(context, hand, job, stopping, async (progress) => {
    const claim = await step(jid, progress, 'claim', () => claimJob(context, job, progress));
    if (claim !== 'already-dispatched') await carryOn(context, hand, claim, progress);
  });
  return jid;
}

/** From a claim of ours to a job that is on its way. Not to be called twice at a time for one job id. */
export function resumeClaim(
  context: MasterContext,
  hand: JobsInHand,
  claim: Claim,
  stopping: AbortSignal,
): Promise<void> {
  return tracked(context, hand, claim.job, stopping, (progress) => carryOn(context, hand, claim, progress));
}

async function tracked(
  context: MasterContext,
  { watched, underWay }: JobsInHand,
  job: Job,
  stopping: AbortSignal,
  work: (progress: DispatchProgress) => Promise<void>,
): Promise<void> {
  const isCanceled = () => watched.isCanceled(job.jid);
  const progress = new DispatchProgress(context, job, { isCanceled, stopping });
  underWay.set(job.jid, progress);
  try {
    await work(progress);
  } finally {
    underWay.delete(job.jid);
    progress.stop();
  }
}

async function carryOn(
  context: MasterContext,
  hand: JobsInHand,
  claim: Claim,
  progress: DispatchProgress,
): Promise<void> {
  hand.interrupted.forget(claim.job.jid);
  progress.follow(claim.job);
  const { owned, isIndexed } = await toRunning(context, hand, claim, progress);
  progress.enter('listen');
  await begin(hand.watched, owned, {
    isIndexed,
    mayBeCanceled: () => !claim.isNew || progress.mayHaveMissedCancel,
  });
}

/** The record of the claim, on our own clock and with the hint who is away. Throws for what can never be dispatched. */
function claimOf(context: MasterContext, asked: Job): Job {
  const job = acceptableJob(asked);
  const claim = claimedJob(job, context.identity.masterId, context.now());
  const hinted = { ...claim, offlineAtDispatch: context.presence.offline(job.targets) };
  return fittingClaim(hinted, payloadLimit(context.bus));
}

/** From a claim to a record that says `running`. A claim that gets stuck is kept, to be ended or asked for again. */
async function toRunning(
  context: MasterContext,
  { interrupted, watched }: JobsInHand,
  claim: Claim,
  progress: DispatchProgress,
): Promise<{ owned: OwnedJob; isIndexed: boolean }> {
  const { jid } = claim.job;
  try {
    progress.enter('index');
    const isIndexed = await tryIndex(context, claim.job, progress);
    await step(jid, progress, 'announce', () => announce(context, claim, progress));
    const owned = await step(jid, progress, 'running', () => markRunning(context, claim, progress));
    return { owned, isIndexed };
  } catch (error) {
    if (!isZesterError(error, 'MASTER_CLAIM_LOST')) interrupted.keep(claim);
    if (watched.isCanceled(jid)) interrupted.cancel(jid);
    throw error;
  }
}

async function begin(
  watched: WatchedJobs,
  owned: OwnedJob,
  { isIndexed, mayBeCanceled }: { readonly isIndexed: boolean; readonly mayBeCanceled: () => boolean },
): Promise<void> {
  const watcher = watched.add(owned);
  try {
    await watcher.listen();
  } catch (error) {
    const reason = `its acks and returns cannot be listened to: ${(error as Error).message}`;
    await watcher.fail(reason);
    throw zesterError('MASTER_DISPATCH_FAILED', { jid: owned.job.jid, step: 'listen', reason });
  }
  if (!isIndexed) void watcher.index();
  // Adopted, claimed some time ago, or in a bad time: a cancel may have come that nobody here has heard.
  if (mayBeCanceled()) await watcher.readCancels();
  await watcher.start();
}

async function tryIndex(context: MasterContext, job: Job, progress: DispatchProgress): Promise<boolean> {
  try {
    await indexJob(context, job);
    return true;
  } catch (error) {
    progress.noteTrouble();
    context.runtime.log.warn('job not indexed yet; no scan can find it', { jid: job.jid, error });
    return false;
  }
}

/** For so long the store surely knows the id of an event, and keeps one of its kind. */
const ID_KNOWN_MS = STREAMS.jobEvents.duplicateWindowMs / 2;

async function announce(context: MasterContext, claim: Claim, progress: DispatchProgress): Promise<void> {
  const { runtime, life } = context;
  const { job, revision } = claim;
  const event = jobEventCodec.encode({
    jid: job.jid,
    type: 'dispatched',
    peelId: undefined,
    data: jobCodec.encode({ ...job, epoch: revision }),
    timestamp: context.now(),
  });
  const messageId = context.keys.messageId(`dispatched ${job.jid}`);
  const append = async () => {
    // Everyone announces under the same id, but the store forgets ids. Before it does there is nothing to ask: a stream
    // that has no leader refuses an event at once, and leaves a question unanswered.
    const ageMs = msFromNanos(context.now() - dispatchedAt(job));
    if (ageMs > ID_KNOWN_MS && (await isAnnounced(context, job.jid))) return;
    await context.bus.append(jobDispatchSubject(job.jid), event, { messageId, timeoutMs: TRY_MS });
  };
  await retried(runtime, life, `dispatch event of job ${job.jid}`, append, progress);
}

async function isAnnounced({ bus }: MasterContext, jid: Jid): Promise<boolean> {
  return (await bus.stream(STREAMS.jobEvents.name).last(jobDispatchSubject(jid))) !== undefined;
}

/** What the store says no with, with the step at which it did. Refusals of our own say it themselves. */
async function step<T>(
  jid: Jid,
  progress: DispatchProgress,
  name: DispatchStep,
  work: () => Promise<T>,
): Promise<T> {
  progress.enter(name);
  try {
    return await work();
  } catch (error) {
    if (!isZesterError(error) || !error.code.startsWith('BUS_')) throw error;
    throw zesterError('MASTER_DISPATCH_FAILED', { jid, step: name, reason: error.message }, { cause: error });
  }
}
