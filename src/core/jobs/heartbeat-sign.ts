/** Whether a heartbeat says that a peel has come (back): then a target that was silent gets its request again. */
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';

/** Two beats and a half: one lost or late beat is no absence. */
const GAP_MS = 25_000;

export interface SeenHeartbeat {
  readonly beat: PeelHeartbeat;
  /** When the master saw it, on its own clock. */
  readonly seenMs: number;
}

export function hasAppeared(before: SeenHeartbeat | undefined, now: SeenHeartbeat): boolean {
  if (before === undefined) return true;
  return before.beat.since !== now.beat.since || now.seenMs - before.seenMs > GAP_MS;
}
