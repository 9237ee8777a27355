/**
 * This file converts times and durations as they travel: nanoseconds, as bigint, because Go sends them so and a number
 * holds only microseconds of our days. Inside Zester milliseconds are enough; these functions stand at the border.
 */

/** Nanoseconds since 1970 UTC. */
export type UnixNanos = bigint;
/** A span, in nanoseconds. May be negative. */
export type DurationNanos = bigint;

/** Go's `time.Time{}`, the first instant of year 1: how a Go program says "never set". */
export const GO_ZERO_TIME: UnixNanos = -62_135_596_800_000_000_000n;
/** The last nanosecond of year 9999. Times outside year 1 to 9999 have no RFC 3339 form and are refused. */
export const TIME_MAX: UnixNanos = 253_402_300_799_999_999_999n;

const NANOS_PER_MS = 1_000_000n;
export const NANOS_PER_SECOND = 1_000_000_000n;

/** Drops fractions of a millisecond finer than a nanosecond. */
export function nanosFromMs(ms: number): bigint {
  const whole = Math.trunc(ms);
  return BigInt(whole) * NANOS_PER_MS + BigInt(Math.trunc((ms - whole) * 1e6));
}

/** Whole milliseconds, rounded down also before 1970. */
export function msFromNanos(nanos: bigint): number {
  return Number(floorDiv(nanos, NANOS_PER_MS));
}

export function isTimeInRange(time: UnixNanos): boolean {
  return time >= GO_ZERO_TIME && time <= TIME_MAX;
}

/** A time inside untyped data, apart from numbers. */
export class WireTime {
  readonly unixNanos: UnixNanos;

  constructor(unixNanos: UnixNanos) {
    this.unixNanos = unixNanos;
  }

  toJSON(): string {
    return formatRfc3339(this.unixNanos);
  }
}

/** As Go prints it: UTC, with as many digits of the second as are not zero. Expects a time in range. */
export function formatRfc3339(time: UnixNanos): string {
  const seconds = floorDiv(time, NANOS_PER_SECOND);
  const nanos = Number(time - seconds * NANOS_PER_SECOND);
  const days = Math.floor(Number(seconds) / 86_400);
  const ofDay = Number(seconds) - days * 86_400;
  const { year, month, day } = civilDate(days);
  const clock = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60].map((n) => pad(n, 2));
  const fraction = nanos === 0 ? '' : `.${pad(nanos, 9).replace(/0+$/, '')}`;
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock.join(':')}${fraction}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,40}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Undefined for what is not a time of year 1 to 9999. Digits finer than a nanosecond are dropped. */
export function parseRfc3339(text: string): UnixNanos | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const number = (group: number) => Number(match[group] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4), number(5), number(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || number(9) > 23 || number(10) > 59) return undefined;
  const offset = (match[8] === '-' ? -1 : 1) * (number(9) * 3600 + number(10) * 60);
  const seconds = daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
  const nanos = (match[7] ?? '').slice(0, 9).padEnd(9, '0');
  const time = BigInt(seconds) * NANOS_PER_SECOND + BigInt(nanos);
  return isTimeInRange(time) ? time : undefined;
}

/** Division rounded down, so that the remainder is never negative. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

// The proleptic Gregorian calendar, counted in eras of 400 years from 1 March of year 0, so that the leap day comes
// last in every year. `Date` is not used: it belongs to runtime/, and years below 100 confuse it.
const ERA_DAYS = 146_097;
const DAYS_TO_1970 = 719_468;

function daysSince1970(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const ofEra = y - era * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return (
    era * ERA_DAYS + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - DAYS_TO_1970
  );
}

function civilDate(daysFrom1970: number): { year: number; month: number; day: number } {
  const days = daysFrom1970 + DAYS_TO_1970;
  const era = Math.floor(days / ERA_DAYS);
  const ofEra = days - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * ofYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = ofYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
