/**
 * The clock is time as a port. Nothing outside this folder reads a clock or sets a timer, so that the simulator can run
 * the same code in virtual time.
 *
 * Wall time may jump (NTP, an operator); use it for what is written down. Monotonic time never goes back; use it
 * for "how long since".
 */
export interface Clock {
  /** Wall time, milliseconds since 1970 UTC. */
  nowMs(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonicMs(): number;
  /** Calls `run` once, `delayMs` from now. Cancelling after it ran does nothing. */
  after(delayMs: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** Resolves after `delayMs`; rejects with the signal's reason as soon as `signal` aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The moment that a date in words means, such as OpenSSL's `Nov 16 00:00:00 2026 GMT`; undefined when it means none. */
export function parseDateText(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
