/** `percentEncode` is Python's `urllib.parse.quote`, for `urlencode`. */

import { str } from '../values/print.ts';
import { Bytes } from '../values/text/bytes.ts';
import type { Value } from '../values/value.ts';
import { encodeUtf8 } from './utf8.ts';

/** In a query also the slash is encoded, and a space is a plus. */
export function percentEncode(value: Value, place: 'path' | 'query'): string {
  const encoded = value instanceof Bytes ? encodeBytes(value.bytes) : encodeTextPart(str(value));
  return place === 'path' ? encoded.replaceAll('%2F', '/') : encoded.replaceAll('%20', '+');
}

/** JavaScript leaves five characters more than Python does. */
function encodeTextPart(text: string): string {
  if (/^[A-Za-z0-9_.~-]*$/.test(text)) return text;
  // Raises Python's error for what has no bytes, where JavaScript would raise one of its own.
  if (/[\ud800-\udfff]/.test(text)) encodeUtf8(text);
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => hexByte(character.charCodeAt(0)));
}

function encodeBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9_.~-]/.test(character) ? character : hexByte(byte);
  }).join('');
}

function hexByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
