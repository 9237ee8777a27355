/**
 * `AgreedTime` is what time it is by the clock of the store, and whether ours says the same. What is removed or forgotten for its age
 * goes by it and not by the clock of one master: one that is a year ahead would forget who was revoked, for all. Where the two differ
 * by `APART_MS` or more nobody here can say which is right: then nothing that is old is to go, and the log says so once, until they
 * agree again.
 *
 * The store is asked when `KEEP_MS` have passed since, counted on the monotonic clock, and whenever the clocks seem to differ.
 */
import { readStoreClock } from '../../bus/stream/store-clock.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import type { MasterContext } from '../master-context.ts';

const KEEP_MS = 60_000;
const APART_MS = 3_600_000;
const STORE = kvStreamName(BUCKETS.enrollments.name);

export interface AgreedMoment {
  /** Of the store; of this machine where the store does not tell. */
  readonly nowMs: number;
  /** Whether both clocks say about the same. */
  readonly isAgreed: boolean;
}

export class AgreedTime {
  private readonly context: Pick<MasterContext, 'bus' | 'runtime'>;
  private read: { readonly storeMs: number; readonly atMs: number } | undefined;
  private wasAgreed = true;

  constructor(context: Pick<MasterContext, 'bus' | 'runtime'>) {
    this.context = context;
  }

  /** Rejects when the store does not answer. */
  async now(): Promise<AgreedMoment> {
    const { clock } = this.context.runtime;
    const isOld = clock.monotonicMs() - (this.read?.atMs ?? Number.NEGATIVE_INFINITY) >= KEEP_MS;
    if (isOld || !isNear(this.storeMs(), clock.nowMs())) await this.ask();
    const [storeMs, ownMs] = [this.storeMs(), clock.nowMs()];
    const isAgreed = isNear(storeMs, ownMs);
    this.tell(isAgreed, storeMs);
    return { nowMs: storeMs ?? ownMs, isAgreed };
  }

  private async ask(): Promise<void> {
    const { bus, runtime } = this.context;
    const time = await readStoreClock(bus, STORE, runtime.clock);
    this.read = time === undefined ? undefined : { storeMs: time.storeMs, atMs: runtime.clock.monotonicMs() };
  }

  private storeMs(): number | undefined {
    const { clock } = this.context.runtime;
    return this.read === undefined ? undefined : this.read.storeMs + clock.monotonicMs() - this.read.atMs;
  }

  private tell(isAgreed: boolean, storeMs: number | undefined): void {
    if (isAgreed === this.wasAgreed) return;
    this.wasAgreed = isAgreed;
    const { log, clock } = this.context.runtime;
    if (isAgreed) log.info('the clocks of this machine and of the NATS servers agree again');
    else
      log.error(
        'the clocks of this machine and of the NATS servers differ by hours, or they do not tell theirs: nothing is forgotten for its age',
        { here: timeText(clock.nowMs()), there: storeMs === undefined ? 'not told' : timeText(storeMs) },
      );
  }
}

const isNear = (storeMs: number | undefined, ownMs: number) =>
  storeMs !== undefined && Math.abs(storeMs - ownMs) < APART_MS;
const timeText = (ms: number) => formatRfc3339(nanosFromMs(ms));
