/**
 * Sealed boxes carry secrets from one curve key to another in the form of nkeys: `xkv1`, a nonce of 24 random bytes, and a
 * NaCl box (XSalsa20-Poly1305); as text `ENC[nkey,<base64>]`. Only the two of them can open one, and either could have
 * made it: a peel that opens a box knows that a master, or itself, wrote it.
 *
 * node:crypto has X25519 but no XSalsa20, which is tweetnacl's here. The costly agreement on a key is done once for each
 * pair (`boxKey`), so that a master can seal for a whole fleet.
 */
import nacl from 'tweetnacl';
import type { Random } from '../runtime/random.ts';
import type { CurveKey } from './nkeys.ts';

const VERSION = Buffer.from('xkv1');
const NONCE_BYTES = nacl.secretbox.nonceLength;
const TEXT_FORM = /^ENC\[nkey,([A-Za-z0-9+/]+={0,2})\]$/;
/** The constant of Salsa20, and the empty nonce with which a box key is derived. */
const SIGMA = Buffer.from('expand 32-byte k');
const EMPTY_NONCE = new Uint8Array(16);

/** In tweetnacl, and not in its types. */
const { crypto_core_hsalsa20: hsalsa20 } = (
  nacl as unknown as {
    readonly lowlevel: {
      crypto_core_hsalsa20(out: Uint8Array, nonce: Uint8Array, key: Uint8Array, sigma: Uint8Array): void;
    };
  }
).lowlevel;

/** What two curve keys agree on. */
export interface BoxKey {
  seal(plain: Uint8Array, random: Random): string;
  /** Undefined when the text is no box of these two keys, or was changed. */
  open(text: string): Uint8Array | undefined;
  /** The same as bytes: what `ENC[nkey,…]` has in base64. */
  sealBytes(plain: Uint8Array, random: Random): Uint8Array;
  openBytes(box: Uint8Array): Uint8Array | undefined;
}

/** Undefined when `peer` is not a usable public curve key. */
export function boxKey(own: CurveKey, peer: string): BoxKey | undefined {
  const shared = own.agree(peer);
  if (shared === undefined) return undefined;
  const key = new Uint8Array(nacl.secretbox.keyLength);
  hsalsa20(key, EMPTY_NONCE, shared, SIGMA);
  const sealBytes = (plain: Uint8Array, random: Random): Uint8Array => {
    const nonce = random.bytes(NONCE_BYTES);
    return Buffer.concat([VERSION, nonce, nacl.secretbox(Uint8Array.from(plain), nonce, key)]);
  };
  const openBytes = (box: Uint8Array): Uint8Array | undefined => {
    const bytes = Buffer.from(box.buffer, box.byteOffset, box.byteLength);
    if (!bytes.subarray(0, VERSION.length).equals(VERSION)) return undefined;
    const nonce = Uint8Array.from(bytes.subarray(VERSION.length, VERSION.length + NONCE_BYTES));
    if (nonce.length !== NONCE_BYTES) return undefined;
    const sealed = Uint8Array.from(bytes.subarray(VERSION.length + NONCE_BYTES));
    return nacl.secretbox.open(sealed, nonce, key) ?? undefined;
  };
  return {
    sealBytes,
    openBytes,
    seal: (plain, random) => `ENC[nkey,${Buffer.from(sealBytes(plain, random)).toString('base64')}]`,
    open(text) {
      const [, base64] = TEXT_FORM.exec(text) ?? [];
      return base64 === undefined ? undefined : openBytes(Buffer.from(base64, 'base64'));
    },
  };
}
