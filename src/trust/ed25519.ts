/**
 * These functions are Ed25519 on raw 32-byte keys.
 *
 * Keys of small order are refused on both sides: with one of them as public key, a signature can be made that fits
 * almost any message (the equation loses the message), and OpenSSL does not look for them.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { assert } from '../core/assert.ts';

export const ED25519_KEY_BYTES = 32;
const ED25519_SIGNATURE_BYTES = 64;

const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A private key that cannot be printed by accident: nothing of it is a plain property. */
export interface Ed25519Key {
  /** The 32-byte public half. */
  readonly publicKey: Uint8Array;
  sign(data: Uint8Array): Uint8Array;
}

/** The key whose RFC 8032 private half is these 32 bytes. */
export function ed25519Key(privateKey: Uint8Array): Ed25519Key {
  assert(privateKey.length === ED25519_KEY_BYTES, 'an Ed25519 private key has 32 bytes');
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  return { publicKey: rawPublicKey(key), sign: (data) => Uint8Array.from(sign(null, data, key)) };
}

/** Whether `signature` was made over `data` by the holder of `publicKey`. Never throws: whatever is odd is "no". */
export function verifyEd25519(publicKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (!isUsableEd25519PublicKey(publicKey)) return false;
  if (signature.length !== ED25519_SIGNATURE_BYTES) return false;
  try {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, data, key, signature);
  } catch {
    // Not a point of the curve: OpenSSL says so by throwing.
    return false;
  }
}

/** Right length and not of small order. Whether it lies on the curve shows when a signature is checked. */
export function isUsableEd25519PublicKey(publicKey: Uint8Array): boolean {
  return publicKey.length === ED25519_KEY_BYTES && !hasSmallOrder(publicKey);
}

/**
 * The y coordinates of the eight points of small order, with their non-canonical spellings (p and p + 1), little
 * endian. The top bit is the sign of x and is not compared.
 */
const SMALL_ORDER_Y = [
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
];

function hasSmallOrder(publicKey: Uint8Array): boolean {
  const y = Buffer.from(publicKey);
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31);
  return SMALL_ORDER_Y.includes(y.toString('hex'));
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  return Uint8Array.from(Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
}
