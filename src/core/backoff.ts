/**
 * Exponential backoff: how long to pause before the next try. Twice as long after every failure, up to a longest pause, so
 * that what is in trouble is asked ever less often. Pure; whoever must not come back in step with others adds `jitter`
 * (runtime/random.ts).
 */
export interface Backoff {
  /** After the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** `failures` in a row so far, this one included. */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs);
}
