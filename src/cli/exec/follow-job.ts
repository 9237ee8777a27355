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
import type { Paint } from '../paint.ts';
import type { JobFollower } from './job-follower.ts';
import { progressLine } from './progress-line.ts';
import { groupReturns, renderGroup } from './render-return.ts';
import { resultRecord } from './result-record.ts';

/** Returns that arrive within this time are shown together, identical ones as one. */
const GATHER_MS = 150;
/** How long the record may take to end after the last return. */
const RECORD_MS = 3_000;
const TICK_MS = 1_000;
/** Without a terminal the progress is told this often. */
const PLAIN_PROGRESS_MS = 10_000;

export interface ShowOptions {
  readonly format: Format;
  readonly paint: Paint;
  readonly waitMs: number;
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
  private timers: { cancel(): void }[] = [];
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
    if (this.pending.length === 1)
      this.timers.push(this.context.runtime.clock.after(GATHER_MS, () => this.flush()));
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
        await formatData(resultRecord({ jid, status, targets, returns, outcomes }), options.format),
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
    this.timers = [...this.timers.slice(-2), clock.after(TICK_MS, () => this.tick(follower))];
  }

  private flush(): void {
    this.line.clear();
    for (const group of groupReturns(this.pending)) this.context.out(renderGroup(group, this.options.paint));
    this.pending = [];
  }

  private end(): void {
    for (const timer of this.timers) timer.cancel();
    this.flush();
    for (const group of groupReturns(this.failures)) this.context.out(renderGroup(group, this.options.paint));
    this.failures.length = 0;
  }
}
