/**
 * Base64url is the form of bytes in headers: the alphabet of RFC 4648 section 5, without padding, one text for each
 * sequence of bytes.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const DIGITS: ReadonlyMap<string, number> = new Map([...ALPHABET].map((char, digit) => [char, digit]));

export function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 6) {
      bits -= 6;
      text += ALPHABET.charAt((held >> bits) & 0x3f);
    }
  }
  return bits === 0 ? text : text + ALPHABET.charAt((held << (6 - bits)) & 0x3f);
}

/** Undefined for what the encoder would not have written: padding, other characters, left-over bits. */
export function decodeBase64url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const char of text) {
    const digit = DIGITS.get(char);
    if (digit === undefined) return undefined;
    held = ((held << 6) | digit) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  const leftOver = held & ((1 << bits) - 1);
  return bits < 6 && leftOver === 0 ? bytes : undefined;
}
