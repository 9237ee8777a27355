/** `decodeUtf8Point` reads one code point of UTF-8 as the standard says: the shortest form only, no surrogates. */

/** One code point, or the reason why these bytes are none. */
export type DecodedPoint =
  | { readonly code: number; readonly length: number }
  | { readonly problem: string; readonly length: number };

export function decodeUtf8Point(bytes: Uint8Array, at: number): DecodedPoint {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { code: first, length: 1 };
  const size = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (size === 0) return { problem: 'invalid start byte', length: 1 };
  let code = first & (0xff >> (size + 1));
  for (let i = 1; i < size; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return { problem: 'unexpected end of data', length: i };
    if (!mayFollow(first, i, byte)) return { problem: 'invalid continuation byte', length: i };
    code = (code << 6) | (byte & 0x3f);
  }
  return { code, length: size };
}

/** The second byte is bounded further: this is where overlong forms, surrogates and numbers too large are refused. */
function mayFollow(first: number, index: number, byte: number): boolean {
  if (byte < 0x80 || byte > 0xbf) return false;
  if (index > 1) return true;
  if (first === 0xe0) return byte >= 0xa0;
  if (first === 0xed) return byte <= 0x9f;
  if (first === 0xf0) return byte >= 0x90;
  return first !== 0xf4 || byte <= 0x8f;
}
