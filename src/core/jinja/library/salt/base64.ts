/** Base64 as Python's `base64` module has it: letters that do not belong are skipped, missing ends are errors. */
import { PythonError } from '../../values/value.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += letter(bits >> 18) + letter(bits >> 12);
    text += b === undefined ? '=' : letter(bits >> 6);
    text += c === undefined ? '=' : letter(bits);
  }
  return text;
}

function letter(bits: number): string {
  return ALPHABET.charAt(bits & 63);
}

export function decodeBase64(text: string): Uint8Array {
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
  throw new PythonError(
    'binascii.Error',
    letters % 4 === 1
      ? `Invalid base64-encoded string: number of data characters (${letters}) cannot be 1 more than a multiple of 4`
      : 'Incorrect padding',
  );
}
