/**
 * The dispatch service takes jobs from clients on the dispatch subject, one master for each request. The callback decodes
 * and queues; a bounded number is worked on. Every request is answered within `ANSWER_MS`, while its client still
 * listens: with the job id when the job is on its way; with an error when it was refused or has failed; and otherwise
 * with what is waited for. Then the client asks again, here or elsewhere, with the same id. A dispatch that was begun
 * goes on meanwhile; one that still waited for its turn is dropped at once, with its place, because nobody may be there
 * any more when it comes. An answer that is lost does no harm.
 *
 * Two requests for one id are worked on one after the other, so the second finds what the first did.
 * Bounds: `dispatchConcurrency` at work, `dispatchQueueMax` waiting, `watchedJobsMax` jobs; beyond: MASTER_BUSY.
 */
import type { Message, SubjectSubscription } from '../../bus/port.ts';
import { isZesterError, type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { KeyedMutex } from '../../runtime/keyed-mutex.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { stopSource } from '../../runtime/signals.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { DISPATCH_SUBJECT, QUEUES } from '../../wire/names/subjects.ts';
import {
  type DispatchRefusal,
  type DispatchReply,
  dispatchReplyCodec,
} from '../../wire/records/dispatch-reply.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import { dispatchJob, type JobsInHand } from './dispatch-job.ts';

/** A client waits 5 s for an answer. */
const ANSWER_MS = 4_000;

export class DispatchService {
  private readonly context: MasterContext;
  private readonly hand: JobsInHand;
  private readonly atWork: Semaphore;
  /** One at a time for each id. */
  private readonly turns = new KeyedMutex<Jid>();
  private readonly works = new Set<Promise<void>>();
  /** Requests that wait or are at work. */
  private taken = 0;
  private readonly stopping = stopSource();
  private subscription: SubjectSubscription | undefined;

  constructor(context: MasterContext, hand: JobsInHand) {
    this.context = context;
    this.hand = hand;
    this.atWork = new Semaphore(context.settings.dispatchConcurrency);
  }

  /** Something is at work for the id. */
  has(jid: Jid): boolean {
    return this.turns.isHeld(jid);
  }

  get waiting(): number {
    return this.taken - this.atWork.busy;
  }

  async start(): Promise<void> {
    const { bus } = this.context;
    this.subscription = await bus.subscribe(DISPATCH_SUBJECT, (message) => this.receive(message), {
      queue: QUEUES.masters,
    });
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  async stop(): Promise<void> {
    await this.subscription?.drain();
    this.stopping.abort();
    await Promise.allSettled(this.works);
  }

  private receive(message: Message): void {
    const job = this.decode(message);
    if (job === undefined) return;
    const { jid, user, function: name, targets } = job;
    this.log.info('dispatch request received', { jid, user, function: name, targets: targets.length });
    const refusal = this.refusal();
    if (refusal === undefined) this.enqueue(message, job);
    else this.answer(message, refusalOf(refusal));
  }

  private decode(message: Message): Job | undefined {
    const job = decoded(jobCodec, message.data);
    if (job.isReadable) return job.value;
    this.answer(message, refusalOf(zesterError('MASTER_QUESTION_UNREADABLE', { problem: job.problem })));
    return undefined;
  }

  private refusal(): ZesterError | undefined {
    const { settings, life } = this.context;
    if (life.aborted) return zesterError('MASTER_STOPPING', {});
    if (this.waiting >= settings.dispatchQueueMax) return this.busy();
    const jobs = this.hand.watched.size + this.taken;
    if (jobs >= settings.watchedJobsMax) return zesterError('MASTER_BUSY', { count: jobs, what: 'jobs' });
    return undefined;
  }

  /** Runs when everything else at work for the id is done: an adoption and a client may want the same job at once. */
  inTurn(jid: Jid, work: () => Promise<void>, leaving?: AbortSignal): Promise<void> {
    const done = this.turns.run(jid, work, leaving).finally(() => this.works.delete(done));
    this.works.add(done);
    return done;
  }

  private enqueue(message: Message, job: Job): void {
    let isAnswered = false;
    const answer = (reply: DispatchReply, result?: 'pending') => {
      if (!isAnswered) this.answer(message, reply, result);
      isAnswered = true;
    };
    const leaving = stopSource();
    const answerTimer = this.context.runtime.clock.after(ANSWER_MS, () => {
      answer(refusalOf(this.waitsFor(job.jid)), 'pending');
      leaving.abort();
    });
    this.taken += 1;
    const work = async () => answer(await this.dispatch(job));
    const whenFree = () => this.atWork.run(work, leaving.signal);
    void this.inTurn(job.jid, whenFree, leaving.signal)
      .catch((error: unknown) => this.log.debug('a dispatch left the line', { jid: job.jid, error }))
      .finally(() => {
        answerTimer.cancel();
        this.taken -= 1;
      });
  }

  private waitsFor(jid: Jid): ZesterError {
    const progress = this.hand.underWay.get(jid);
    return progress === undefined
      ? this.busy()
      : zesterError('MASTER_DISPATCH_PENDING', { jid, ...progress.waitsFor });
  }

  private busy(): ZesterError {
    return zesterError('MASTER_BUSY', { count: this.waiting, what: 'dispatches' });
  }

  private async dispatch(job: Job): Promise<DispatchReply> {
    try {
      return { jid: await dispatchJob(this.context, this.hand, job, this.stopping.signal) };
    } catch (error) {
      if (this.stopping.signal.aborted || this.context.life.aborted)
        return refusalOf(zesterError('MASTER_STOPPING', {}));
      if (!isZesterError(error))
        this.log.error('a dispatch failed in a way it should not', { jid: job.jid, error });
      else this.log.warn('job not dispatched', { jid: job.jid, error });
      return refusalOf(error);
    }
  }

  private answer(message: Message, reply: DispatchReply, result?: 'pending'): void {
    this.context.metrics.dispatchAnswered(result ?? ('jid' in reply ? 'dispatched' : 'refused'));
    if (message.reply === undefined) return;
    try {
      this.context.bus.publish(message.reply, dispatchReplyCodec.encode(reply));
    } catch (error) {
      this.log.debug('a dispatch could not be answered; the client asks again', { error });
    }
  }

  private get log() {
    return this.context.runtime.log;
  }
}

/** Words that the client shows, and the code by which it tells refusals apart. */
export function refusalOf(error: unknown): DispatchRefusal {
  if (!isZesterError(error)) return { error: 'a bug in zester-master; see its log', code: '' };
  return { error: `${error.message} [${error.code}]`, code: error.code };
}
