/**
 * These functions are X25519 on raw 32-byte keys: what two parties that know each other's public key agree on without a
 * message. For the wrapping of keys see ed25519.ts.
 *
 * A public key of small order gives the all-zero secret whatever the private key, that is, one that everybody knows:
 * such a result is refused (RFC 7748, section 6.1).
 */
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { assert } from '../core/assert.ts';

const X25519_KEY_BYTES = 32;

const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

export interface X25519Key {
  /** The 32-byte public half. */
  readonly publicKey: Uint8Array;
  /** The secret shared with the holder of `peer`'s private half; undefined when `peer` is not a usable key. */
  agree(peer: Uint8Array): Uint8Array | undefined;
}

export function x25519Key(privateKey: Uint8Array): X25519Key {
  assert(privateKey.length === X25519_KEY_BYTES, 'an X25519 private key has 32 bytes');
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  return { publicKey: rawPublicKey(key), agree: (peer) => sharedSecret(key, peer) };
}

function sharedSecret(privateKey: KeyObject, peer: Uint8Array): Uint8Array | undefined {
  if (peer.length !== X25519_KEY_BYTES) return undefined;
  const x = Buffer.from(peer).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  try {
    const secret = diffieHellman({ privateKey, publicKey });
    return secret.every((byte) => byte === 0) ? undefined : secret;
  } catch {
    // OpenSSL 3 refuses the all-zero secret itself, by throwing; there is no other way for this call to fail.
    return undefined;
  }
}

function rawPublicKey(privateKey: KeyObject): Uint8Array {
  return Uint8Array.from(Buffer.from(privateKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
}
