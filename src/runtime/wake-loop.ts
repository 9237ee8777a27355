/**
 * A wake loop runs a step whenever it is woken: one at a time, wake-ups meanwhile folded into one more. A step that fails is
 * reported and tried again with backoff, for as long as the loop lives.
 */
import { type Backoff, backoffMs } from '../core/backoff.ts';
import type { Timer } from './clock.ts';
import { guarded } from './guarded.ts';
import type { Runtime } from './runtime.ts';

export interface WakeLoop {
  wake(): void;
  wakeAfter(delayMs: number): void;
  stopped(): boolean;
  stop(): void;
}

const RETRIES: Backoff = { firstMs: 200, maxMs: 2_000 };

export function wakeLoop(
  runtime: Runtime,
  step: () => Promise<void>,
  trouble: ((error: Error) => void) | undefined,
): WakeLoop {
  let stopped = false;
  let busy = false;
  let again = false;
  let failures = 0;
  let timer: Timer | undefined;

  async function run(): Promise<void> {
    if (busy) return;
    busy = true;
    while (again && !stopped) {
      again = false;
      timer?.cancel();
      try {
        await step();
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!stopped) guarded(runtime.log, trouble, error as Error);
        wakeAfter(backoffMs(RETRIES, failures));
      }
    }
    busy = false;
  }

  function wake(): void {
    again = true;
    void run();
  }

  function wakeAfter(delayMs: number): void {
    timer?.cancel();
    if (!stopped) timer = runtime.clock.after(delayMs, wake);
  }

  return {
    wake,
    wakeAfter,
    stopped: () => stopped,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
