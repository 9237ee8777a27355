/**
 * These functions write and read base64 as Python does, for templates and for `!!binary` in YAML: characters outside
 * the alphabet are skipped.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** The bytes, or what Python says is wrong. Node's own decoder takes a text whose end is missing. */
export function decodeBase64(text: string): Uint8Array | string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  let letters = 0;
  let padding = 0;
  for (const character of text) {
    if (character === '=') {
      padding += 1;
      if (letters % 4 >= 2 && (letters % 4) + padding >= 4) return Uint8Array.from(bytes);
      continue;
    }
    const value = ALPHABET.indexOf(character);
    if (value < 0) continue;
    padding = 0;
    letters += 1;
    bits = ((bits << 6) | value) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 0xff);
    }
  }
  if (letters % 4 === 0) return Uint8Array.from(bytes);
  return letters % 4 === 1
    ? `Invalid base64-encoded string: number of data characters (${letters}) cannot be 1 more than a multiple of 4`
    : 'Incorrect padding';
}
