/**
 * These functions write and read base 32 (RFC 4648) without padding, as nkeys have it. Decoding is strict: upper case
 * only, and the bits left over in the last character must be zero, so that one value has exactly one text.
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_PER_CHAR = 5;

export function encodeBase32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= BITS_PER_CHAR) {
      bits -= BITS_PER_CHAR;
      text += ALPHABET.charAt((value >>> bits) & 31);
    }
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (BITS_PER_CHAR - bits)) & 31);
}

/** The bytes, or undefined when the text is not what `encodeBase32` writes. */
export function decodeBase32(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * BITS_PER_CHAR) / 8));
  let length = 0;
  let value = 0;
  let bits = 0;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return undefined;
    value = ((value << BITS_PER_CHAR) | digit) & 0xffff;
    bits += BITS_PER_CHAR;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (value >>> bits) & 0xff;
  }
  const leftOver = value & ((1 << bits) - 1);
  return bits >= BITS_PER_CHAR || leftOver !== 0 ? undefined : bytes;
}
