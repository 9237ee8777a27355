/**
 * These functions write and read DER, the bytes that certificates are made of: the few types that X.509 needs. Every
 * value is tag, length, content. Writing is total: each function returns a complete value, and they nest. Reading is
 * strict: lengths in their shortest form, nothing beyond the end.
 */
import { assert } from '../../core/assert.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;
const CONTEXT = 0x80;
const CONSTRUCTED = 0x20;

export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return value(TAG.sequence, Buffer.concat(items));
}

/** A set of one: the only kind in a certificate, so that nothing needs sorting. */
export function setOf(item: Uint8Array): Uint8Array {
  return value(TAG.set, item);
}

export function derBoolean(flag: boolean): Uint8Array {
  return value(TAG.boolean, Buffer.of(flag ? 0xff : 0x00));
}

/** A number that is not negative, from its big-endian bytes, whatever zeros they begin with. */
export function derInteger(bigEndian: Uint8Array): Uint8Array {
  const firstUsed = bigEndian.findIndex((byte) => byte !== 0);
  const digits = firstUsed < 0 ? Buffer.of(0) : bigEndian.subarray(firstUsed);
  const negative = ((digits[0] ?? 0) & 0x80) !== 0;
  return value(TAG.integer, negative ? Buffer.concat([Buffer.of(0), digits]) : digits);
}

export function bitString(bytes: Uint8Array): Uint8Array {
  return value(TAG.bitString, Buffer.concat([Buffer.of(0), bytes]));
}

/** Named bits, as key usage has them: bit 0 is the highest; the zeros at the end are left out. */
export function bitFlags(bits: readonly number[]): Uint8Array {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return value(TAG.bitString, Buffer.concat([Buffer.of(7 - (last & 7)), bytes]));
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return value(TAG.octetString, bytes);
}

export function utf8String(text: string): Uint8Array {
  return value(TAG.utf8String, Buffer.from(text));
}

/** An object identifier from its dotted form. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [40 * first + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return value(TAG.oid, Uint8Array.from(bytes));
}

/** A moment to the second. X.509 wants two digits for the year up to 2049 and four from then on. */
export function derTime(atMs: number): Uint8Array {
  const wholeSecond = Math.floor(atMs / 1000) * 1000;
  const digits = formatRfc3339(nanosFromMs(wholeSecond)).replace(/[-:T]/g, '');
  assert(/^\d{14}Z$/.test(digits), 'a certificate can only name the years 0 to 9999');
  const year = Number(digits.slice(0, 4));
  return year >= 1950 && year < 2050
    ? value(TAG.utcTime, Buffer.from(digits.slice(2)))
    : value(TAG.generalizedTime, Buffer.from(digits));
}

/** `[n] EXPLICIT`: a whole value inside. */
export function explicit(n: number, inner: Uint8Array): Uint8Array {
  return value(CONTEXT | CONSTRUCTED | n, inner);
}

/** `[n] IMPLICIT` over a primitive type: its content under another tag. */
export function implicit(n: number, content: Uint8Array): Uint8Array {
  return value(CONTEXT | n, content);
}

function value(tag: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(tag), lengthBytes(content.length), content]);
}

function lengthBytes(length: number): Uint8Array {
  assert(length <= 0xffff, 'no part of a certificate of ours is that long');
  if (length < 0x80) return Buffer.of(length);
  return length <= 0xff ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** Tag, length and content: what a parent holds. */
  readonly whole: Uint8Array;
}

/** The values that follow one another in `bytes`; undefined when they do not end exactly there. */
export function readValues(bytes: Uint8Array): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = readValue(bytes.subarray(at));
    if (next === undefined) return undefined;
    values.push(next);
    at += next.whole.length;
  }
  return values;
}

function readValue(bytes: Uint8Array): DerValue | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const lengthSize = first < 0x80 ? 0 : first & 0x7f;
  // Indefinite lengths (0x80) are not DER; more than two bytes of length is more than a certificate needs.
  if (first === 0x80 || lengthSize > 2) return undefined;
  const start = 2 + lengthSize;
  const digits = bytes.subarray(2, start);
  const length = lengthSize === 0 ? first : digits.reduce((sum, byte) => sum * 256 + byte, 0);
  const shortest = lengthSize === 0 || length > (lengthSize === 1 ? 0x7f : 0xff);
  if (digits.length !== lengthSize || !shortest || bytes.length < start + length) return undefined;
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}
