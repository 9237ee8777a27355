/**
 * `judgeStoreTimes` says what it means for a master how long its stores took to take a write. One that it decides by and that does not answer
 * makes it useless: no job can be dispatched, whatever else looks well. Any other one (words of peels, leases, heartbeats of
 * masters, enrollments) is a reason to look: jobs go on.
 */
export interface StoreTime {
  readonly asset: string;
  /** Undefined when it did not answer in time. */
  readonly ms: number | undefined;
  /** No job can go on without a write to it: claims, rows, dispatches. */
  readonly decides: boolean;
}

export interface StoreVerdict {
  readonly status: 'ok' | 'degraded' | 'down';
  /** Empty when all is well. */
  readonly problem: string;
}

/** A write that is on disk on three servers takes a few milliseconds; in an election it takes seconds. */
export const SLOW_MS = 1_000;

export function judgeStoreTimes(times: readonly StoreTime[], waitedMs: number): StoreVerdict {
  const words = ({ asset, ms }: StoreTime) =>
    ms === undefined ? `${asset} took no write within ${waitedMs} ms` : `a write to ${asset} took ${ms} ms`;
  const slow = times.filter(({ ms }) => ms === undefined || ms >= SLOW_MS);
  const problem = slow.map(words).join('; ');
  if (slow.some(({ ms, decides }) => ms === undefined && decides)) return { status: 'down', problem };
  return { status: slow.length === 0 ? 'ok' : 'degraded', problem };
}
