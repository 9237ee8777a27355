/** Calls a callback of ours: one that throws is a bug to be seen in the log, not a reason for its caller to die. */
import type { Log } from './log.ts';

export function guarded<T>(log: Log, callback: ((argument: T) => void) | undefined, argument: T): void {
  try {
    callback?.(argument);
  } catch (error) {
    log.error('a callback threw', { error });
  }
}
