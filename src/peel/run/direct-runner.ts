/**
 * Direct requests: an operator asks one peel without a master. No ack, no record, not cancellable by jid; the answer is
 * published once, on a subject of its own to which the operator's CLI listens. If the connection is gone by then, so is
 * the answer: the CLI has given up or will. One that waits is answered at its deadline, not when the queue has moved on.
 */
import { LruMap } from '../../core/lru-map.ts';
import type { Timer } from '../../runtime/clock.ts';
import { msFromNanos, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { directAnswerSubject } from '../../wire/names/subjects.ts';
import type { ExecRequest, ExecResponse } from '../../wire/records/exec.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { BEHIND_DIRECT } from '../../wire/records/job-return.ts';
import { endingOfWait } from '../intake/judge-job.ts';
import type { PeelContext } from '../peel-context.ts';
import { encodeResponseWithin, messageRoom } from '../returns/fit-message.ts';
import { failedResponse, NOT_STARTED, QUEUE_FULL, responseOfRun } from '../returns/make-return.ts';
import { redactedResponse } from '../returns/redacted-return.ts';
import type { LaneName, Task } from './exec-queue.ts';
import { type CallFunction, Execution } from './execution.ts';

/** Ids of requests that are remembered; the oldest is forgotten first. In memory: a new connection brings no old message. */
const SEEN_MAX = 4_096;

export class DirectRunner {
  private readonly context: PeelContext;
  private readonly call: CallFunction;
  private readonly live = new Set<Execution>();
  private readonly seen = new LruMap<Jid, true>(SEEN_MAX);

  constructor(context: PeelContext, call: CallFunction) {
    this.context = context;
    this.call = call;
  }

  begin(request: ExecRequest, lane: LaneName): void {
    const { queue } = this.context;
    if (!this.isNew(request.jid)) return;
    if (request.protocol > PROTOCOL_VERSION) {
      this.refuse(
        request,
        `the request speaks protocol ${request.protocol}, this peel speaks ${PROTOCOL_VERSION}`,
      );
    } else if (!queue.hasRoom(lane)) {
      this.refuse(request, QUEUE_FULL);
    } else {
      let behind = queue.wouldWaitBehind(lane);
      const task: Task = {
        lane,
        name: BEHIND_DIRECT,
        run: () => {
          expiry?.cancel();
          return this.run(request);
        },
        dismiss: async () => {
          expiry?.cancel();
          this.refuse(request, NOT_STARTED);
        },
        moveUp: (ahead) => {
          behind = ahead;
        },
      };
      const expiry = behind === undefined ? undefined : this.expiryOf(request, task, () => behind);
      queue.add(task);
    }
  }

  /** Of one that waits: from its start on its execution looks after the deadline. */
  private expiryOf(request: ExecRequest, task: Task, behind: () => string | undefined): Timer | undefined {
    const { deadline } = request;
    if (deadline === undefined) return undefined;
    const { clock } = this.context.runtime;
    return clock.after(msFromNanos(deadline) - clock.nowMs() + 1, () => {
      const late = endingOfWait(request, nanosFromMs(clock.nowMs()), behind());
      if (late !== undefined && this.context.queue.withdraw(task)) this.refuse(request, late.error);
    });
  }

  /** A network may bring a message twice. The first one is answered. */
  private isNew(jid: Jid): boolean {
    if (this.seen.has(jid)) return false;
    this.seen.set(jid, true);
    return true;
  }

  stopAll(): void {
    for (const execution of this.live) execution.stop('stop');
  }

  private async run(request: ExecRequest): Promise<void> {
    const { clock, log } = this.context.runtime;
    const late = endingOfWait(request, nanosFromMs(clock.nowMs()), undefined);
    if (late !== undefined) {
      this.refuse(request, late.error);
      return;
    }
    const execution = new Execution(clock, request);
    this.live.add(execution);
    const end = await execution.run(this.call);
    this.live.delete(execution);
    if (end.kind === 'broke') log.error('a function broke', { function: request.module, error: end.error });
    this.answer(request, responseOfRun(this.frame(request), end));
  }

  private refuse(request: ExecRequest, error: string): void {
    this.answer(request, failedResponse(this.frame(request), error));
  }

  private answer({ jid }: ExecRequest, response: ExecResponse): void {
    const { bus, peelId, runtime, secrets } = this.context;
    try {
      const shown = redactedResponse(response, secrets);
      const bytes = encodeResponseWithin(shown, messageRoom(bus.server()?.payloadBytesMax));
      bus.publish(directAnswerSubject(jid, peelId), bytes);
    } catch (error) {
      runtime.log.warn('the answer to a direct request could not be sent', { jid, error });
    }
  }

  private frame({ jid }: ExecRequest) {
    return { jid, peelId: this.context.peelId, now: nanosFromMs(this.context.runtime.clock.nowMs()) };
  }
}
