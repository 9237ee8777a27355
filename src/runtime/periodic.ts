/**
 * `periodic` does something again and again, never twice at a time. The next period begins when the work has ended,
 * well or not; a failure is logged, and the next turn comes all the same. The first turn comes after the first period.
 */
import type { Timer } from './clock.ts';
import { jitter } from './random.ts';
import type { Runtime } from './runtime.ts';

export interface Period {
  /** In the log, when a turn fails. */
  readonly what: string;
  readonly everyMs: number;
  /** Up to this part of the period (0 to 1) is added or taken away, so that a fleet does not act in step. */
  readonly spread: number;
}

export interface Periodic {
  /** No further turn; one that is under way goes on to its end. */
  stop(): void;
}

export function periodic(
  { clock, random, log }: Runtime,
  { what, everyMs, spread }: Period,
  work: () => Promise<void> | void,
): Periodic {
  let isStopped = false;
  let timer: Timer | undefined;

  function schedule(): void {
    const periodMs = spread === 0 ? everyMs : jitter(random, everyMs, spread);
    if (!isStopped) timer = clock.after(periodMs, () => void turn());
  }

  async function turn(): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isStopped) log.warn(`${what}: not this time`, { error });
    }
    schedule();
  }

  schedule();
  return {
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
