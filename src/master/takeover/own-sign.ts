/**
 * `OwnSign` knows since when others have seen heartbeats of this master without a gap. A master that was frozen, or could
 * not reach the store, for as long as a heartbeat is kept may have lost its jobs without knowing: before it writes
 * anything for one of them it looks whether the job is still its own (job-watcher.ts). The compare-and-set of every
 * record protects the job all the same.
 */
import type { Clock } from '../../runtime/clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';

export class OwnSign {
  private readonly clock: Clock;
  private shownMs: number;
  /** When the last gap was over. */
  private backMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.clock = clock;
    this.shownMs = clock.monotonicMs();
  }

  /**
   * A heartbeat is stored. `begunMs`: when it was sent, because the store may have had it from then on. True when the one
   * before had expired.
   */
  shown(begunMs: number): boolean {
    const isLate = begunMs - this.shownMs >= BUCKETS.masterHeartbeat.ttlMs;
    if (isLate) this.backMs = this.clock.monotonicMs();
    this.shownMs = begunMs;
    return isLate;
  }

  /** Whether a job that was ours at `knownMs` may have been taken since: there was a gap, or is one now. */
  mayBeTaken(knownMs: number): boolean {
    return this.isLongAgo(knownMs) && (this.isLongAgo(this.shownMs) || this.backMs > knownMs);
  }

  /** So long that we may have been declared dead, and alive again, since. */
  isLongAgo(atMs: number): boolean {
    return this.clock.monotonicMs() - atMs >= BUCKETS.masterHeartbeat.ttlMs;
  }
}
