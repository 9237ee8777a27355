import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatRfc3339,
  GO_ZERO_TIME,
  msFromNanos,
  nanosFromMs,
  parseRfc3339,
  TIME_MAX,
  WireTime,
} from './time.ts';

const anyTime = fc.bigInt({ min: GO_ZERO_TIME, max: TIME_MAX });

describe('formatRfc3339', () => {
  it('agrees with Date on every millisecond of years 1 to 9999', () => {
    fc.assert(
      fc.property(anyTime, (time) => {
        const ms = msFromNanos(time);
        expect(formatRfc3339(nanosFromMs(ms)).replace(/Z$/, '')).toBe(
          new Date(ms).toISOString().replace(/\.?0*Z$/, ''),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('prints like Go: no needless zeros, nanoseconds kept', () => {
    expect(formatRfc3339(GO_ZERO_TIME)).toBe('0001-01-01T00:00:00Z');
    expect(formatRfc3339(TIME_MAX)).toBe('9999-12-31T23:59:59.999999999Z');
    expect(formatRfc3339(0n)).toBe('1970-01-01T00:00:00Z');
    expect(formatRfc3339(-1n)).toBe('1969-12-31T23:59:59.999999999Z');
    expect(formatRfc3339(1_700_000_000_120_000_000n)).toBe('2023-11-14T22:13:20.12Z');
    expect(JSON.stringify({ at: new WireTime(0n) })).toBe('{"at":"1970-01-01T00:00:00Z"}');
  });
});

describe('parseRfc3339', () => {
  it('reads back every time that formatRfc3339 prints', () => {
    fc.assert(
      fc.property(anyTime, (time) => {
        expect(parseRfc3339(formatRfc3339(time))).toBe(time);
      }),
    );
  });

  it('knows offsets, leap days and fractions finer than a nanosecond', () => {
    expect(parseRfc3339('1970-01-01T01:30:00+01:30')).toBe(0n);
    expect(parseRfc3339('1969-12-31T23:00:00-01:00')).toBe(0n);
    expect(parseRfc3339('2000-02-29T00:00:00Z')).toBe(951_782_400_000_000_000n);
    expect(parseRfc3339('1970-01-01T00:00:00.0000000019Z')).toBe(1n);
  });

  it.each([
    '',
    'now',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2023-13-01T00:00:00Z',
    '2023-00-01T00:00:00Z',
    '2023-04-31T00:00:00Z',
    '2023-01-01T24:00:00Z',
    '2023-01-01T00:60:00Z',
    '2023-01-01T00:00:60Z',
    '2023-01-01 00:00:00Z',
    '2023-01-01T00:00:00',
    '2023-01-01T00:00:00+24:00',
    '0000-12-31T23:59:59Z',
    `2023-01-01T00:00:00.${'0'.repeat(100)}Z`,
  ])('refuses %j', (text) => expect(parseRfc3339(text)).toBeUndefined());
});

describe('milliseconds and nanoseconds', () => {
  it('round down, also before 1970', () => {
    expect(msFromNanos(1_999_999n)).toBe(1);
    expect(msFromNanos(-1n)).toBe(-1);
    expect(nanosFromMs(1.5)).toBe(1_500_000n);
    expect(nanosFromMs(-1)).toBe(-1_000_000n);
  });
});
