/**
 * A wire value is untyped data: arguments, facts, event data, what a state answered. What a Go program puts into an
 * `any` comes out as one of these, and goes back as the same thing, with two losses that JavaScript forces: a float
 * that is a whole number goes back as an integer, and a 64-bit integer that fits a number goes back in its shortest
 * form. Where the exact bytes matter, keep the value encoded (`EncodedValue`).
 */
import type { WireTime } from './time.ts';

export type WireValue =
  | null
  | boolean
  | number
  /** An integer. Written with the 64-bit marker always: Go reads a duration only from that one. */
  | bigint
  | string
  | Uint8Array
  | WireTime
  | readonly WireValue[]
  | WireMap;

/**
 * Decoded maps have no prototype, so `map['constructor']` is what was sent or undefined. The key `__proto__` is
 * refused in both directions: it would be harmless here and a trap in the first copy somebody makes.
 */
export interface WireMap {
  readonly [key: string]: WireValue;
}

export const FORBIDDEN_KEY = '__proto__';

/**
 * One MessagePack value, still encoded, inside a record: `return_data`, `data` of a job event. A master stores and
 * forwards it without looking, and every marker survives. Read it with decodeValue or with the codec of its record.
 */
export type EncodedValue = Uint8Array;

/** "Nothing", encoded. */
export const ENCODED_NIL: EncodedValue = Uint8Array.of(0xc0);

/** Whether a value is a map, as against a list, bytes or a time. */
export function isWireMap(value: WireValue | undefined): value is WireMap {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
