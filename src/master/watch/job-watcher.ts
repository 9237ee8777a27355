/**
 * A job watcher watches one job of this master from its first request to its end. What is to be done, and when, is
 * decided in core/jobs/plan-watch.ts; this class gathers what happens (acks, returns, cancels, peels that appear, a line
 * that was lost, the answers of the store), asks, and carries the steps out.
 *
 * Who it believes: the subject, not the payload; targets of the job and nobody else. Acks and returns may come twice,
 * late, and in any order. A callback only notes; the store is waited for elsewhere.
 * Lost jobs: a master that was frozen or cut off may have been replaced. As long as that may be so nothing is taken; it
 * reads the record first, and lets the job go, without a write, when it is another's.
 * If we die at any moment, the record says `running` and an adopter does the same from rows and stream.
 */
import type { Message, Subscription } from '../../bus/port.ts';
import { never } from '../../core/assert.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { JobTally } from '../../core/jobs/job-tally.ts';
import {
  afterEvent,
  type Farewell,
  isHearing,
  isTaking,
  type JobWatch,
  newJobWatch,
  SILENCE_MS,
  type WatchEvent,
} from '../../core/jobs/job-watch.ts';
import { readPeelWord } from '../../core/jobs/peel-word.ts';
import { isWorthPlanning, planWatch, type WatchStep } from '../../core/jobs/plan-watch.ts';
import type { Timer } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { jitter } from '../../runtime/random.ts';
import { stopSource } from '../../runtime/signals.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { ANY, jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import type { Return } from '../../wire/records/job-return.ts';
import { indexJob } from '../dispatch/active-index.ts';
import { JobRequests } from '../dispatch/job-requests.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';
import { JobRows } from '../returns/job-rows.ts';
import { endJob } from './end-job.ts';
import { JobHistory } from './job-history.ts';
import type { OwnedJob } from './owned-job.ts';

const LOOK_SPREAD = 0.3;

/** `returned`: targets whose return is stored, of a job that was ended here; undefined when it was not. */
export type OnEnd = (watcher: JobWatcher, returned?: ReadonlySet<PeelId>) => void;

export class JobWatcher {
  readonly jid: Jid;
  private readonly context: MasterContext;
  private readonly log: Log;
  private readonly owned: OwnedJob;
  private readonly onEnd: OnEnd;
  private readonly tally: JobTally;
  private readonly requests: JobRequests;
  private readonly rows: JobRows;
  private readonly history: JobHistory;
  private readonly gone = stopSource();
  private readonly indexing = stopSource();
  /** Resolves when the job is over for this master. */
  private readonly left: Promise<void>;
  private readonly subscriptions: Subscription[] = [];
  private watch: JobWatch;
  private alarm: { readonly untilMs: number; readonly timer: Timer } | undefined;
  private isActing = false;

