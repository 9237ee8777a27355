/**
 * The peel eraser takes what a revoked peel has in the stores: facts, secrets, heartbeat, basket and tags. Whoever revokes calls it at
 * once. Every other master does the same a moment after it heard of the revocation, each at its own time, because the one that revoked
 * may have died; and again whenever a word of such a peel appears that a server let through, when servers had an older account document,
 * after its start, and every `SWEEP_MS`. What fails is tried again after `RETRY_MS`.
 *
 * The id may be enrolled again at any moment, and what the new machine writes must stay. So each key is read first, then the leader
 * is asked whether the peel is still shut out, and only then the key is removed, if it is still what was read: what the new
 * machine writes is newer. To do it twice changes nothing. Bounds: `PEELS_AT_ONCE`, and `PEELS_MAX` that wait, beyond which a peel is
 * left to the next sweep; a peel that writes on and on has its keys erased `AGAIN` often, and once more after its last word; nobody
 * reads what stays meanwhile.
 */
import type { Bucket, Subscription } from '../../bus/port.ts';
import { hasCredentials, isKeyRevoked } from '../../core/enroll/desk/enrollment-state.ts';
import { LruMap } from '../../core/lru-map.ts';
import { RateBudget } from '../../core/rate-budget.ts';
import type { Timer } from '../../runtime/clock.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { jitter } from '../../runtime/random.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { basketPattern } from '../../wire/names/keys.ts';
import type { MasterContext } from '../master-context.ts';
import type { EnrollmentStore } from './enrollment-store.ts';

const OWN_KEY_BUCKETS = [BUCKETS.facts, BUCKETS.secrets, BUCKETS.peelHeartbeat, BUCKETS.peelTags];
const AGAIN = { burst: 3, perSecond: 0.1 };
const PEELS_MAX = 4_096;
const PEELS_AT_ONCE = 8;
/** Whoever revokes erases at once: by then there is nothing left to do for the others, unless he died. */
const OTHERS_MS = 5_000;
const RETRY_MS = 10_000;
/** What was let in for a moment has its last words stored by then. */
const LET_IN_MS = 2_000;
const SWEEP_MS = 3_600_000;
const SPREAD = 0.5;

type EraserContext = Pick<MasterContext, 'bus' | 'runtime' | 'enrollments' | 'life'>;

export class PeelEraser {
  private readonly context: EraserContext;
  private readonly store: EnrollmentStore;
  private readonly cutOff: (peel: PeelId) => Promise<void>;
  private readonly budgets = new LruMap<PeelId, RateBudget>(PEELS_MAX);
  private readonly atOnce = new Semaphore(PEELS_AT_ONCE);
  /** Peels that are erased in a moment. */
  private readonly due = new Map<PeelId, Timer>();
  /** Those of them whose words were seen. */
  private readonly written = new Set<PeelId>();
  private readonly working = new Set<Promise<void>>();
  private readonly sweeping: WakeLoop;
  private news: Subscription | undefined;
  private sweeps: Periodic | undefined;

  /** `cutOff`: what is done about a peel whose words were seen, before they are erased. */
  constructor(context: EraserContext, store: EnrollmentStore, cutOff: (peel: PeelId) => Promise<void>) {
    this.context = context;
    this.store = store;
    this.cutOff = cutOff;
    const { log } = context.runtime;
    this.sweeping = wakeLoop(
      context.runtime,
      () => this.tracked(this.sweep()),
      (error) => log.warn('what revoked peels have left cannot be erased for the moment', { error }),
    );
  }

  /** From here on everything that any master revokes is erased, and what was left before. */
  start(): void {
    const { runtime, enrollments } = this.context;
    this.news = enrollments.onNews(({ peel, id }) => {
      const record = id === undefined ? undefined : enrollments.get(id);
      if (record !== undefined && isKeyRevoked(record) && enrollments.isShutOut(peel))
        this.eraseIn(peel, jitter(runtime.random, OTHERS_MS, SPREAD));
    });
    const period = { what: 'sweep of revoked peels', everyMs: SWEEP_MS, spread: SPREAD };
    this.sweeps = periodic(runtime, period, () => this.sweeping.wake());
    this.sweeping.wakeAfter(jitter(runtime.random, OTHERS_MS, SPREAD));
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
    if (this.due.size >= PEELS_MAX) return;
    this.written.add(peel);
    if (this.due.has(peel)) return;
    log.warn('a revoked peel still writes; ignored and erased', { peel });
    this.eraseIn(peel, this.budgetOf(peel).waitMs(clock.monotonicMs()));
  }

  /** Servers had let peels in that are shut out: they may have written what nobody watches. */
  letIn(): void {
    this.sweeping.wakeAfter(LET_IN_MS);
  }

  async stop(): Promise<void> {
    this.news?.unsubscribe();
    this.sweeps?.stop();
    this.sweeping.stop();
    for (const timer of this.due.values()) timer.cancel();
    this.due.clear();
    await Promise.all(this.working);
  }

  private eraseIn(peel: PeelId, ms: number): void {
    const { clock } = this.context.runtime;
    if (this.due.has(peel) || this.due.size >= PEELS_MAX || this.isOver()) return;
    const timer = clock.after(ms, () => {
      this.due.delete(peel);
      this.budgetOf(peel).take(clock.monotonicMs());
      void this.tracked(this.atOnce.run(() => this.eraseOrRetry(peel)));
    });
    this.due.set(peel, timer);
  }

  private async eraseOrRetry(peel: PeelId): Promise<void> {
    const { log, random } = this.context.runtime;
    const hasWritten = this.written.delete(peel);
    try {
      if (hasWritten) await this.cutOff(peel);
      await this.erase(peel);
    } catch (error) {
      if (hasWritten) this.written.add(peel);
      log.warn('the keys of a revoked peel are not erased yet', { peel, error });
      this.eraseIn(peel, jitter(random, RETRY_MS, SPREAD));
    }
  }

  /** One after the other: mostly there is nothing to erase. */
  private async sweep(): Promise<void> {
    for (const peel of this.context.enrollments.view.shutOut()) {
      if (this.isOver()) return;
      await this.eraseOrRetry(peel);
    }
  }

  private isOver(): boolean {
    return this.sweeping.stopped() || this.context.life.aborted;
  }

  private tracked(work: Promise<void>): Promise<void> {
    const done = work.finally(() => this.working.delete(done));
    this.working.add(done);
    return done;
  }

  private budgetOf(peel: PeelId): RateBudget {
    return this.budgets.getOrMake(peel, () => new RateBudget(AGAIN));
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
