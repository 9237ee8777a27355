/**
 * `DispatchProgress` knows how far a dispatch has come, what it waits for, and for how long it is tried: until the
 * deadline of its job, unless somebody cancels it or the master stops. Every step that asks the store is repeated for as
 * long, under the same message id and with the same bytes, because a store that is busy, or has no leader, is no reason
 * to give a job up.
 *
 * Whoever asked is told after a few seconds what is waited for (dispatch-service.ts), the log at the first failure and
 * then now and again, and a metric counts those that wait.
 */
import type { Subscription } from '../../bus/port.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { msFromNanos, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { Job } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import type { RetryPolicy } from '../retry.ts';

/** One line at the start of a bad time and then one in so many. */
const LOGGED_EVERY = 20;

const LATE_MS = 5_000;

export type DispatchStep = 'claim' | 'index' | 'announce' | 'running' | 'listen';

export interface DispatchEnd {
  readonly isCanceled: () => boolean;
  /** We stop: another master goes on with it. */
  readonly stopping: AbortSignal;
}

export class DispatchProgress implements RetryPolicy {
  step: DispatchStep = 'claim';
  private readonly context: MasterContext;
  private readonly end: DispatchEnd;
  private readonly line: Subscription;
  private job: Job;
  private failures = 0;
  private wasTroubled: boolean;
  private trouble: string | undefined;

  constructor(context: MasterContext, job: Job, end: DispatchEnd) {
    this.context = context;
    this.job = job;
    this.end = end;
    const { bus } = context;
    this.wasTroubled = bus.status() !== 'connected' || isLate(context.now(), job);
    this.line = bus.onStatus(() => this.noteTrouble());
  }

  /** No more is to be noticed. */
  stop(): void {
    this.line.unsubscribe();
  }

  /**
   * The line was lost on the way, the store was not well, or the request lay here while we were frozen: a cancel is said
   * once, and may not have been heard here, or before the job was known.
   */
  get mayHaveMissedCancel(): boolean {
    return this.wasTroubled;
  }

  /** A step has failed and is being repeated. */
  get isRetrying(): boolean {
    return this.trouble !== undefined;
  }

  /** For the one who asked. */
  get waitsFor(): { readonly step: DispatchStep; readonly reason: string; readonly rows: number } {
    return { step: this.step, reason: this.trouble ?? 'no answer yet', rows: this.context.writer.waiting() };
  }

  /** The claim that is carried on: one that was made before has the deadline of then. */
  follow(claimed: Job): void {
    this.job = claimed;
  }

  enter(step: DispatchStep): void {
    this.step = step;
    this.trouble = undefined;
  }

  get hurry(): AbortSignal {
    return this.end.stopping;
  }

  isOver(): boolean {
    const { isCanceled, stopping } = this.end;
    return stopping.aborted || isCanceled() || this.context.now() >= deadlineOf(this.job);
  }

  noteTrouble(): void {
    this.wasTroubled = true;
  }

  failed(error: Error): void {
    this.noteTrouble();
    this.trouble = error.message;
    const { step, failures, job } = this;
    this.failures += 1;
    if (failures % LOGGED_EVERY !== 0) return;
    const fields = { jid: job.jid, step, rowsWaiting: this.context.writer.waiting(), error };
    this.context.runtime.log.warn('dispatch waits for the store', fields);
  }
}

/** Who asked may have given up by now, and canceled. By two clocks: one that is wrong costs a question, nothing else. */
function isLate(now: UnixNanos, { created }: Job): boolean {
  return created > 0n && msFromNanos(now - created) > LATE_MS;
}
