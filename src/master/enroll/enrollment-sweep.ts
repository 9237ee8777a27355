/**
 * The enrollment sweep goes through all enrollments of its memory every `SWEEP_MS`, on every master, and does with each what
 * core/enroll/desk/stale-enrollments.ts says: old requests are rejected, ended records removed in time, and what a master left that
 * died is put right. Every step is a compare-and-set on what the store says, so that two masters that sweep do no harm. What is old
 * is old by the clock of the store; where ours differs by hours nothing is swept. A record with which it fails is named, and stops no other.
 * Bound: `STEPS_MAX` in one turn; the rest has its turn later.
 */
import { PENDING_DAYS, staleStep } from '../../core/enroll/desk/stale-enrollments.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { nanosFromMs, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import type { MasterContext } from '../master-context.ts';
import type { Decisions } from './decisions.ts';
import type { EnrollmentStore } from './enrollment-store.ts';

const SWEEP_MS = 3_600_000;
const SPREAD = 0.5;
const STEPS_MAX = 1_000;

export class EnrollmentSweep {
  private readonly context: MasterContext;
  private readonly store: EnrollmentStore;
  private readonly decisions: Decisions;
  private timer: Periodic | undefined;

  constructor(context: MasterContext, store: EnrollmentStore, decisions: Decisions) {
    this.context = context;
    this.store = store;
    this.decisions = decisions;
  }

  start(): void {
    const period = { what: 'sweep of enrollments', everyMs: SWEEP_MS, spread: SPREAD };
    this.timer = periodic(this.context.runtime, period, () => this.sweep());
  }

  stop(): void {
    this.timer?.stop();
  }

  /** One turn. */
  async sweep(): Promise<void> {
    const { enrollments, life, agreedTime } = this.context;
    const { log } = this.context.runtime;
    const { nowMs, isAgreed } = await agreedTime.now();
    if (!isAgreed) {
      log.warn('enrollments are not swept: the clocks of this machine and of the NATS servers differ');
      return;
    }
    const now = nanosFromMs(nowMs);
    const isDue = (record: Enrollment) =>
      staleStep(record, enrollments.currentOf(record.peelId), now).is !== 'keep';
    const due = [...enrollments.view.all()].filter(isDue).slice(0, STEPS_MAX);
    for (const record of due) {
      if (life.aborted) return;
      try {
        await this.settle(record, now);
      } catch (error) {
        const { id, peelId: peel } = record;
        log.warn('an enrollment that nobody comes back to cannot be settled', { id, peel, error });
      }
    }
  }

  /** By what the store says: memory may be behind. */
  private async settle({ id, peelId }: Enrollment, now: UnixNanos): Promise<void> {
    const found = await this.store.find(id);
    if (found === undefined) return;
    const { record: current } = (await this.store.currentOf(peelId)) ?? {};
    const step = staleStep(found.record, current, now);
    if (step.is === 'reject')
      await this.decisions.reject({
        id,
        peelId: '',
        operator: 'masters',
        reason: `nobody decided within ${PENDING_DAYS} days`,
        force: false,
        tags: {},
        facts: {},
      });
    if (step.is === 'supersede' && current !== undefined) await this.decisions.supersede(id, current);
    if (step.is === 'remove') await this.store.forget(found);
  }
}
