/**
 * `formatTime` is `strftime` in the C locale, for times without a zone, with the flags of the GNU C library (`%-d`,
 * `%_H`, `%^a`).
 */
import { type CivilTime, DAY_SECONDS, dayOfYear, daysSinceEpoch, weekday } from './civil-time.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** What a letter stands for: a text, or a number with the width and the padding it usually has. */
type Field = string | { readonly number: number; readonly width: number; readonly pad: '0' | ' ' };

function padded(number: number, width: number, pad: '0' | ' ' = '0'): Field {
  return { number, width, pad };
}

const FIELDS: Readonly<Record<string, (time: CivilTime) => Field>> = {
  a: (time) => dayName(time).slice(0, 3),
  A: dayName,
  b: (time) => monthName(time).slice(0, 3),
  B: monthName,
  c: (time) => formatTime(time, '%a %b %e %H:%M:%S %Y'),
  C: (time) => padded(Math.floor(time.year / 100), 2),
  d: (time) => padded(time.day, 2),
  D: (time) => formatTime(time, '%m/%d/%y'),
  e: (time) => padded(time.day, 2, ' '),
  f: (time) => padded(time.microsecond, 6),
  F: (time) => formatTime(time, '%Y-%m-%d'),
  g: (time) => padded(isoWeek(time).year % 100, 2),
  G: (time) => padded(isoWeek(time).year, 1),
  h: (time) => monthName(time).slice(0, 3),
  H: (time) => padded(time.hour, 2),
  I: (time) => padded(hour12(time), 2),
  j: (time) => padded(dayOfYear(time), 3),
  k: (time) => padded(time.hour, 2, ' '),
  l: (time) => padded(hour12(time), 2, ' '),
  m: (time) => padded(time.month, 2),
  M: (time) => padded(time.minute, 2),
  n: () => '\n',
  p: (time) => (time.hour < 12 ? 'AM' : 'PM'),
  P: (time) => (time.hour < 12 ? 'am' : 'pm'),
  r: (time) => formatTime(time, '%I:%M:%S %p'),
  R: (time) => formatTime(time, '%H:%M'),
  s: (time) => padded(epochSeconds(time), 1),
  S: (time) => padded(time.second, 2),
  t: () => '\t',
  T: (time) => formatTime(time, '%H:%M:%S'),
  u: (time) => padded(weekday(time) || 7, 1),
  U: (time) => padded(Math.floor((dayOfYear(time) + 6 - weekday(time)) / 7), 2),
  V: (time) => padded(isoWeek(time).week, 2),
  w: (time) => padded(weekday(time), 1),
  W: (time) => padded(Math.floor((dayOfYear(time) + 6 - ((weekday(time) + 6) % 7)) / 7), 2),
  x: (time) => formatTime(time, '%m/%d/%y'),
  X: (time) => formatTime(time, '%H:%M:%S'),
  y: (time) => padded(time.year % 100, 2),
  Y: (time) => padded(time.year, 1),
  // A time without a zone has neither an offset nor a name of one.
  z: () => '',
  Z: () => '',
  '%': () => '%',
};

/** Letters that stand for nothing are left as they are. */
export function formatTime(time: CivilTime, format: string): string {
  return format.replace(/%([-_0^#]?)([a-zA-Z%])/g, (whole, flag: string, letter: string) => {
    const field = FIELDS[letter]?.(time);
    // Python itself writes the microseconds, and knows no flags.
    if (field === undefined || (letter === 'f' && flag !== '')) return whole;
    if (typeof field === 'string') return flag === '^' ? field.toUpperCase() : field;
    const digits = `${field.number}`;
    if (flag === '-') return digits;
    return digits.padStart(field.width, flag === '_' ? ' ' : flag === '0' ? '0' : field.pad);
  });
}

function dayName(time: CivilTime): string {
  return DAYS[weekday(time)] ?? '';
}

function monthName(time: CivilTime): string {
  return MONTHS[time.month - 1] ?? '';
}

function hour12(time: CivilTime): number {
  return time.hour % 12 || 12;
}

function epochSeconds({ year, month, day, hour, minute, second }: CivilTime): number {
  return daysSinceEpoch(year, month, day) * DAY_SECONDS + hour * 3600 + minute * 60 + second;
}

/** A week belongs to the year that its Thursday is in. */
function isoWeek(time: CivilTime): { year: number; week: number } {
  const week = Math.floor((dayOfYear(time) - (weekday(time) || 7) + 10) / 7);
  if (week < 1) return { year: time.year - 1, week: weeksIn(time.year - 1) };
  if (week > weeksIn(time.year)) return { year: time.year + 1, week: 1 };
  return { year: time.year, week };
}

function weeksIn(year: number): number {
  const firstDay = (((daysSinceEpoch(year, 1, 1) + 4) % 7) + 7) % 7;
  const isLeap = daysSinceEpoch(year + 1, 1, 1) - daysSinceEpoch(year, 1, 1) === 366;
  return firstDay === 4 || (isLeap && firstDay === 3) ? 53 : 52;
}
