/** This file decides for how long a peel that floods is kept out. */
export interface BanTimes {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** 1 for the first one lately. */
  readonly count: number;
}

const MINUTE_MS = 60_000;
const BAN_MS: readonly number[] = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
const LONGEST_MS = 60 * MINUTE_MS;
export const FORGOTTEN_AFTER_MS = 24 * 60 * MINUTE_MS;

/**
 * Longer each time, and as at first when it was quiet for a day after the last one.
 * Undefined while a ban lasts: what is seen of a peel that was just banned is its past.
 */
export function nextBan(last: BanTimes | undefined, nowMs: number): BanTimes | undefined {
  if (last !== undefined && nowMs < last.untilMs) return undefined;
  const isForgotten = last === undefined || nowMs - last.untilMs >= FORGOTTEN_AFTER_MS;
  const count = isForgotten ? 1 : last.count + 1;
  return { sinceMs: nowMs, untilMs: nowMs + (BAN_MS[count - 1] ?? LONGEST_MS), count };
}
