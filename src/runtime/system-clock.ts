/** The system clock is the machine's own. */
import type { Clock, Timer } from './clock.ts';

/** setTimeout fires at once for anything longer; longer waits are made of several. */
const TIMEOUT_MS_MAX = 2_147_483_647;

/** The machine's own clock. A timer keeps the process alive until it fires or is cancelled. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after,
};

function after(delayMs: number, run: () => void): Timer {
  let handle: NodeJS.Timeout;
  const arm = (leftMs: number) => {
    const stepMs = Math.min(leftMs, TIMEOUT_MS_MAX);
    handle = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : run()), Math.max(0, stepMs));
  };
  arm(delayMs);
  return { cancel: () => clearTimeout(handle) };
}
