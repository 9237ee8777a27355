/**
 * `timeStores` writes to each store that a master depends on and says how long that took: a store may answer every question and
 * take no write for minutes, behind what somebody else has put in line. Health checks ask it, and the program every
 * `LOOK_MS`, for the master's heartbeat, so that `zester doctor` and `zester master list` know.
 *
 * What is written is nobody's record: keys and subjects under `_probe`, which is no id and which no listing looks at. Each
 * store keeps a few of them. A write that comes too late is stored all the same and changes nothing.
 */
import type { Bus } from '../../bus/port.ts';
import { judgeStoreTimes, type StoreTime, type StoreVerdict } from '../../core/store-times.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { BUCKETS, type BucketSpec } from '../../wire/names/buckets.ts';
import { STORE_PROBE_KEY } from '../../wire/names/keys.ts';
import { STREAMS } from '../../wire/names/streams.ts';
import { STORE_PROBE_EVENT_SUBJECT, STORE_PROBE_WORD_SUBJECT } from '../../wire/names/subjects.ts';
import type { MasterContext } from '../master-context.ts';

/** Below the time that a health check has. */
const WRITE_MS_MAX = 1_500;
const LOOK_MS = 10_000;
const SPREAD = 0.1;
const NO_BYTES = new Uint8Array();

export async function timeStores(bus: Bus, clock: Clock): Promise<StoreVerdict> {
  const timeoutMs = WRITE_MS_MAX;
  const put = (bucket: string) => bus.bucket(bucket).put(STORE_PROBE_KEY, NO_BYTES, { timeoutMs });
  const append = (subject: string) => bus.append(subject, NO_BYTES, { timeoutMs });
  const inBucket = ({ name: asset }: BucketSpec, decides: boolean) => ({
    ...{ asset, decides },
    write: () => put(asset),
  });
  const writes: readonly (Omit<StoreTime, 'ms'> & { readonly write: () => Promise<unknown> })[] = [
    inBucket(BUCKETS.jobs, true),
    inBucket(BUCKETS.jobReturns, true),
    { asset: STREAMS.jobEvents.name, decides: true, write: () => append(STORE_PROBE_EVENT_SUBJECT) },
    { asset: STREAMS.jobWords.name, decides: false, write: () => append(STORE_PROBE_WORD_SUBJECT) },
    inBucket(BUCKETS.masterHeartbeat, false),
    inBucket(BUCKETS.leases, false),
    inBucket(BUCKETS.enrollments, false),
  ];
  const times = await Promise.all(
    writes.map(async ({ asset, decides, write }): Promise<StoreTime> => {
      const beganMs = clock.monotonicMs();
      const ms = await write().then(
        () => Math.round(clock.monotonicMs() - beganMs),
        () => undefined,
      );
      return { asset, decides, ms };
    }),
  );
  return judgeStoreTimes(times, WRITE_MS_MAX);
}

export interface StoreTimes {
  /** Of the last look; empty when all was well. */
  problem(): string;
  stop(): void;
}

export function keepTimingStores({ bus, runtime }: Pick<MasterContext, 'bus' | 'runtime'>): StoreTimes {
  const { clock, log } = runtime;
  let problem = '';
  const period = { what: 'times of stores', everyMs: LOOK_MS, spread: SPREAD };
  const looks: Periodic = periodic(runtime, period, async () => {
    const before = problem;
    ({ problem } = await timeStores(bus, clock));
    if (problem !== '' && before === '') log.warn('stores are slow', { problem });
    if (problem === '' && before !== '') log.info('stores are as fast as before');
  });
  return { problem: () => problem, stop: () => looks.stop() };
}
