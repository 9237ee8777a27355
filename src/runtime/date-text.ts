/** The moment that a date in words means, such as OpenSSL's `Nov 16 00:00:00 2026 GMT`; undefined when it means none. */
export function parseDateText(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
