import { formatRfc3339, type UnixNanos } from '../wire/msgpack/time.ts';

/** A time in a table, in UTC, to the second: `2026-02-10T14:30:00Z`. */
export function timeText(time: UnixNanos): string {
  return formatRfc3339(time).replace(/\.\d+Z$/, 'Z');
}
