/**
 * Runs accepted jobs: through the queue, to a return that is stored and sent. A job can be stopped by its jid while it
 * waits and while it runs; its deadline does the same, so that its master hears of it then and not when the queue has
 * moved on. Every job that `begin` gets ends in exactly one stored return, unless the process dies.
 *
 * A job that waits is acknowledged again when it starts, and when what it waits behind is taken out of the queue, so that
 * nobody is told that it runs while it waits. Such an ack may be lost; then the first one stands until the return.
 */
import type { Timer } from '../../runtime/clock.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { ExecRequest } from '../../wire/records/exec.ts';
import { endingOfWait } from '../intake/judge-job.ts';
import type { PeelContext } from '../peel-context.ts';
import { encodeReturnWithin, messageRoom } from '../returns/fit-message.ts';
import {
  endingOfStop,
  type JobEnding,
  NOT_STARTED,
  type OpenReturn,
  type ReturnFrame,
  returnOf,
  returnOfRun,
} from '../returns/make-return.ts';
import { redactedReturn } from '../returns/redacted-return.ts';
import type { LaneName, Task } from './exec-queue.ts';
import { type CallFunction, Execution } from './execution.ts';

interface LiveJob {
  readonly execution: Execution;
  readonly task: Task;
  /** Ends the wait in the queue; one that runs has a timer of its own (execution.ts). */
  readonly expiry: Timer | undefined;
  /** What it waits behind; undefined when it was started. */
  behind: string | undefined;
}

export class JobRunner {
  private readonly context: PeelContext;
  private readonly call: CallFunction;
  private readonly live = new Map<Jid, LiveJob>();
  private stopping = false;

  constructor(context: PeelContext, call: CallFunction) {
    this.context = context;
    this.call = call;
  }

  /** The job is in the book, its lane has room, and it was acknowledged as waiting behind that, or as running. */
  begin(request: ExecRequest, lane: LaneName, behind: string | undefined): void {
    const { jid } = request;
    if (this.stopping) {
      void this.finishUnrun(jid, { error: NOT_STARTED });
      return;
    }
    const execution = new Execution(this.context.runtime.clock, request);
    const task: Task = {
      lane,
      name: jid,
      run: () => this.run(execution),
      dismiss: () => this.finishUnrun(jid, { error: NOT_STARTED }),
      moveUp: (ahead) => this.noteWait(jid, ahead),
    };
    this.live.set(jid, { execution, task, expiry: this.expiryOf(request), behind });
    this.context.queue.add(task);
  }

  /** Undefined when it does not wait: it runs, or is not here. */
  waitsBehind(jid: Jid): string | undefined {
    return this.live.get(jid)?.behind;
  }

  /** False when no such job waits or runs here. */
  cancel(jid: Jid): boolean {
    const job = this.live.get(jid);
    if (job === undefined) return false;
    if (this.context.queue.withdraw(job.task)) {
      this.forget(jid);
      void this.finishUnrun(jid, endingOfStop('cancel'));
    } else {
      job.execution.stop('cancel');
    }
    return true;
  }

  /** From now on nothing is started. */
  refuseMore(): void {
    this.stopping = true;
  }

  stopAll(): void {
    for (const { execution } of this.live.values()) execution.stop('stop');
  }

  /** The end of an accepted job that was not run. */
  finishUnrun(jid: Jid, ending: JobEnding): Promise<void> {
    return this.finish(jid, returnOf(this.frame(jid), ending));
  }

  /** As it is stored and sent: without secrets, and so that it fits a message. */
  encode(made: OpenReturn): Uint8Array {
    const { bus, secrets } = this.context;
    return encodeReturnWithin(redactedReturn(made, secrets), messageRoom(bus.server()?.payloadBytesMax));
  }

  frame(jid: Jid): ReturnFrame {
    return { jid, peelId: this.context.peelId, now: nanosFromMs(this.context.runtime.clock.nowMs()) };
  }

  private expiryOf(request: ExecRequest): Timer | undefined {
    const { deadline } = request;
    if (deadline === undefined) return undefined;
    const { clock } = this.context.runtime;
    // One more millisecond: the deadline has a fraction, and the wall clock must have passed it.
    return clock.after(msFromNanos(deadline) - clock.nowMs() + 1, () => this.expire(request));
  }

  /** If it still waits; one that has been started is cut off by its execution. */
  private expire(request: ExecRequest): void {
    const { jid } = request;
    const job = this.live.get(jid);
    const { queue, runtime } = this.context;
    const behind = job === undefined ? undefined : (queue.heldBy(job.task.lane) ?? job.behind);
    const late = endingOfWait(request, nanosFromMs(runtime.clock.nowMs()), behind);
    if (job === undefined || late === undefined || !queue.withdraw(job.task)) return;
    this.forget(jid);
    void this.finishUnrun(jid, late);
  }

  /** Undefined: it starts. */
  private noteWait(jid: Jid, behind: string | undefined): void {
    const job = this.live.get(jid);
    if (job === undefined || job.behind === behind) return;
    job.behind = behind;
    this.context.reporter.acknowledgeChange(jid, behind);
  }

  private async run(execution: Execution): Promise<void> {
    const { clock, log } = this.context.runtime;
    const { jid, module } = execution.request;
    const late = endingOfWait(execution.request, nanosFromMs(clock.nowMs()), this.waitsBehind(jid));
    if (late !== undefined) {
      await this.finishUnrun(jid, late);
      return;
    }
    this.noteWait(jid, undefined);
    log.info('job started', { jid, function: module });
    const startedMs = clock.monotonicMs();
    const end = await execution.run(this.call);
    const tookMs = clock.monotonicMs() - startedMs;
    if (end.kind === 'broke') log.error('a function broke', { jid, function: module, error: end.error });
    log.info('job ended', { jid, function: module, ended: end.kind, duration_ms: Math.round(tookMs) });
    await this.finish(jid, returnOfRun(this.frame(jid), end, nanosFromMs(tookMs)));
  }

  private async finish(jid: Jid, made: OpenReturn): Promise<void> {
    await this.context.book.finish(jid, this.encode(made));
    this.forget(jid);
    this.context.reporter.report(jid);
  }

  private forget(jid: Jid): void {
    this.live.get(jid)?.expiry?.cancel();
    this.live.delete(jid);
  }
}
