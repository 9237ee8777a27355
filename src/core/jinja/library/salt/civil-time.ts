/** These functions compute dates and times of day in UTC by arithmetic: the Gregorian calendar without any clock. */

export interface CivilTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

export const DAY_SECONDS = 86_400;

/** Days since 1970-01-01. Years are counted from March, so that the leap day is the last of a year. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function civilTime(epochMicroseconds: number): CivilTime {
  const seconds = Math.floor(epochMicroseconds / 1e6);
  const days = Math.floor(seconds / DAY_SECONDS);
  const ofDay = seconds - days * DAY_SECONDS;
  return {
    ...civilDate(days),
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor((ofDay % 3600) / 60),
    second: ofDay % 60,
    microsecond: epochMicroseconds - seconds * 1e6,
  };
}

function civilDate(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

export function daysInMonth(year: number, month: number): number {
  const next = month === 12 ? daysSinceEpoch(year + 1, 1, 1) : daysSinceEpoch(year, month + 1, 1);
  return next - daysSinceEpoch(year, month, 1);
}

/** Sunday is 0. */
export function weekday({ year, month, day }: CivilTime): number {
  return (((daysSinceEpoch(year, month, day) + 4) % 7) + 7) % 7;
}

/** From 1. */
export function dayOfYear({ year, month, day }: CivilTime): number {
  return daysSinceEpoch(year, month, day) - daysSinceEpoch(year, 1, 1) + 1;
}