  constructor(context: MasterContext, owned: OwnedJob, onEnd: OnEnd) {
    const { runtime, settings } = context;
    this.context = context;
    this.log = runtime.log;
    this.owned = owned;
    this.onEnd = onEnd;
    this.jid = owned.job.jid;
    const nowMs = runtime.clock.monotonicMs();
    const times = {
      deadlineMs: nowMs + msFromNanos(deadlineOf(owned.job)) - runtime.clock.nowMs(),
      ackWindowMs: settings.ackWindowMs,
      lookGapMs: jitter(runtime.random, SILENCE_MS, LOOK_SPREAD),
    };
    this.watch = newJobWatch(times, nowMs);
    this.tally = new JobTally(owned.job);
    this.requests = new JobRequests(context, owned);
    this.rows = new JobRows(this.tally, context.writer, this.gone.signal, (error) =>
      this.logUnlessGone('row could not be stored', error),
    );
    this.history = new JobHistory(context, owned, this.gone.signal, {
      word: (subject, data, at) => this.hear(subject, data, at),
      cancel: () => this.cancel(),
      row: (peel, row) => {
        if (isTaking(this.watch)) this.rows.found(peel, row);
      },
      owner: (isOurs, askedMs) => void this.tell(isOurs ? { kind: 'owned', askedMs } : { kind: 'lost' }),
    });
    this.left = new Promise((resolve) =>
      this.gone.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
  }

  /** Listens; resolves when nothing that is published from now on can be missed. */
  async listen(): Promise<void> {
    const { bus } = this.context;
    const hear = (message: Message) => {
      this.watch = afterEvent(this.watch, { kind: 'heard' }, this.nowMs());
      this.hear(message.subject, message.data, this.context.now());
    };
    const subscribe = async (subject: string) =>
      void this.subscriptions.push(await bus.subscribe(subject, hear));
    await Promise.all([subscribe(jobAckSubject(this.jid, ANY)), subscribe(jobReturnSubject(this.jid, ANY))]);
    // Canceled meanwhile.
    if (isHearing(this.watch)) void this.tell({ kind: 'listening' });
    else this.stopListening();
  }

  /** The first request to every target, and from then on more of them to those that stay silent. */
  start(): Promise<void> {
    return this.tell({ kind: 'begun' });
  }

  /**
   * Takes up a job that another master began: what its rows and the stream say, then the same request to all that said
   * nothing. A job that cannot be carried on is ended for `failure` instead, with what has returned; one that has only
   * to be counted is counted.
   */
  async recover(failure?: string): Promise<void> {
    if (failure !== undefined) this.tally.noteFailure(failure);
    void this.tell({ kind: 'recovering', isGivenUp: failure !== undefined });
    try {
      const { runtime } = this.context;
      await retried(runtime, this.gone.signal, `watch of job ${this.jid}`, () => this.listen());
    } catch (error) {
      this.logUnlessGone('adopted job could not be taken up', error);
    }
  }

  /** A cancel that came while nobody watched is in the stream. */
  readCancels(): Promise<void> {
    return this.history.readCancels();
  }

  /** Its entry in the index is missing: made for as long as the job lives. */
  async index(): Promise<void> {
    const { signal } = this.indexing;
    const make = () => indexJob(this.context, this.owned.job);
    await retried(this.context.runtime, signal, `index of job ${this.jid}`, make).catch((error: unknown) => {
      if (!signal.aborted) this.log.error('job could not be indexed', { jid: this.jid, error });
    });
  }

  /** A peel has come (back), or can be sent proofs from now on. */
  appeared(peel: PeelId): void {
    if (this.tally.isSilent(peel)) void this.tell({ kind: 'appeared', peel });
  }

  /** Something was missed: is the job still ours, what does the stream have, who is still silent? */
  catchUp(): void {
    void this.tell({ kind: 'may-have-missed' });
  }

  cancel(): void {
    if (this.tally.isCanceled() || !isTaking(this.watch)) return;
    this.tally.noteCancel(this.context.now());
    this.log.info('job canceled', { jid: this.jid });
    void this.tell({ kind: 'must-end' });
  }

  /** The job cannot be carried on. Resolves when it is ended. */
  fail(reason: string): Promise<void> {
    this.tally.noteFailure(reason);
    void this.tell({ kind: 'must-end' });
    return this.left;
  }

  /**
   * A return of a target, from wherever. Resolves to true when its row is in the store; false when it was not taken, and
   * then somebody must bring it again.
   */
  take(peel: PeelId, value: Return): Promise<boolean> {
    if (!isTaking(this.watch) || !this.tally.isTarget(peel)) return Promise.resolve(false);
    const { sign } = this.context;
    const taken = sign.mayBeTaken(this.watch.oursMs) ? undefined : this.rows.take(peel, value);
    if (taken === undefined) {
      void this.tell({ kind: 'not-taken' });
      return Promise.resolve(false);
    }
    if (taken.isFirst) {
      this.tellOfRow({ kind: 'taken' });
      void taken.stored.then(() => this.tellOfRow({ kind: 'stored' }));
    }
    return taken.stored;
  }

  /** For a graceful stop: what was taken is stored; a job that is complete is ended, any other left to an adopter. */
  detach(): Promise<void> {
    void this.tell({ kind: 'detach' });
    return this.left;
  }

  /** Drops everything at once, without a word to the store. */
  abandon(): void {
    void this.tell({ kind: 'abandon' });
  }

  /** Resolves when the requests that go out because of the event are out. */
  private tell(event: WatchEvent): Promise<void> {
    this.watch = afterEvent(this.watch, event, this.nowMs());
    return this.act();
  }

  /** These come for every target: most of them are noted, and lead to nothing. */
  private tellOfRow(event: WatchEvent): void {
    this.watch = afterEvent(this.watch, event, this.nowMs());
    if (isWorthPlanning(this.watch, this.tally, this.nowMs())) void this.act();
  }

  private async act(): Promise<void> {
    // A step that tells of something at once is under way: the loop below plans again.
    if (this.isActing) return;
    this.isActing = true;
    const sends: Promise<void>[] = [];
    try {
      for (let planned: JobWatch | undefined; planned !== this.watch; ) {
        const plan = planWatch(this.watch, this.tally, this.nowMs());
        planned = plan.watch;
        this.watch = planned;
        for (const step of plan.steps) this.carryOut(step, sends);
      }
    } finally {
      this.isActing = false;
    }
    await Promise.all(sends);
  }

  /** Begins the step; what takes long tells its end as an event. */
  private carryOut(step: WatchStep, sends: Promise<void>[]): void {
    switch (step.kind) {
      case 'send':
        sends.push(this.send(step.peels, step.round));
        break;
      case 'request':
        sends.push(this.requests.sendTo(step.peels));
        break;
      case 'read-history':
        void this.read(() => this.history.readAll());
        break;
      case 'read-again':
        void this.read(() => this.history.readAgain());
        break;
      case 'read-cancels':
        void this.read(() => this.history.readCancels());
        break;
      case 'ask-newest':
        void this.askNewest();
        break;
      case 'count':
        void this.count();
        break;
      case 'stop-indexing':
        this.indexing.abort();
        break;
      case 'stop-listening':
        this.stopListening();
        break;
      case 'leave':
        this.leave(step.farewell);
        break;
      case 'wait':
        this.setAlarm(step.untilMs);
        break;
      default:
        never(step);
    }
  }

  private async send(peels: readonly PeelId[], round: number): Promise<void> {
    if (round === 0) await this.requests.sendTo(peels);
    else await this.requests.resendTo(peels, round);
    void this.tell({ kind: 'sent' });
  }

  private hear(subject: string, data: Uint8Array, at: bigint): void {
    const word = readPeelWord(subject, data);
    if (word.kind === 'nonsense') this.noteStranger(word.peel, word.problem);
    else if (!this.tally.isTarget(word.peel)) this.noteStranger(word.peel, 'is no target');
    else if (this.context.enrollments.isShutOut(word.peel)) this.noteStranger(word.peel, 'is shut out');
    else if (word.kind === 'ack') this.tally.noteAck(word.peel, at);
    else void this.take(word.peel, word.value);
  }

  private noteStranger(peel: PeelId | undefined, problem: string): void {
    if (peel !== undefined) this.context.strangers.note(peel, problem, { jid: this.jid });
  }

  private async read(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      void this.tell({ kind: 'read' });
    } catch (error) {
      this.logUnlessGone(this.unreadText(), error);
      void this.tell({ kind: 'read-failed' });
    }
  }

