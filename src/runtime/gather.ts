/**
 * Batches work that comes in close together into one moment. Messages that are sent in the same turn of the event loop
 * share one write to the socket here and one read at the server; sent one by one they cost a TLS record and a system
 * call each, which is most of what a small message costs.
 *
 * The first caller of a window starts it; all who come before it closes go together, in the order they came. So nobody
 * waits longer than `windowMs`, and one that comes alone waits that long. Bound: whoever calls bounds how many wait.
 */
import type { Clock } from './clock.ts';

/** Resolves when the window that the call fell into closes. */
export type Gathering = () => Promise<void>;

export function gathering(clock: Clock, windowMs: number): Gathering {
  let open: Promise<void> | undefined;
  return () => {
    open ??= new Promise((resolve) => {
      clock.after(windowMs, () => {
        open = undefined;
        resolve();
      });
    });
    return open;
  };
}
