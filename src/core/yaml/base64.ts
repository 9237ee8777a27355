/** Base64 as Python reads and writes it for `!!binary`. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const LINE_LENGTH = 76;

/** Undefined where the padding is wrong; letters that are none of the alphabet are passed over. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const clean = text.replace(/[^A-Za-z0-9+/=]/g, '');
  const body = clean.replace(/=+$/, '');
  const padding = (4 - (body.length % 4)) % 4;
  if (padding === 3 || clean.length - body.length < padding) return undefined;
  const bytes = new Uint8Array(Math.floor((body.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (const letter of body) {
    bits = ((bits << 6) | ALPHABET.indexOf(letter)) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[filled++] = (bits >> held) & 0xff;
  }
  return bytes;
}

/** In lines, each with a line feed; nothing for no bytes. */
export function encodeBase64Lines(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const missing = Math.max(at + 3 - bytes.length, 0);
    const letters = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63];
    text +=
      letters
        .map((letter) => ALPHABET[letter])
        .join('')
        .slice(0, 4 - missing) + '='.repeat(missing);
  }
  return text.replace(new RegExp(`.{1,${LINE_LENGTH}}`, 'g'), '$&\n');
}
