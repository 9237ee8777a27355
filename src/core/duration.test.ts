import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['1.5h', 5_400_000],
    ['0', 0],
    ['0s', 0],
    ['2160h', 7_776_000_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', '1d', '-5s', '5 s', 's', '1h x', '1e3s', '9'.repeat(60)])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('what is formatted parses back', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 12 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});
