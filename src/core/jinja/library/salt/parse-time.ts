/**
 * `parseTime` reads texts that name a time: ISO 8601 and near it, seconds since 1970, and a few words. All times are
 * UTC.
 */
import { DAY_SECONDS, daysInMonth, daysSinceEpoch } from './civil-time.ts';
import { parseFloating } from './parse-number.ts';

/** Microseconds since 1970, or undefined. `now` is asked only where the text needs it. */
export function parseTime(text: string, now: () => number): number | undefined {
  const trimmed = text.trim().toLowerCase();
  const relative = RELATIVE_DAYS[trimmed];
  if (relative !== undefined) return (Math.floor(now() / 1e6 / DAY_SECONDS) + relative) * DAY_SECONDS * 1e6;
  if (trimmed === 'now') return now();
  const seconds = /^[-+]?[0-9.]+$/.test(trimmed) ? parseFloating(trimmed) : undefined;
  return seconds === undefined ? parseIso(trimmed) : Math.round(seconds * 1e6);
}

/** Midnight of the day that is so many days from now. */
const RELATIVE_DAYS: Readonly<Record<string, number>> = { today: 0, midnight: 0, tomorrow: 1, yesterday: -1 };

const ISO =
  /^(\d{4})([-/]?)(\d{1,2})\2(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*(z|utc|[-+]\d{2}:?\d{2})?)?$/;

function parseIso(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [year = 0, , month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 8)
    .map((part) => Number(part ?? 0));
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined;
  const microseconds = Number((match[8] ?? '').padEnd(6, '0'));
  const offset = offsetSeconds(match[9]);
  const seconds =
    daysSinceEpoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second - offset;
  return seconds * 1e6 + microseconds;
}

function offsetSeconds(zone: string | undefined): number {
  const match = /^([-+])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (match === null) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60;
  return match[1] === '-' ? -seconds : seconds;
}