  private unreadText(): string {
    const { phase, reading } = this.watch;
    if (reading?.what === 'history') return 'adopted job could not be taken up';
    return phase === 'settling' ? 'job could not be ended' : 'job could not catch up';
  }

  private async askNewest(): Promise<void> {
    let sequence: number | undefined;
    try {
      sequence = await this.history.newestReturn();
    } catch (error) {
      // The next look is soon.
      if (!this.gone.signal.aborted) this.log.debug('stream of job not asked', { jid: this.jid, error });
    }
    void this.tell({ kind: 'newest', sequence });
  }

  private async count(): Promise<void> {
    const { owned, tally } = this;
    let farewell: Farewell = 'let-go';
    try {
      farewell = await endJob(this.context, { owned, tally, signal: this.gone.signal });
    } catch (error) {
      this.logUnlessGone('job could not be ended', error);
    }
    void this.tell({ kind: 'counted', farewell });
  }

  private leave(farewell: Farewell): void {
    if (farewell === 'lost')
      this.log.warn('job was taken over by another master; leaving it alone', { jid: this.jid });
    this.stopListening();
    this.onEnd(this, farewell === 'ended' ? this.tally.returned() : undefined);
    this.gone.abort();
  }

  private stopListening(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe();
    this.alarm?.timer.cancel();
    this.indexing.abort();
  }

  private setAlarm(untilMs: number): void {
    if (this.alarm?.untilMs === untilMs) return;
    this.alarm?.timer.cancel();
    const timer = this.context.runtime.clock.after(untilMs - this.nowMs(), () => {
      this.alarm = undefined;
      void this.act();
    });
    this.alarm = { untilMs, timer };
  }

  private nowMs(): number {
    return this.context.runtime.clock.monotonicMs();
  }

  private logUnlessGone(message: string, error: unknown): void {
    if (!this.gone.signal.aborted) this.log.error(message, { jid: this.jid, error });
  }
}
