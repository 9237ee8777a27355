/** Does something again and again, never twice at a time; a failure is logged and the next turn comes all the same. */
import type { Timer } from '../runtime/clock.ts';
import { jitter } from '../runtime/random.ts';
import type { Runtime } from '../runtime/runtime.ts';

const SPREAD = 0.1;

export function every(
  runtime: Runtime,
  periodMs: number,
  what: string,
  work: () => Promise<void>,
): { stop(): void } {
  let isStopped = false;
  let timer: Timer | undefined;

  function schedule(): void {
    if (!isStopped) timer = runtime.clock.after(jitter(runtime.random, periodMs, SPREAD), () => void turn());
  }

  async function turn(): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isStopped) runtime.log.warn(`${what}: not this time`, { error });
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
