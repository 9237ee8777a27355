/**
 * A rate-limited log, for warnings that a stranger can cause: so many a minute are written, then only their number, so
 * that a flood of forged messages does not fill the disk with log lines.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { Log, LogFields } from '../../runtime/log.ts';

const LINES_MAX = 30;
const PERIOD_MS = 60_000;

export class LimitedLog {
  private readonly log: Log;
  private readonly clock: Clock;
  private sinceMs = Number.NEGATIVE_INFINITY;
  private lines = 0;

  constructor(log: Log, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  warn(message: string, fields: LogFields): void {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.sinceMs >= PERIOD_MS) {
      if (this.lines > LINES_MAX) this.log.warn('warnings left out', { count: this.lines - LINES_MAX });
      this.sinceMs = nowMs;
      this.lines = 0;
    }
    this.lines += 1;
    if (this.lines <= LINES_MAX) this.log.warn(message, fields);
  }
}
