import { describe, expect, it } from 'vitest';
import { type BanTimes, FORGOTTEN_AFTER_MS, nextBan } from './flood-bans.ts';

const MINUTE_MS = 60_000;

describe('nextBan', () => {
  it('keeps a peel out for longer each time, up to an hour', () => {
    let last: BanTimes | undefined;
    const minutes: number[] = [];
    for (let i = 0; i < 6; i++) {
      last = nextBan(last, (last?.untilMs ?? 0) + 1);
      minutes.push(((last?.untilMs ?? 0) - (last?.sinceMs ?? 0)) / MINUTE_MS);
    }
    expect(minutes).toEqual([1, 5, 15, 60, 60, 60]);
    expect(last?.count).toBe(6);
  });

  it('counts nothing while a ban lasts, and begins anew after a quiet day', () => {
    const first = nextBan(undefined, 0) as BanTimes;
    expect(nextBan(first, first.untilMs - 1)).toBeUndefined();
    expect(nextBan(first, first.untilMs + FORGOTTEN_AFTER_MS - 1)?.count).toBe(2);
    expect(nextBan(first, first.untilMs + FORGOTTEN_AFTER_MS)?.count).toBe(1);
  });
});
