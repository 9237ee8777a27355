/** `until` waits for a condition, never for a time. */
import { sleep } from '../../src/runtime/clock.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';

const POLL_MS = 10;
const DEFAULT_MS_MAX = 15_000;

/** The first truthy answer of `look`. Errors it throws count as "not yet"; the last one is told on failure. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  msMax = DEFAULT_MS_MAX,
): Promise<NonNullable<T>> {
  const endMs = systemClock.monotonicMs() + msMax;
  let last: unknown;
  for (;;) {
    try {
      const answer = await look();
      if (answer) return answer as NonNullable<T>;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (systemClock.monotonicMs() > endMs) throw new Error(`waited ${msMax} ms for ${what}`, { cause: last });
    await sleep(systemClock, POLL_MS);
  }
}
