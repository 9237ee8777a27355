/** Hashes bytes by the name of the algorithm: md5, sha1, sha256 and their kin. */
import { createHash, createHmac } from 'node:crypto';

export function digest(algorithm: string, bytes: Uint8Array): Uint8Array {
  return createHash(algorithm).update(bytes).digest();
}

export function hmac(algorithm: string, key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return createHmac(algorithm, key).update(bytes).digest();
}
