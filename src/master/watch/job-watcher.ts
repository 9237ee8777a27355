/**
 * Watches one job of this master from its first request to its end: hears acks and returns, has the returns stored, sends
 * the request again to targets that say nothing, and ends the job when all have returned, at the deadline or shortly
 * after (closing-time.ts), or when an operator cancels it. Never earlier: a silent target may be on its way back.
 * Who it believes: the subject, not the payload; targets of the job and nobody else. Acks and returns may come twice,
 * late, and in any order. A callback only notes; the store is waited for elsewhere.
 * Sends again, before the deadline: after the ack window and then at growing intervals (resend-times.ts), when a silent
 * target's heartbeat or curve key appears, and after a reconnect.
 * Lost messages: after a reconnect, when nothing was heard for a while though the stream has something new, and before it
 * ends without all returns, it reads the stream, where peels have their acks and returns confirmed.
 * Lost jobs: a master that was frozen or cut off may have been replaced. As long as that may be so nothing is taken; it
 * reads the record first, and lets the job go, without a write, when it is another's.
 * If we die at any moment, the record says `running` and an adopter does the same from rows and stream.
 */

import type { Message, StoredMessage, Subscription } from '../../bus/port.ts';
import { msToClosing } from '../../core/jobs/closing-time.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { JobTally } from '../../core/jobs/job-tally.ts';
import { readPeelWord } from '../../core/jobs/peel-word.ts';
import { msToResend } from '../../core/jobs/resend-times.ts';
import type { Timer } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { jitter } from '../../runtime/random.ts';
import type { Semaphore } from '../../runtime/semaphore.ts';
import { stopSource } from '../../runtime/signals.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { jobKey, jobReturnPattern, parseJobReturnKey } from '../../wire/names/keys.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { ANY, jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import type { Return } from '../../wire/records/job-return.ts';
import { indexJob } from '../dispatch/active-index.ts';
import { isTrueCancel } from '../dispatch/cancel-proof.ts';
import type { CommandSender } from '../dispatch/command-sender.ts';
import { JobRequests } from '../dispatch/job-requests.ts';
import type { Presence } from '../fleet/presence.ts';
import type { MasterContext } from '../master-context.ts';
import { retried } from '../retry.ts';
import { JobRows } from '../returns/job-rows.ts';
import { storedReturn } from '../returns/persist-row.ts';
import type { ReturnWriter } from '../returns/return-writer.ts';
import type { Strangers } from '../returns/strangers.ts';
import { endJob } from './end-job.ts';
import { readCancels, readHistory } from './job-history.ts';
import type { OwnedJob } from './owned-job.ts';

/** Until the stream is read again because a return was not taken. */
const NOT_TAKEN_MS = 1_000;

/** After so long without a word the stream is asked for its newest return: one question, and mostly nothing was lost. */
const SILENCE_MS = 15_000;
const SILENCE_SPREAD = 0.3;

export interface WatcherParts {
  readonly context: MasterContext;
  readonly sender: CommandSender;
  readonly writer: ReturnWriter;
  readonly strangers: Strangers;
  readonly presence: Pick<Presence, 'ageOf'>;
  /** Readings of the stream at a time, of all jobs. */
  readonly readings: Semaphore;
}

/** `returned`: targets whose return is stored, of a job that was ended here; undefined when it was not. */
export type OnEnd = (watcher: JobWatcher, returned?: ReadonlySet<PeelId>) => void;

export class JobWatcher {
  readonly jid: Jid;
  private readonly parts: WatcherParts;
  private readonly context: MasterContext;
  private readonly log: Log;
  private readonly owned: OwnedJob;
  private readonly onEnd: OnEnd;
  private readonly tally: JobTally;
  private readonly requests: JobRequests;
  private readonly rows: JobRows;
  private readonly gone = stopSource();
  private readonly indexing = stopSource();
  private readonly subscriptions: Subscription[] = [];
  private readonly timers = new Set<Timer>();
  /** On the monotonic clock: a wall clock that is set moves no deadline. */
  private readonly deadlineMs: number;
  /** Nothing more is taken: the job is being counted. */
  private frozen = false;
  /** A return was not taken; the stream has it. */
  private missed = false;
  /** How often that happened. */
  private notTaken = 0;
  private isClosed = false;
  /** When the job was last known to be ours. */
  private oursMs: number;
  /** False while it is not known what was said before we listened: nobody counts as silent then. */
  private knowsHistory = true;
  private heardMs: number;
  /** Times that requests were sent because it was time to. */
  private rounds = 1;
  /** The newest return of the stream when all of it was last read because of a silence. */
  private readUpTo = 0;
  private ending: Promise<void> | undefined;

  constructor(parts: WatcherParts, owned: OwnedJob, onEnd: OnEnd) {
    this.parts = parts;
    this.context = parts.context;
    this.log = parts.context.runtime.log;
    this.owned = owned;
    this.onEnd = onEnd;
    this.jid = owned.job.jid;
    const { clock } = parts.context.runtime;
    this.oursMs = clock.monotonicMs();
    this.heardMs = clock.monotonicMs();
    this.deadlineMs = clock.monotonicMs() + msFromNanos(deadlineOf(owned.job)) - clock.nowMs();
    this.tally = new JobTally(owned.job);
    this.requests = new JobRequests(parts.context, parts.sender, owned);
    this.rows = new JobRows(this.tally, parts.writer, this.gone.signal, (error) =>
      this.logUnlessGone('row could not be stored', error),
    );
  }

  /** Listens; resolves when nothing that is published from now on can be missed. */
  async listen(): Promise<void> {
    const { bus } = this.context;
    const hear = (message: Message) => {
      this.heardMs = this.context.runtime.clock.monotonicMs();
      this.hear(message.subject, message.data, this.context.now());
    };
    const subscribe = async (subject: string) =>
      void this.subscriptions.push(await bus.subscribe(subject, hear));
    await Promise.all([subscribe(jobAckSubject(this.jid, ANY)), subscribe(jobReturnSubject(this.jid, ANY))]);
    // Canceled meanwhile.
    if (this.isClosed) this.close();
    this.after(Math.max(0, this.msToDeadline()), () => this.endWhenDue());
    this.after(SILENCE_MS, () => void this.lookForLost());
  }

  /** The first request to every target, and more of them to those that stay silent. */
  async send(): Promise<void> {
    // The way from the claim to here may have been long.
    if (!this.mayResend()) return;
    await this.requests.sendTo(this.owned.job.targets);
    this.resendLater();
  }

  /**
   * Takes up a job that another master began: what its rows and the stream say, then the same request to all that said
   * nothing. A job that cannot be carried on is ended for `failure` instead, with what has returned; one that has only
   * to be counted is counted.
   */
  async recover(failure?: string): Promise<void> {
    this.knowsHistory = false;
    if (failure !== undefined) this.tally.noteFailure(failure);
    try {
      await retried(this.context.runtime, this.gone.signal, `watch of job ${this.jid}`, () => this.listen());
      await this.parts.readings.run(async () => {
        await this.readRows();
        await this.readStream();
      });
      this.knowsHistory = true;
      if (failure !== undefined || this.tally.allReturned()) return await this.end();
      if (!this.mayResend()) return;
      await this.requests.sendTo(this.tally.silent());
      this.resendLater();
    } catch (error) {
      this.logUnlessGone('adopted job could not be taken up', error);
    }
  }

  /** A cancel that came while nobody watched is in the stream. */
  async readCancels(): Promise<void> {
    const { context } = this;
    const read = () => readCancels(context, this.jid, (message) => this.judgeCancel(message));
    await retried(context.runtime, this.gone.signal, `cancels of job ${this.jid}`, read);
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
    if (this.mayResend() && this.tally.isSilent(peel)) void this.requests.sendTo([peel]);
  }

  /** Something was missed: is the job still ours, what does the stream have, who is still silent? */
  async catchUp(): Promise<void> {
    try {
      await this.readAgain();
      if (this.mayResend()) await this.requests.sendTo(this.tally.silent());
    } catch (error) {
      this.logUnlessGone('job could not catch up', error);
    }
  }

  cancel(): void {
    if (this.tally.isCanceled() || this.frozen || this.gone.signal.aborted) return;
    this.tally.noteCancel(this.context.now());
    this.log.info('job canceled', { jid: this.jid });
    void this.end();
  }

  /** The job cannot be carried on. */
  fail(reason: string): Promise<void> {
    this.tally.noteFailure(reason);
    return this.end();
  }

  /**
   * A return of a target, from wherever. Resolves to true when its row is in the store; false when it was not taken, and
   * then somebody must bring it again.
   */
  take(peel: PeelId, value: Return): Promise<boolean> {
    if (this.frozen || !this.tally.isTarget(peel)) return Promise.resolve(false);
    const stored = this.context.sign.mayBeTaken(this.oursMs) ? undefined : this.rows.take(peel, value);
    if (stored === undefined) {
      this.noteMissed();
      return Promise.resolve(false);
    }
    if (msToClosing(this.tally, this.msToDeadline()) === 0) void this.end();
    return stored;
  }

  /** For a graceful stop: what was taken is stored; a job that is complete is ended, any other left to an adopter. */
  async detach(): Promise<void> {
    if (this.isOpen()) {
      this.close();
      await this.rows.stored();
      this.abandon();
    }
    await this.ending;
  }

  /** Drops everything at once, without a word to the store. */
  abandon(): void {
    this.frozen = true;
    this.close();
    this.gone.abort();
    this.onEnd(this);
  }

  private isOpen(): boolean {
    return this.ending === undefined && !this.gone.signal.aborted;
  }

  /** What is received after the deadline is not started. */
  private mayResend(): boolean {
    return this.isOpen() && this.knowsHistory && this.msToDeadline() > 0;
  }

  private msToDeadline(): number {
    return this.deadlineMs - this.context.runtime.clock.monotonicMs();
  }

  private endWhenDue(): void {
    const leftMs = msToClosing(this.tally, this.msToDeadline());
    if (leftMs === 0) void this.end();
    else this.after(Math.ceil(leftMs), () => this.endWhenDue());
  }

  private hear(subject: string, data: Uint8Array, at: bigint): void {
    const word = readPeelWord(subject, data);
    if (word.kind === 'nonsense') this.noteStranger(word.peel, word.problem);
    else if (!this.tally.isTarget(word.peel)) this.noteStranger(word.peel, 'is no target');
    else if (word.kind === 'ack') this.tally.noteAck(word.peel, at);
    else void this.take(word.peel, word.value);
  }

  private noteStranger(peel: PeelId | undefined, problem: string): void {
    if (peel !== undefined) this.parts.strangers.note(peel, problem, { jid: this.jid });
  }

  /** Who is silent now may be so then; who is not never is again. */
  private resendLater(): void {
    const { ackWindowMs } = this.context.settings;
    const waitMs = msToResend(ackWindowMs, this.rounds, this.msToDeadline());
    if (waitMs !== undefined) this.after(waitMs, () => void this.resendToSilent());
  }

  private async resendToSilent(): Promise<void> {
    const silent = this.tally.silent();
    if (!this.mayResend() || silent.length === 0) return;
    await this.requests.resendTo(silent, this.rounds);
    this.rounds += 1;
    this.resendLater();
  }

  /** Everything the stream has of the job; what is known already changes nothing. */
  private readStream(): Promise<void> {
    const { context } = this;
    const read = () =>
      readHistory(context, this.jid, {
        word: ({ subject, data, publishedMs }) => this.hear(subject, data, nanosFromMs(publishedMs)),
        cancel: (message) => this.judgeCancel(message),
      });
    return retried(context.runtime, this.gone.signal, `stream of job ${this.jid}`, read);
  }

  private readAgain(): Promise<void> {
    return this.parts.readings.run(async () => {
      if (!this.isOpen()) return;
      if (await this.isOurs()) await this.readStream();
      else if (this.isOpen()) this.lose();
    });
  }

  /** A core message may be lost while the line seems good. */
  private async lookForLost(): Promise<void> {
    const { bus, runtime } = this.context;
    const silentMs = runtime.clock.monotonicMs() - this.heardMs;
    if (silentMs >= SILENCE_MS && this.isOpen() && this.knowsHistory) {
      try {
        const newest = await this.parts.readings.run(() =>
          bus.stream(STREAMS.jobEvents.name).last(jobReturnSubject(this.jid, ANY)),
        );
        if (newest !== undefined && newest.sequence > this.readUpTo) {
          await this.readAgain();
          this.readUpTo = newest.sequence;
        }
      } catch (error) {
        // The next look is soon.
        if (!this.gone.signal.aborted) this.log.debug('stream of job not asked', { jid: this.jid, error });
      }
    }
    // Spread, for the thousands that were adopted in one moment.
    const againMs = jitter(runtime.random, SILENCE_MS, SILENCE_SPREAD);
    const restMs = silentMs < SILENCE_MS ? Math.ceil(SILENCE_MS - silentMs) : againMs;
    this.after(restMs, () => void this.lookForLost());
  }

  private judgeCancel({ headers }: StoredMessage): void {
    if (isTrueCancel(this.context, this.jid, headers)) this.cancel();
  }

  /** Returns that are stored already: they count, whatever the stream still has. */
  private async readRows(): Promise<void> {
    const { rows, runtime } = this.context;
    const read = () => rows.entries(jobReturnPattern(this.jid));
    for (const entry of await retried(runtime, this.gone.signal, `rows of job ${this.jid}`, read)) {
      const peel = parseJobReturnKey(entry.key)?.peel;
      const row = storedReturn(entry);
      if (peel !== undefined && row !== undefined) this.rows.found(peel, row);
    }
  }

  private noteMissed(): void {
    this.notTaken += 1;
    if (this.missed) return;
    this.missed = true;
    this.after(NOT_TAKEN_MS, () => {
      this.missed = false;
      void this.catchUp();
    });
  }

  private async isOurs(): Promise<boolean> {
    const { jobs, runtime } = this.context;
    const begunMs = runtime.clock.monotonicMs();
    const what = `record of job ${this.jid}`;
    const read = await retried(runtime, this.gone.signal, what, () => jobs.getLatest(jobKey(this.jid)));
    if (read.revision !== this.owned.revision) return false;
    this.oursMs = begunMs;
    return true;
  }

  private end(): Promise<void> {
    this.ending ??= this.finish();
    return this.ending;
  }

  private async finish(): Promise<void> {
    const { owned, tally } = this;
    const { writer, presence } = this.parts;
    this.indexing.abort();
    let returned: ReadonlySet<PeelId> | undefined;
    try {
      const outcome = await endJob(this.context, {
        owned,
        tally,
        writer,
        ageOf: (peel) => presence.ageOf(peel),
        signal: this.gone.signal,
        settle: () => this.settle(),
      });
      if (outcome === 'lost') this.lose();
      else returned = tally.returned();
    } catch (error) {
      this.logUnlessGone('job could not be ended', error);
    }
    this.close();
    this.onEnd(this, returned);
  }

  /**
   * Counts from here: all that was published is known, all that was taken is stored, nothing more is taken. False when
   * the job is another's by now.
   */
  private async settle(): Promise<boolean> {
    let complete = this.tally.allReturned();
    // Who stopped was told to, and its return may have overtaken the cancel.
    if (complete && this.tally.someStopped()) await this.readCancels();
    while (!complete) {
      if (!(await this.isOurs())) return false;
      const { notTaken } = this;
      await this.parts.readings.run(() => this.readStream());
      await this.rows.stored();
      complete = this.notTaken === notTaken;
    }
    while (!this.rows.areStored) await this.rows.stored();
    this.frozen = true;
    return true;
  }

  private lose(): void {
    this.log.warn('job was taken over by another master; leaving it alone', { jid: this.jid });
    this.abandon();
  }

  private close(): void {
    this.isClosed = true;
    for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe();
    for (const timer of this.timers) timer.cancel();
    this.timers.clear();
    this.indexing.abort();
  }

  private after(delayMs: number, run: () => void): void {
    if (this.isClosed) return;
    const timer = this.context.runtime.clock.after(delayMs, () => {
      this.timers.delete(timer);
      run();
    });
    this.timers.add(timer);
  }

  private logUnlessGone(message: string, error: unknown): void {
    if (!this.gone.signal.aborted) this.log.error(message, { jid: this.jid, error });
  }
}
