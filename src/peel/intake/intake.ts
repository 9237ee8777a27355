/**
 * Takes in commands and cancels, one after another in the order they came, so that what is decided about a job rests on
 * all that came before. Bus callbacks only check the proof (door.ts, within check-budget.ts) and put the message into the
 * inbox; this loop works.
 *
 * For each job: judged (judge-job.ts); recorded on disk; acknowledged; queued. In this order, so that nothing is promised
 * or run that a restart would not know.
 *
 * What comes while the keys of the masters are being read, after a connect or because no key that is known fits it,
 * waits for that and is judged then.
 *
 * Bounds: `INBOX_MESSAGES_MAX`, `INBOX_BYTES_MAX`; `HELD_MAX`, `HELD_BYTES_MAX` of what waits for keys, apart from the inbox so that what nobody has
 * proven yet takes no room from what is proven. Over them a message is dropped, as if the network had lost it: the master
 * sends a job again, and a cancel that is lost leaves the job running until its deadline.
 */
import { headerBytes } from '../../bus/header-block.ts';
import type { Message } from '../../bus/port.ts';
import { never } from '../../core/assert.ts';
import { CertificateVerdicts } from '../../trust/certificate-verdicts.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { ExecRequest } from '../../wire/records/exec.ts';
import type { PeelContext } from '../peel-context.ts';
import type { PeelCounts } from '../peel-ports.ts';
import { endingOfStop, type JobEnding, QUEUE_FULL, returnOf } from '../returns/make-return.ts';
import type { DirectRunner } from '../run/direct-runner.ts';
import type { LaneName } from '../run/exec-queue.ts';
import type { JobRunner } from '../run/job-runner.ts';
import { type CancelStanding, CheckBudget, type CheckDecision } from './check-budget.ts';
import {
  type Admission,
  type Arrival,
  admitCancel,
  admitCommand,
  canceledJob,
  type DoorTrust,
  isDirect,
  UNKNOWN_KEY,
} from './door.ts';
import { judgeJob } from './judge-job.ts';
import { LimitedLog } from './limited-log.ts';
import { type JobArrival, TurnedAway } from './turned-away.ts';

const INBOX_MESSAGES_MAX = 4_096;
const INBOX_BYTES_MAX = 32 * 1_048_576;
const HELD_MAX = 256;
const HELD_BYTES_MAX = 8 * 1_048_576;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** `last-look`: a job that was turned away and has waited long enough. */
type InboxItem = Arrival | ({ readonly kind: 'last-look' } & JobArrival);

export class Intake {
  readonly counts: Mutable<Omit<PeelCounts, 'returned'>> = {
    accepted: 0,
    repeated: 0,
    answeredUnrun: 0,
    turnedAway: 0,
    direct: 0,
    canceled: 0,
    refused: 0,
    overBudget: 0,
  };
  private readonly context: PeelContext;
  private readonly runner: JobRunner;
  private readonly direct: DirectRunner;
  private readonly trust: DoorTrust;
  private readonly warnings: LimitedLog;
  private readonly turnedAway: TurnedAway;
  private readonly checks: CheckBudget;
  private readonly inbox: InboxItem[] = [];
  private inboxBytes = 0;
  private held = 0;
  private heldBytes = 0;
  private working: Promise<void> | undefined;
  private stopped = false;

  constructor(context: PeelContext, runner: JobRunner, direct: DirectRunner) {
    const { keys } = context;
    const { clock, log } = context.runtime;
    this.context = context;
    this.runner = runner;
    this.direct = direct;
    this.trust = {
      peelId: context.peelId,
      commandProofKeys: (generation) => keys.commandProofKeys(generation),
      knowsGeneration: (generation) => keys.knowsGeneration(generation),
      commandKeys: () => keys.commandKeys(),
      certificates: new CertificateVerdicts(),
      now: () => nanosFromMs(clock.nowMs()),
    };
    this.warnings = new LimitedLog(log, clock);
    this.checks = new CheckBudget(clock, () => Buffer.concat(keys.commandKeys()).toString('latin1'));
    this.turnedAway = new TurnedAway(clock, (job) => this.put({ ...job, kind: 'last-look' }));
  }

