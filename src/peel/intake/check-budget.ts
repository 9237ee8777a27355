/**
 * The check budget decides which signatures are worth checking. Any peel can make the server send us cancels and direct
 * requests by the ten thousand, aimed at whatever job, with the certificate of a true operator and a signature that
 * does not fit; a check costs a tenth of a millisecond, and a peel that does nothing else misses the server's pings and
 * is cut off.
 *
 *   cancel of a job that is at work or waits here     checked, within a budget of its own
 *   cancel of a job that this peel has not seen       checked, within a smaller one: it may overtake its request (decision 6)
 *   cancel that has nothing to stop: the job has      ignored unchecked
 *     ended here, or its cancel is remembered
 *   cancel with a proof that was refused for this     refused unchecked: a repeat, which is what costs a flooder nothing,
 *     job before                                      uses up no budget
 *   direct request                                    checked, within a budget
 *
 * Over a budget a message is dropped and counted, as if the network had lost it. A true cancel may be among them: the job
 * then runs to its deadline, or until it is killed again. Bounds: the rates below, `REFUSALS_MAX` proofs remembered.
 */
import { LruMap } from '../../core/lru-map.ts';
import { type Rate, RateBudget } from '../../core/rate-budget.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { PROOF_HEADER_CHARS_MAX } from '../../wire/records/proof-header.ts';

export type CancelStanding = 'at-work' | 'not-seen' | 'nothing-to-stop';
export type CheckDecision = 'check' | 'ignore' | 'refuse' | 'over-budget';

/** An operator may kill a thousand jobs at once, and every peel hears of all of them. */
export const CANCEL_RATES: Readonly<Record<Exclude<CancelStanding, 'nothing-to-stop'>, Rate>> = {
  'at-work': { burst: 1_024, perSecond: 200 },
  'not-seen': { burst: 1_024, perSecond: 100 },
};
export const DIRECT_RATE: Rate = { burst: 256, perSecond: 50 };
const REFUSALS_MAX = 1_024;

export class CheckBudget {
  private readonly clock: Clock;
  private readonly keysName: () => string;
  private readonly cancels = {
    'at-work': new RateBudget(CANCEL_RATES['at-work']),
    'not-seen': new RateBudget(CANCEL_RATES['not-seen']),
  };
  private readonly directs = new RateBudget(DIRECT_RATE);
  private readonly refusals = new LruMap<string, true>(REFUSALS_MAX);

  /** `keysName`: differs whenever the keys do that signatures are checked with, since that may change a verdict. */
  constructor(clock: Clock, keysName: () => string) {
    this.clock = clock;
    this.keysName = keysName;
  }

  forDirect(): CheckDecision {
    return this.directs.take(this.clock.monotonicMs()) ? 'check' : 'over-budget';
  }

  forCancel(standing: CancelStanding, jid: Jid, proof: string): CheckDecision {
    if (standing === 'nothing-to-stop') return 'ignore';
    // To find that there is none costs nothing.
    if (proof === '') return 'check';
    if (proof.length > PROOF_HEADER_CHARS_MAX || this.refusals.has(this.nameOf(jid, proof))) return 'refuse';
    return this.cancels[standing].take(this.clock.monotonicMs()) ? 'check' : 'over-budget';
  }

  /** It was checked and does not fit. */
  noteRefused(jid: Jid, proof: string): void {
    this.refusals.set(this.nameOf(jid, proof), true);
  }

  private nameOf(jid: Jid, proof: string): string {
    return `${jid} ${proof} ${this.keysName()}`;
  }
}
