/**
 * An execution is one request being run: until it answers, is cancelled, meets its deadline, or the peel stops.
 *
 * Cancelling aborts the signal that the function got; the system port kills what the function has started. A function
 * that does not end within `ABANDON_MS` of that is left behind, so that it cannot hold the worker for ever: it is a bug of
 * that function, or a program that waits for a dead disk and cannot be killed.
 *
 * A function that came to a good end before it noticed has its result, not `canceled`: the row says what happened.
 */
import type { Clock, Timer } from '../../runtime/clock.ts';
import { stopSource } from '../../runtime/signals.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { ExecRequest, ExecResponse } from '../../wire/records/exec.ts';

/** From the abort until a function is given up: killing a program takes up to 7.5 s (system/processes.ts). */
export const ABANDON_MS = 15_000;

export type StopReason = 'cancel' | 'deadline' | 'stop';

export type ExecutionEnd =
  | { readonly kind: 'answered'; readonly response: ExecResponse }
  | {
      readonly kind: 'stopped';
      readonly by: StopReason;
      /** What it had said until then; undefined when it was left behind. */
      readonly response: ExecResponse | undefined;
    }
  | { readonly kind: 'broke'; readonly error: unknown };

/** A call of the function for this request; rejects only for a bug. */
export type CallFunction = (request: ExecRequest, signal: AbortSignal) => Promise<ExecResponse>;

export class Execution {
  readonly request: ExecRequest;
  private readonly clock: Clock;
  private readonly abort = stopSource();
  private stoppedBy: StopReason | undefined;
  private giveUp: () => void = () => undefined;
  private abandonTimer: Timer | undefined;

  constructor(clock: Clock, request: ExecRequest) {
    this.clock = clock;
    this.request = request;
  }

  /** The first reason counts. */
  stop(by: StopReason): void {
    if (this.stoppedBy !== undefined) return;
    this.stoppedBy = by;
    this.abandonTimer = this.clock.after(ABANDON_MS, () => this.giveUp());
    this.abort.abort();
  }

  async run(call: CallFunction): Promise<ExecutionEnd> {
    const { deadline } = this.request;
    const leftMs = deadline === undefined ? undefined : msFromNanos(deadline) - this.clock.nowMs();
    const atDeadline =
      leftMs === undefined ? undefined : this.clock.after(leftMs, () => this.stop('deadline'));
    try {
      return await Promise.race([this.called(call), this.leftBehind()]);
    } finally {
      atDeadline?.cancel();
      this.abandonTimer?.cancel();
    }
  }

  private async called(call: CallFunction): Promise<ExecutionEnd> {
    try {
      const response = await call(this.request, this.abort.signal);
      const by = this.stoppedBy;
      return by === undefined || response.success
        ? { kind: 'answered', response }
        : { kind: 'stopped', by, response };
    } catch (error) {
      return { kind: 'broke', error };
    }
  }

  private leftBehind(): Promise<ExecutionEnd> {
    return new Promise((resolve) => {
      this.giveUp = () => resolve({ kind: 'stopped', by: this.stoppedBy ?? 'stop', response: undefined });
    });
  }
}