  command(message: Message): void {
    this.whenFresh(message, () => this.judgeCommand(message));
  }

  cancel(message: Message): void {
    this.whenFresh(message, () => this.judgeCancel(message));
  }

  private judgeCommand(message: Message): void {
    if (isDirect(message) && this.checks.forDirect() !== 'check') {
      this.dropUnchecked(message.subject);
      return;
    }
    this.judge(message, () => admitCommand(message, this.trust));
  }

  /** A key that is not known may be newer than those that were read last: they are read once more, and it is judged again. */
  private judge(message: Message, admit: () => Admission): void {
    const admission = admit();
    const isKeyUnknown = 'refused' in admission && UNKNOWN_KEY.has(admission.refused);
    const reading = isKeyUnknown ? this.context.keys.refresh() : undefined;
    if (reading === undefined) this.admit(message, admission);
    else this.hold(message, reading, () => this.admit(message, admit()));
  }

  /** Nothing is judged by keys from before a connection was lost: see key-ring.ts. */
  private whenFresh(message: Message, judge: () => void): void {
    const fresh = this.context.keys.whenFresh();
    if (fresh === undefined) judge();
    else this.hold(message, fresh, judge);
  }

  private hold(message: Message, until: Promise<void>, then: () => void): void {
    const bytes = message.data.length + headerBytes(message.headers);
    if (this.held >= HELD_MAX || this.heldBytes + bytes > HELD_BYTES_MAX) {
      this.refuse(message.subject, 'too many came while the keys were read');
      return;
    }
    this.held += 1;
    this.heldBytes += bytes;
    void until.then(() => {
      this.held -= 1;
      this.heldBytes -= bytes;
      if (!this.stopped) then();
    });
  }

  private judgeCancel(message: Message): void {
    const { subject, headers } = message;
    const jid = canceledJob(subject);
    const proof = headers.get(PROOF_HEADER) ?? '';
    if (jid === undefined) this.refuse(subject, 'not a cancel of a job');
    else this.decideCancel(message, jid, proof, this.checks.forCancel(this.standing(jid), jid, proof));
  }

  /** Ends after the message that is being worked on. The others were not accepted, so nothing is owed for them. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.turnedAway.stop();
    await this.working;
  }

  private admit(message: Message, admission: Admission): void {
    if ('refused' in admission) this.refuse(message.subject, admission.refused);
    else if (this.inbox.length >= INBOX_MESSAGES_MAX || this.inboxBytes >= INBOX_BYTES_MAX)
      this.refuse(message.subject, 'inbox full');
    else this.put(admission.arrival);
  }

  private refuse(subject: string, reason: string): void {
    this.counts.refused += 1;
    this.warnings.warn('refused a message', { subject, reason });
  }

  private decideCancel(message: Message, jid: Jid, proof: string, decision: CheckDecision): void {
    switch (decision) {
      case 'ignore':
        break;
      case 'refuse':
        this.refuse(message.subject, 'refused before');
        break;
      case 'over-budget':
        this.dropUnchecked(message.subject);
        break;
      case 'check':
        this.judge(message, () => {
          const admission = admitCancel(message, jid, this.trust);
          if ('refused' in admission) this.checks.noteRefused(jid, proof);
          return admission;
        });
        break;
      default:
        never(decision);
    }
  }

  private dropUnchecked(subject: string): void {
    this.counts.overBudget += 1;
    this.warnings.warn('dropped a message: too many came to check their signatures', { subject });
  }

  private standing(jid: Jid): CancelStanding {
    const { book, cancels } = this.context;
    if (book.isOpen(jid) || this.turnedAway.has(jid)) return 'at-work';
    return book.epochOf(jid) !== undefined || cancels.has(jid) ? 'nothing-to-stop' : 'not-seen';
  }

  /** A function that is not there goes to the readers, so that its caller is answered at once. */
  private laneOf(module: string): LaneName {
    const { functions, states } = this.context;
    const acts = functions.has(module)
      ? functions.get(module).kind === 'action'
      : states?.modules.has(module) === true;
    return acts ? 'worker' : 'readers';
  }

