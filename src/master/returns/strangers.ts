/**
 * Strangers are peels that send what nobody asked them for: returns of jobs that do not exist or are none of theirs,
 * bytes that are no record. Any peel can do so as often as the server lets it. Each is counted under its peel, which the
 * subject names and the server vouches for; the log tells of a peel twice at most: of the first, and when there are too
 * many to look at.
 *
 * To find out that a return is a stranger's takes two reads of the store, so each peel has a budget of them. Over it,
 * what it says about jobs that this master does not know is dropped unread. That may be a true return: of a peel that has
 * flooded us just now, and of a job that another master watches, which takes it, or that has ended, whose row then stays
 * as it is. Nobody else's row is touched.
 *
 * Bound: `PEELS_MAX`; the one that was quiet longest is forgotten, and told of again.
 */

import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { MasterContext } from '../master-context.ts';

/** A peel that comes back after a week has returns of jobs that are forgotten. */
export const STRANGER_RATE = { burst: 64, perSecond: 1 };
const PEELS_MAX = 4_096;

interface Stranger {
  readonly budget: RateBudget;
  isTold: boolean;
  isFlooding: boolean;
}

export class Strangers {
  private readonly context: Pick<MasterContext, 'runtime' | 'metrics'>;
  private readonly peels = new LruMap<PeelId, Stranger>(PEELS_MAX);

  constructor(context: Pick<MasterContext, 'runtime' | 'metrics'>) {
    this.context = context;
  }

  /** Whether the store may be asked about a word of this peel that may turn out to be a stranger's. */
  mayAsk(peel: PeelId): boolean {
    const stranger = this.peels.get(peel);
    if (stranger === undefined || stranger.budget.hasLeft(this.nowMs())) return true;
    if (!stranger.isFlooding) {
      stranger.isFlooding = true;
      this.context.runtime.log.warn('too many acks and returns of strangers; the rest is dropped unread', {
        peel,
      });
    }
    return false;
  }

  /** A word of this peel was dropped. */
  note(peel: PeelId, problem: string, where: { readonly jid: string }): void {
    const stranger = this.peels.getOrMake(peel, newStranger);
    this.context.metrics.strangerDropped(peel);
    stranger.budget.take(this.nowMs());
    if (stranger.isTold) return;
    stranger.isTold = true;
    this.context.runtime.log.warn('ack or return dropped', { ...where, peel, problem });
  }

  private nowMs(): number {
    return this.context.runtime.clock.monotonicMs();
  }
}

function newStranger(): Stranger {
  return { budget: new RateBudget(STRANGER_RATE), isTold: false, isFlooding: false };
}
