/**
 * `CertificateVerdicts` is an LRU cache of which certificates a command key has signed and which it has not. An
 * operator's certificate comes with every cancel and every direct request, the same each time, and whoever has heard
 * one can send it a thousand times a second. Whether it has expired is not remembered: that changes.
 *
 * A verdict is about one key, one certificate and one signature, all of which are in its name: a rotated key asks anew.
 * Bound: `CERTIFICATES_MAX`; the one not asked for longest makes room, and is checked again when it comes back.
 */
import { LruMap } from '../core/lru-map.ts';
import { encodeBase64url } from '../wire/msgpack/base64url.ts';
import { verifyEd25519 } from './ed25519.ts';

export const CERTIFICATES_MAX = 256;

export class CertificateVerdicts {
  private readonly verdicts = new LruMap<string, boolean>(CERTIFICATES_MAX);
  private readonly verify: typeof verifyEd25519;

  constructor(verify = verifyEd25519) {
    this.verify = verify;
  }

  isSigned(commandKey: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
    const name = [commandKey, signature, data].map(encodeBase64url).join('.');
    return this.verdicts.getOrMake(name, () => this.verify(commandKey, data, signature));
  }
}
