/**
 * The fetch spread is the time over which the peels of a fleet fetch a new revision, so that ten thousand of them do not
 * ask in the same moment. The publisher writes it beside the revision; each peel waits for its own share of it. Pure.
 *
 * A peel's share depends on its id alone: the same after every restart, and even over a fleet.
 */
const SPREAD_MS_MIN = 100;
const SPREAD_MS_MAX = 60_000;
const MS_PER_PEEL = 1;
/** Where the publisher has not said anything. */
export const DEFAULT_SPREAD_MS = 250;

/** A power of two, so that it is seldom written; at most `SPREAD_MS_MAX`. */
export function spreadMsFor(onlinePeels: number): number {
  const wanted = Math.max(SPREAD_MS_MIN, onlinePeels * MS_PER_PEEL);
  return Math.min(SPREAD_MS_MAX, 2 ** Math.ceil(Math.log2(wanted)));
}

/** How long this peel waits before it fetches. A spread from the bucket is not believed beyond its bound. */
export function fetchWaitMs(peel: string, spreadMs: number): number {
  return Math.floor(shareOf(peel) * Math.min(Math.max(0, spreadMs), SPREAD_MS_MAX));
}

/** At least 0 and below 1: FNV-1a of the id, its bits mixed, because ids often differ in the last digit only. */
function shareOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
