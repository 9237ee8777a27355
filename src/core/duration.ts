/**
 * These functions read and write durations as people write them, Go-style: `90s`, `10m`, `1h30m`, `250ms` (decision
 * 42).
 */
const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const WHOLE = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/;
const PART = /(\d+(?:\.\d+)?)(h|ms|m|s)/g;
const TEXT_CHARS_MAX = 40;

/** Milliseconds; undefined when the text is not such a duration. `0` needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (text.length > TEXT_CHARS_MAX || !WHOLE.test(text)) return undefined;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(PART)) ms += Number(count) * (UNIT_MS[unit ?? ''] ?? 0);
  return Number.isSafeInteger(Math.round(ms)) ? ms : undefined;
}

/** The shortest text that parses back to the same whole milliseconds. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  let left = Math.round(ms);
  let text = '';
  for (const [unit, size] of Object.entries(UNIT_MS)) {
    const count = Math.floor(left / size);
    if (count > 0) text += `${count}${unit}`;
    left -= count * size;
  }
  return text === '' ? '0s' : text;
}
