/**
 * These functions make ECDSA P-256 keys from injected randomness (node:crypto's own generator cannot be seeded, and a
 * simulated fleet must have the same keys every time). The signatures themselves use OpenSSL's randomness.
 */
import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { assert } from '../../core/assert.ts';
import type { Random } from '../../runtime/random.ts';

const SCALAR_BYTES = 32;
/** A draw is out of range once in 2³² times; eight in a row mean that the randomness is broken. */
const DRAWS_MAX = 8;

export function newP256Key(random: Random): KeyObject {
  for (let draw = 0; draw < DRAWS_MAX; draw++) {
    const key = p256Key(random.bytes(SCALAR_BYTES));
    if (key !== undefined) return key;
  }
  assert(false, 'the randomness gives no valid P-256 key');
}

/** The SubjectPublicKeyInfo of a key, private or public: what certificates carry and pins are made from. */
export function publicKeyInfo(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'der', type: 'spki' });
}

/** Undefined when the number is zero or not below the order of the group: rejected, so that keys stay uniform. */
function p256Key(scalar: Uint8Array): KeyObject | undefined {
  const ecdh = createECDH('prime256v1');
  try {
    ecdh.setPrivateKey(scalar);
  } catch {
    return undefined;
  }
  const point = ecdh.getPublicKey();
  const coordinate = (from: number) => point.subarray(from, from + SCALAR_BYTES).toString('base64url');
  return createPrivateKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: Buffer.from(scalar).toString('base64url'),
      x: coordinate(1),
      y: coordinate(1 + SCALAR_BYTES),
    },
    format: 'jwk',
  });
}
