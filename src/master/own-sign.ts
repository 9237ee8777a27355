/**
 * When others could last see that this master lives. One that was frozen, or could not reach the store, for as long as
 * a heartbeat is kept may have lost its jobs without knowing: before it writes anything for one of them it looks whether
 * the job is still its own (job-watcher.ts). The compare-and-set of every record protects the job all the same.
 */
import type { Clock } from '../runtime/clock.ts';
import { BUCKETS } from '../wire/buckets.ts';

export class OwnSign {
  private readonly clock: Clock;
  private shownMs: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.shownMs = clock.monotonicMs();
  }

  /** A heartbeat is stored. `begunMs`: when it was sent, because the store may have had it from then on. */
  shown(begunMs: number): void {
    this.shownMs = begunMs;
  }

  /** Neither our heartbeat nor `checkedMs`, a look at the record itself, is young enough to be sure of a job. */
  mayBeTaken(checkedMs = Number.NEGATIVE_INFINITY): boolean {
    return this.isLongAgo(Math.max(this.shownMs, checkedMs));
  }

  /** So long that we may have been declared dead, and alive again, since. */
  isLongAgo(atMs: number): boolean {
    return this.clock.monotonicMs() - atMs >= BUCKETS.masterHeartbeat.ttlMs;
  }
}
