/**
 * These functions turn text into UTF-8 and back, with what JavaScript has built in: fast also for a text of many
 * megabytes.
 */
import { encodeText } from '../values/text/text-codec.ts';

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function encodeUtf8(text: string): Uint8Array {
  // JavaScript would replace half a character silently; Python's codec raises its error.
  return LONE_SURROGATE.test(text)
    ? encodeText(text, 'utf-8', 'strict').bytes
    : new TextEncoder().encode(text);
}

/** undefined where the bytes are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
