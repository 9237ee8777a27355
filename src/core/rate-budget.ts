/**
 * `RateBudget` is a token bucket: `burst` at once, and `perSecond` of them come back. For work that strangers can
 * cause: what is over the budget is not done. Pure; `nowMs` is any clock that does not go back.
 */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

export class RateBudget {
  private readonly rate: Rate;
  private left: number;
  private sinceMs: number | undefined;

  constructor(rate: Rate) {
    this.rate = rate;
    this.left = rate.burst;
  }

  /** Takes one, if there is one. */
  take(nowMs: number): boolean {
    this.refill(nowMs);
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }

  /** Whether `take` would succeed. */
  hasLeft(nowMs: number): boolean {
    this.refill(nowMs);
    return this.left >= 1;
  }

  /** How long until one is there; 0: it is. */
  waitMs(nowMs: number): number {
    this.refill(nowMs);
    return this.left >= 1 ? 0 : ((1 - this.left) * 1_000) / this.rate.perSecond;
  }

  private refill(nowMs: number): void {
    const { burst, perSecond } = this.rate;
    const elapsedMs = nowMs - (this.sinceMs ?? nowMs);
    this.sinceMs = nowMs;
    this.left = Math.min(burst, this.left + (Math.max(0, elapsedMs) * perSecond) / 1_000);
  }
}
