/**
 * The honest pace is what a peel of ours sends at most, however much it has to catch up with: so many messages and bytes a second,
 * and as many at once. The bus of a peel keeps to it (bus/paced-requests.ts), and the flood rules take for a flood only what is
 * well above it, so a peel of ours cannot be taken for a flooder by its rate, on a machine of any speed.
 *
 * Peels of the version before keep to nothing but a few questions at a time; what they reach is measured in
 * test/soak/honest-peels.test.ts, and below the limits, too.
 */
import type { Rate } from '../rate-budget.ts';

const MIB = 1_048_576;

export const HONEST_MESSAGES: Rate = { burst: 2_000, perSecond: 4_000 };
export const HONEST_BYTES: Rate = { burst: 16 * MIB, perSecond: 16 * MIB };

/**
 * Says how long who sends must wait, so that within any time no more goes out than `burst` and what the time allows. In the order in
 * which they ask. Pure; `nowMs` is any clock that does not go back.
 */
export class Pace {
  private readonly rate: Rate;
  /** When everything that was let go by now is paid for. */
  private paidMs = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate) {
    this.rate = rate;
  }

  /** 0: at once. */
  waitMs(amount: number, nowMs: number): number {
    const { burst, perSecond } = this.rate;
    const savedMs = (burst * 1_000) / perSecond;
    this.paidMs = Math.max(this.paidMs, nowMs - savedMs) + (amount * 1_000) / perSecond;
    return Math.max(0, this.paidMs - nowMs);
  }
}
