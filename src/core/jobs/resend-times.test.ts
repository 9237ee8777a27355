import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { msToResend, RESEND_GAP_MS_MAX } from './resend-times.ts';

/** Every moment after the first send at which a target that stays silent is sent to again. */
function momentsOf(ackWindowMs: number, timeoutMs: number): number[] {
  const moments: number[] = [];
  for (let atMs = 0; ; ) {
    const gapMs = msToResend(ackWindowMs, moments.length + 1, timeoutMs - atMs);
    if (gapMs === undefined) return moments;
    atMs += gapMs;
    moments.push(atMs);
  }
}

const windows = fc.integer({ min: 0, max: 120_000 });
const timeouts = fc.integer({ min: 0, max: 7_200_000 });

describe('a silent target is sent its request again', () => {
  it('at 5, 15, 35, 75 s and then every minute', () => {
    expect(momentsOf(5_000, 240_000).map((ms) => ms / 1_000)).toEqual([5, 15, 35, 75, 135, 195]);
  });

  it('never, when the window is negative', () => {
    fc.assert(
      fc.property(
        fc.integer({ max: -1 }),
        timeouts,
        (ms, timeoutMs) => momentsOf(ms, timeoutMs).length === 0,
      ),
    );
  });

  it('after the window first, at growing intervals, and not at or after the deadline', () => {
    fc.assert(
      fc.property(windows, timeouts, (windowMs, timeoutMs) => {
        const moments = momentsOf(windowMs, timeoutMs);
        const gaps = moments.map((ms, i) => ms - (moments[i - 1] ?? 0));
        return (
          moments.every((ms) => ms < timeoutMs) &&
          gaps.every(
            (ms, i) => ms >= (gaps[i - 1] ?? windowMs) && ms <= Math.max(windowMs, RESEND_GAP_MS_MAX),
          )
        );
      }),
    );
  });

  it('until the deadline: whatever is left is shorter than the next interval', () => {
    fc.assert(
      fc.property(windows, timeouts, (windowMs, timeoutMs) => {
        const last = momentsOf(windowMs, timeoutMs).at(-1) ?? 0;
        return timeoutMs - last <= Math.max(windowMs, RESEND_GAP_MS_MAX);
      }),
    );
  });
});