  private put(item: InboxItem): void {
    if (this.stopped) return;
    this.inbox.push(item);
    this.inboxBytes += item.bytes;
    this.working ??= this.work();
  }

  private async work(): Promise<void> {
    for (let item = this.inbox.shift(); item !== undefined && !this.stopped; item = this.inbox.shift()) {
      this.inboxBytes -= item.bytes;
      try {
        await this.take(item);
      } catch (error) {
        this.context.runtime.log.error('a message could not be worked on', { kind: item.kind, error });
      }
    }
    this.working = undefined;
  }

  private async take(item: InboxItem): Promise<void> {
    switch (item.kind) {
      case 'job':
      case 'last-look':
        return this.takeJob(item, item.kind === 'last-look');
      case 'direct':
        this.counts.direct += 1;
        return this.direct.begin(item.request, this.laneOf(item.request.module));
      case 'cancel':
        return this.takeCancel(item.jid);
      default:
        return never(item);
    }
  }

  private async takeJob(job: JobArrival, lastLook: boolean): Promise<void> {
    const { request } = job;
    const { book, cancels, queue, reporter, runtime } = this.context;
    const lane = this.laneOf(request.module);
    const verdict = judgeJob(request, {
      acceptedEpoch: book.epochOf(request.jid),
      canceled: cancels.has(request.jid),
      now: nanosFromMs(runtime.clock.nowMs()),
      queueHasRoom: queue.hasRoom(lane),
      spoolHasRoom: book.hasRoom(),
    });
    if (verdict.do !== 'turn-away') this.turnedAway.take(request.jid);
    switch (verdict.do) {
      case 'repeat':
        if (lastLook) return;
        this.counts.repeated += 1;
        this.warnings.warn(verdict.remark, { jid: request.jid, epoch: request.epoch });
        reporter.acknowledge(request.jid, this.runner.waitsBehind(request.jid), 'now');
        return reporter.report(request.jid);
      case 'drop':
        return this.refuse(request.jid, verdict.remark);
      case 'answer':
        return this.answer(request, verdict.ending);
      case 'turn-away':
        if (lastLook) return this.answer(request, { error: QUEUE_FULL });
        this.counts.turnedAway += 1;
        this.warnings.warn(QUEUE_FULL, { jid: request.jid, function: request.module });
        return this.turnedAway.add(job);
      case 'accept':
        return this.accept(request, lane);
      default:
        return never(verdict);
    }
  }

  private async accept(request: ExecRequest, lane: LaneName): Promise<void> {
    const { runner } = this;
    const { book, queue, reporter, runtime } = this.context;
    const { jid, epoch } = request;
    try {
      await book.accept(jid, epoch);
    } catch (error) {
      runtime.log.error('a job could not be recorded, so it is not run', { jid, error });
      const reason = error instanceof Error ? error.message : String(error);
      return runner.finishUnrun(jid, { error: `not run: the peel could not record it (${reason})` });
    }
    this.counts.accepted += 1;
    runtime.log.info('job accepted', { jid, function: request.module, epoch });
    const behind = queue.wouldWaitBehind(lane);
    reporter.acknowledge(jid, behind, behind === undefined ? 'unless-it-returns' : 'now');
    runner.begin(request, lane, behind);
  }

  /** The job ends here, without having been run; recorded, so that it cannot run later. */
  private async answer({ jid, epoch, module }: ExecRequest, ending: JobEnding): Promise<void> {
    const { runner } = this;
    const { book, reporter, runtime } = this.context;
    this.counts.answeredUnrun += 1;
    runtime.log.info('job not run', { jid, function: module, reason: ending.error });
    await book.answer(jid, epoch, runner.encode(returnOf(runner.frame(jid), ending)));
    reporter.report(jid);
  }

  private async takeCancel(jid: Jid): Promise<void> {
    const { book, cancels } = this.context;
    const waiting = this.turnedAway.take(jid);
    if (waiting !== undefined) {
      this.counts.canceled += 1;
      return this.answer(waiting.request, endingOfStop('cancel'));
    }
    if (this.runner.cancel(jid)) this.counts.canceled += 1;
    else if (book.epochOf(jid) === undefined) await cancels.add(jid);
  }
}
