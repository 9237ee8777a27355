/**
 * Makes and reads KSUIDs: 4 bytes of seconds since 2014-05-13T16:53:20Z and 16 random bytes, as 27 characters of base
 * 62. They sort by time as text, need nobody to hand them out, and are safe in subjects, paths and file names.
 */
import { assert } from '../core/assert.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const EPOCH_SECONDS = 1_400_000_000;
const PAYLOAD_BYTES = 16;
const TEXT_CHARS = 27;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);

export function newKsuid(clock: Clock, random: Random): string {
  return encodeKsuid(clock.nowMs(), random.bytes(PAYLOAD_BYTES));
}

export function encodeKsuid(atMs: number, payload: Uint8Array): string {
  assert(payload.length === PAYLOAD_BYTES, 'a KSUID carries 16 bytes');
  // A clock outside what 32 bits can say still gives a valid id: sorting is lost, uniqueness is not.
  const seconds = Math.min(Math.max(Math.floor(atMs / 1000) - EPOCH_SECONDS, 0), 0xffff_ffff);
  let value = BigInt(seconds);
  for (const byte of payload) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < TEXT_CHARS; i++) {
    text = ALPHABET.charAt(Number(value % BASE)) + text;
    value /= BASE;
  }
  return text;
}

/** The moment a KSUID was made, to the second; undefined when the text is not a KSUID. */
export function ksuidTimeMs(text: string): number | undefined {
  if (text.length !== TEXT_CHARS) return undefined;
  let value = 0n;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return undefined;
    value = value * BASE + BigInt(digit);
  }
  const seconds = value >> BigInt(8 * PAYLOAD_BYTES);
  return seconds > 0xffff_ffffn ? undefined : (Number(seconds) + EPOCH_SECONDS) * 1000;
}
