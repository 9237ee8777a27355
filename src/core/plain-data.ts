/**
 * `plainData` turns values into what JSON can say: bigints as numbers where they fit, else as text; numbers that are
 * none as text; times as text; bytes as `{"base64": "…"}`. What is undefined is left out.
 */
import { WireTime } from '../wire/msgpack/time.ts';

export function plainData(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof WireTime) return value.toJSON();
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(plainData);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, plainData(each)]])),
    );
  }
  return value;
}
