/**
 * These functions seal files so that only the holder of a key can read or make them: AES-256-GCM with a random nonce,
 * so that the same content is different bytes each time. `place` is bound into the seal: a file that was moved or
 * swapped does not open.
 *
 * What it cannot show: that a file was taken away, or that a whole directory was put back to an earlier day.
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Random } from '../runtime/random.ts';

export const SEAL_KEY_BYTES = 32;

/** Format, key id, nonce, ciphertext, tag. */
const FORMAT = 1;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

export type Opened =
  | { readonly plain: Uint8Array }
  /** `other key`: sealed under another key than ours. `damaged`: changed, cut off, moved, or never sealed. */
  | { readonly problem: 'other key' | 'damaged' };

export function sealAtRest(
  key: Uint8Array,
  random: Random,
  { place, plain }: { readonly place: string; readonly plain: Uint8Array },
): Uint8Array {
  const head = Buffer.concat([Buffer.of(FORMAT), keyId(key), random.bytes(NONCE_BYTES)]);
  const cipher = createCipheriv('aes-256-gcm', key, head.subarray(-NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(boundTo(head, place));
  return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export function openAtRest(
  key: Uint8Array,
  { place, sealed }: { readonly place: string; readonly sealed: Uint8Array },
): Opened {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== FORMAT) return { problem: 'damaged' };
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!keyId(key).equals(head.subarray(1, 1 + KEY_ID_BYTES))) return { problem: 'other key' };
  const nonce = head.subarray(-NONCE_BYTES);
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(head, place));
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = cipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES));
  try {
    return { plain: Buffer.concat([plain, cipher.final()]) };
  } catch {
    // The tag does not fit: node:crypto says so by throwing, and this call cannot fail in another way.
    return { problem: 'damaged' };
  }
}

function boundTo(head: Uint8Array, place: string): Buffer {
  return Buffer.concat([head, Buffer.from(place)]);
}

/** Tells keys apart and nothing about them. */
function keyId(key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('key id').digest().subarray(0, KEY_ID_BYTES);
}
