/**
 * `JobDisplay` shows a job until it ends: what comes back as it comes (good results at once, identical ones together;
 * failures last), and in between how far it is. Ctrl-C leaves the job alone and says how to come back.
 */

import type { FollowEvent, JobFollower } from '../../client/jobs/job-follower.ts';
import { exitCodeOf } from '../../core/jobs/exit-code.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { Row } from '../../wire/records/job-return.ts';
import type { CliContext } from '../program/command.ts';
import { execResultRecord } from '../returns/exec-result-record.ts';
import { isOfStates, returnsText } from '../returns/returns-text.ts';
import type { ShowOptions } from '../returns/show-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { NO_TICKER, type ProgressTicker, startTicker } from '../terminal/progress-ticker.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { interruption } from '../terminal/wait-for.ts';
import { openTargetsText } from './open-targets-text.ts';
import { progressLine } from './progress-line.ts';

/** Returns that arrive within this time are shown together, identical ones as one. */
const GATHER_MS = 150;
/** State runs are long and read best together: they are shown once no other one came for this time. */
const STATES_GATHER_MS = 3_000;
export interface ShownJob {
  /** The job is a dry run. */
  readonly isTest: boolean;
  /** How long its targets have from now on. */
  readonly leftMs: number;
}

/** Collects what `JobFollower` reports and prints it. Made before the follower, because that one reports to it. */
export class JobDisplay {
  private readonly context: CliContext;
  private readonly options: ShowOptions;
  private readonly shown: ShownJob;
  private pending: Row[] = [];
  private readonly failures: Row[] = [];
  private ticker: ProgressTicker = NO_TICKER;
  private flushTimer: { cancel(): void } | undefined;

  constructor(context: CliContext, options: ShowOptions, shown: ShownJob) {
    this.context = context;
    this.options = options;
    this.shown = shown;
  }

  note(event: FollowEvent): void {
    if (event.kind === 'return') this.noteReturn(event.value);
    else this.context.say(`zester: ${unreadableText(event.record)}\n`);
  }

  private noteReturn(value: Row): void {
    if (this.options.format !== 'text') return;
    if (value.success && value.error === '') this.pending.push(value);
    else this.failures.push(value);
    if (isOfStates(value)) this.flushAfter(STATES_GATHER_MS);
    else if (this.pending.length === 1) this.flushAfter(GATHER_MS);
  }

  /** Shows the job to its end; resolves to the exit code. */
  async show(jid: Jid, follower: JobFollower): Promise<number> {
    const { context, options } = this;
    if (options.format === 'text') this.ticker = startTicker(context, (ms) => progressLine(follower, ms));
    await follower.untilEnd(this.shown.leftMs).catch((error: unknown) => {
      this.end();
      throw context.interrupted.aborted ? this.detached(jid, follower) : error;
    });
    this.end();
    const outcomes = follower.outcomes();
    if (options.format === 'text') {
      const open = openTargetsText(follower, context.runtime.clock.nowMs(), options.attachCommand(jid));
      if (open !== '') context.say(`${open}\n`);
    } else {
      const status = follower.job?.status ?? 'running';
      const { targets, returns } = follower;
      context.out(
        await formatData(
          execResultRecord({ jid, status, isTest: this.shown.isTest, targets, returns, outcomes }),
          options.format,
        ),
      );
    }
    return exitCodeOf(outcomes.values());
  }

  private detached(jid: Jid, { job }: JobFollower): Error {
    const hasEnded = job !== undefined && isTerminal(job.status);
    const ifLeft = hasEnded ? `the job has ended (${job.status})` : 'the job goes on';
    return interruption({ what: `job ${jid}`, ifLeft, next: this.options.attachCommand(jid) });
  }

  private flushAfter(ms: number): void {
    this.flushTimer?.cancel();
    this.flushTimer = this.context.runtime.clock.after(ms, () => this.flush());
  }

  private flush(): void {
    this.ticker.clear();
    this.context.out(returnsText(this.pending, this.options.look));
    this.pending = [];
  }

  private end(): void {
    this.ticker.stop();
    this.flushTimer?.cancel();
    this.flush();
    this.context.out(returnsText(this.failures, this.options.look));
    this.failures.length = 0;
  }
}
