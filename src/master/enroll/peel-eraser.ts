/**
 * The peel eraser takes what a revoked peel has in the stores: facts, secrets, heartbeat, basket and tags. After a revocation, and again
 * whenever a word of it appears that a server let through.
 *
 * The id may be enrolled again at any moment, and what the new machine writes must stay. So each key is read first, then the leader
 * is asked whether the peel is still shut out, and only then the key is removed, if it is still what was read: what the new
 * machine writes is newer. Bound: a peel that writes on and on has its keys erased `AGAIN` often, and once more after its last
 * word; nobody reads what stays meanwhile.
 */
import type { Bucket } from '../../bus/port.ts';
import { hasCredentials, isKeyRevoked } from '../../core/enroll/desk/enrollment-state.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import type { Timer } from '../../runtime/clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { basketPattern } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';
import type { EnrollmentStore } from './enrollment-store.ts';

const OWN_KEY_BUCKETS = [BUCKETS.facts, BUCKETS.secrets, BUCKETS.peelHeartbeat, BUCKETS.peelTags];
const AGAIN = { burst: 3, perSecond: 0.1 };
const PEELS_MAX = 4_096;

type EraserContext = Pick<MasterContext, 'bus' | 'runtime' | 'enrollments'>;

export class PeelEraser {
  private readonly context: EraserContext;
  private readonly store: EnrollmentStore;
  private readonly cutOff: (peel: PeelId) => Promise<void>;
  private readonly budgets = new LruMap<PeelId, RateBudget>(PEELS_MAX);
  /** Peels that are erased as soon as they may be again. */
  private readonly due = new Map<PeelId, Timer>();
  private readonly working = new Set<Promise<void>>();

  /** `cutOff`: what is done about a peel whose words were seen, before they are erased. */
  constructor(context: EraserContext, store: EnrollmentStore, cutOff: (peel: PeelId) => Promise<void>) {
    this.context = context;
    this.store = store;
    this.cutOff = cutOff;
  }

  /** Everything there is of the peel, unless it is let in again. */
  async erase(peel: PeelId): Promise<void> {
    const { bus } = this.context;
    for (const { name } of OWN_KEY_BUCKETS) await this.eraseKeys(bus.bucket(name), [peel], peel);
    const basket = bus.bucket(BUCKETS.basket.name);
    await this.eraseKeys(basket, await basket.keys(basketPattern(peel)), peel);
  }

  /** A word of a peel that is shut out was seen. */
  seen(peel: PeelId): void {
    const { clock, log } = this.context.runtime;
    if (this.due.has(peel) || this.due.size >= PEELS_MAX) return;
    const budget = this.budgets.getOrMake(peel, () => new RateBudget(AGAIN));
    const erase = () => {
      this.due.delete(peel);
      budget.take(clock.monotonicMs());
      const done = this.cutOff(peel)
        .then(() => this.erase(peel))
        .catch((error: unknown) => log.warn('the keys of a revoked peel are not erased yet', { peel, error }))
        .finally(() => this.working.delete(done));
      this.working.add(done);
    };
    log.warn('a revoked peel still writes; ignored and erased', { peel });
    this.due.set(peel, clock.after(budget.waitMs(clock.monotonicMs()), erase));
  }

  async stop(): Promise<void> {
    for (const timer of this.due.values()) timer.cancel();
    this.due.clear();
    await Promise.all(this.working);
  }

  private async eraseKeys(bucket: Bucket, keys: readonly string[], peel: PeelId): Promise<void> {
    for (const key of keys) {
      const read = await bucket.getLatest(key);
      if (!read.found || !(await this.isShutOut(peel))) continue;
      await bucket.remove(key, { revision: read.revision });
    }
  }

  /** By the word of the leader. Revoked records of it are known from the watch, and never un-revoked. */
  private async isShutOut(peel: PeelId): Promise<boolean> {
    const current = await this.store.currentOf(peel);
    if (current === undefined) return this.context.enrollments.isShutOut(peel);
    const { record } = current;
    if (hasCredentials(record.state)) return false;
    return isKeyRevoked(record) || this.context.enrollments.isShutOut(peel);
  }
}
