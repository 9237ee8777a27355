/** Data for programs: JSON or YAML of plain values, with times and durations as the wire spells them. */
import { WireTime } from '../wire/time.ts';

export type Format = 'text' | 'json' | 'yaml';

export async function formatData(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  const plain = plainData(value);
  if (format === 'json') return `${JSON.stringify(plain, undefined, 2)}\n`;
  // Loaded only when asked for: it would cost every other command its start-up time.
  const { stringify } = await import('yaml');
  return stringify(plain);
}

/** What JSON can say: bigints as numbers where they fit, bytes as base64, times as text. */
export function plainData(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (value instanceof WireTime) return value.toJSON();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plainData);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, plainData(each)]])),
    );
  }
  return value;
}
