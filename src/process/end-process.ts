/**
 * Ends a process for good: signals in turn, each with its time, until it is seen to be gone. It is named by pid and start
 * time, so whoever gets its pid later is left alone.
 */
import { type Clock, sleep } from '../runtime/clock.ts';
import { isSameProcess, type ProcessIdentity, signalProcess } from './process-table.ts';

export interface EndStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

const LOOK_MS = 20;

/** False when it is still there after the last step, or belongs to another user and cannot be told anything. */
export async function endProcess(
  clock: Clock,
  target: ProcessIdentity,
  steps: readonly EndStep[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (!isTold(target, signal)) return !isSameProcess(target);
    const untilMs = clock.monotonicMs() + waitMs;
    while (isSameProcess(target) && clock.monotonicMs() < untilMs) await sleep(clock, LOOK_MS);
    if (!isSameProcess(target)) return true;
  }
  return false;
}

function isTold(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
  try {
    return signalProcess(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false;
    throw error;
  }
}
