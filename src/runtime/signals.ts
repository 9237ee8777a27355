/**
 * This file makes abort signals for work that lives long or has a time limit. Several signals are joined by the
 * platform's own `AbortSignal.any`, which keeps nothing of a joined signal that is gone.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.ts';

/**
 * An AbortController for whatever lives long or does much at once: any number of waits may hang on its signal. Node
 * takes more than ten listeners of one signal for a leak and prints a warning, which here would be wrong.
 */
export function stopSource(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

export interface TimeoutSignal {
  readonly signal: AbortSignal;
  /** The work has ended: the signal will not abort any more. */
  cancel(): void;
}

/** As `AbortSignal.timeout`, on the given clock: aborts when `ms` have passed, with what `reason` then says. */
export function timeoutSignal(clock: Clock, ms: number, reason?: () => Error): TimeoutSignal {
  const controller = new AbortController();
  const timer = clock.after(ms, () => controller.abort(reason?.()));
  return { signal: controller.signal, cancel: () => timer.cancel() };
}
