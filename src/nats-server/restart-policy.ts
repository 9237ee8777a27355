/**
 * The restart policy says how long to wait before a server that ended is started again, and when to stop trying. Pure.
 *
 * The first delay is short, because a single crash should cost clients next to nothing; then delays grow, because a
 * port may be held for a moment by another program's outgoing connection, or a disk may be full until someone acts.
 */
export interface RestartPolicy {
  /** Before the first, second, … restart in a row; after the last one supervision gives up. */
  readonly delaysMs: readonly number[];
  /** A server that ran this long was well: the row starts anew. */
  readonly stableMs: number;
}

export const DEFAULT_RESTARTS: RestartPolicy = {
  delaysMs: [50, 250, 500, 1_000, 2_000, 5_000, 5_000, 10_000, 10_000, 10_000],
  stableMs: 30_000,
};

export interface RestartStep {
  /** Failures in a row, this one included. */
  readonly failures: number;
  /** Undefined: give up. */
  readonly delayMs: number | undefined;
}

/** What to do about an exit, after `failures` earlier ones in a row and a run of `ranMs`. */
export function nextRestart(policy: RestartPolicy, failures: number, ranMs: number): RestartStep {
  const before = ranMs >= policy.stableMs ? 0 : failures;
  return { failures: before + 1, delayMs: policy.delaysMs[before] };
}
