/**
 * Shows a job until it ends: what comes back as it comes (good results at once, identical ones together; failures last),
 * and in between how far it is. Ctrl-C leaves the job alone and says how to come back.
 */
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import type { Jid } from '../../wire/ids.ts';
import type { Return } from '../../wire/job-return.ts';
import { type CliContext, EXIT_INTERRUPTED } from '../command.ts';
import { liveLine } from '../live-line.ts';
import { type Format, formatData } from '../output.ts';
import type { StateLook } from '../states/format-state-run.ts';
import type { JobFollower } from './job-follower.ts';
import { progressLine } from './progress-line.ts';
import { resultRecord } from './result-record.ts';
import { isOfStates, returnsText } from './returns-text.ts';

/** Returns that arrive within this time are shown together, identical ones as one. */
const GATHER_MS = 150;
/** State runs are long and read best together: they are shown once no other one came for this time. */
const STATES_GATHER_MS = 3_000;
/** How long the record may take to end after the last return. */
const RECORD_MS = 3_000;
const TICK_MS = 1_000;
/** Without a terminal the progress is told this often. */
const PLAIN_PROGRESS_MS = 10_000;

export interface ShowOptions {
  readonly format: Format;
  readonly look: StateLook;
  readonly waitMs: number;
  /** The job is a dry run. */
  readonly isTest: boolean;
  /** The command that comes back to a job. */
  readonly attachCommand: (jid: Jid) => string;
}

/** Collects what `JobFollower` reports and prints it. Made before the follower, because that one reports to it. */
export class JobDisplay {
  private readonly context: CliContext;
  private readonly options: ShowOptions;
  private readonly startedMs: number;
  private readonly line;
  private pending: Return[] = [];
  private readonly failures: Return[] = [];
  private timer: { cancel(): void } | undefined;
  private flushTimer: { cancel(): void } | undefined;
  private toldMs: number;

  constructor(context: CliContext, options: ShowOptions) {
    this.context = context;
    this.options = options;
    this.startedMs = context.runtime.clock.monotonicMs();
    this.toldMs = this.startedMs;
    this.line = liveLine(context.say, context.columns);
  }

  noteReturn(value: Return): void {
    if (this.options.format !== 'text') return;
    if (value.success && value.error === '') this.pending.push(value);
    else this.failures.push(value);
    if (isOfStates(value)) this.flushAfter(STATES_GATHER_MS);
    else if (this.pending.length === 1) this.flushAfter(GATHER_MS);
  }

  /** Shows the job to its end; resolves to the exit code. */
  async show(jid: Jid, follower: JobFollower): Promise<number> {
    const { context, options } = this;
    this.tick(follower);
    await follower.ended(options.waitMs, context.interrupted);
    if (context.interrupted.aborted) return this.detach(jid);
    if (follower.job === undefined || !isTerminal(follower.job.status)) await follower.recordEnded(RECORD_MS);
    // Rows complete the picture: what was published before we listened, and targets that never answered.
    await follower.readRows();
    this.end();
    const outcomes = follower.outcomes();
    if (options.format === 'text') {
      const missing = follower.targets.filter((peel) => !follower.returns.has(peel));
      if (missing.length > 0)
        context.say(
          `No word yet from ${missing.join(', ')}. The job goes on: ${options.attachCommand(jid)}\n`,
        );
    } else {
      const status = follower.job?.status ?? 'running';
      const { targets, returns } = follower;
      context.out(
        await formatData(
          resultRecord({ jid, status, isTest: options.isTest, targets, returns, outcomes }),
          options.format,
        ),
      );
    }
    return exitCodeOf(outcomes.values());
  }

  private detach(jid: Jid): number {
    this.end();
    const comeBack = this.options.attachCommand(jid);
    this.context.say(`\nDetached. Job ${jid} goes on; come back with: ${comeBack}\n`);
    return EXIT_INTERRUPTED;
  }

  private tick(follower: JobFollower): void {
    const { clock } = this.context.runtime;
    const nowMs = clock.monotonicMs();
    const text = progressLine(follower, nowMs - this.startedMs);
    if (this.options.format === 'text' && this.context.isTerminal) this.line.show(text);
    else if (this.options.format === 'text' && nowMs - this.toldMs >= PLAIN_PROGRESS_MS) {
      this.context.say(`${text}\n`);
      this.toldMs = nowMs;
    }
    this.timer = clock.after(TICK_MS, () => this.tick(follower));
  }

  private flushAfter(ms: number): void {
    this.flushTimer?.cancel();
    this.flushTimer = this.context.runtime.clock.after(ms, () => this.flush());
  }

  private flush(): void {
    this.line.clear();
    this.context.out(returnsText(this.pending, this.options.look));
    this.pending = [];
  }

  private end(): void {
    this.timer?.cancel();
    this.flushTimer?.cancel();
    this.flush();
    this.context.out(returnsText(this.failures, this.options.look));
    this.failures.length = 0;
  }
}
