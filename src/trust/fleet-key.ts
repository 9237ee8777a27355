/**
 * The fleet key is what masters seal secrets and prove commands with: a curve key and a command key with a generation number,
 * and two keys derived from the same seed for what must be recognized without being opened (decision 46). Generation 1 is the
 * seed of the control account, so a deployment has one without being asked; each later one has a seed of its own, drawn by
 * the master that begins the rotation. All masters have the same ones; nobody else has any.
 *
 * Whoever opens takes the list of all there ever were and picks by the number that every seal names, because settings files
 * keep sealed values for years; whoever seals takes the newest.
 *
 * The labels are part of the contract: another label is another key, and everything stored under the old one looks changed.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { assert } from '../core/assert.ts';
import { commandKeyOf } from './command-key.ts';
import type { Ed25519Key } from './ed25519.ts';
import { type CurveKey, curveKeyOf, rawSeedOf, type SigningKey } from './nkeys.ts';

const DIGEST_LABEL = 'zester-master-settings-v1';
const FINGERPRINT_LABEL = 'zester-secrets-fingerprint-v1';
const HMAC_KEY_BYTES = 32;
const LENGTH_BYTES = 8;

export interface FleetKey {
  /** From 1. */
  readonly generation: number;
  readonly curveKey: CurveKey;
  /** Signs cancels and certificates of operators. */
  readonly commandKey: Ed25519Key;
  /** Names a content without telling anything about it, to whoever does not have the key. Hexadecimal. */
  digest(content: Uint8Array): string;
  /** The same for the same secrets of the same pair of keys, and only for those. Hexadecimal. */
  fingerprint(recipient: string, secrets: ReadonlyMap<string, string>): string;
}

/** Generation 1 has the seed of the control account, the others one of the same kind that is no account's. */
export function fleetKeyOf(generation: number, account: SigningKey): FleetKey {
  assert(account.role === 'account', 'a fleet key has the seed of an account');
  const curveKey = curveKeyOf(account);
  const seed = rawSeedOf(account);
  const derived = (label: string) =>
    new Uint8Array(hkdfSync('sha256', seed, Buffer.of(), label, HMAC_KEY_BYTES));
  const digestKey = derived(DIGEST_LABEL);
  const fingerprintKey = derived(FINGERPRINT_LABEL);
  return {
    generation,
    curveKey,
    commandKey: commandKeyOf(account),
    digest: (content) => createHmac('sha256', digestKey).update(content).digest('hex'),
    fingerprint(recipient, secrets) {
      const hmac = createHmac('sha256', fingerprintKey);
      const sorted = [...secrets].sort(([a], [b]) => (a < b ? -1 : 1));
      const parts = [curveKey.publicKey, recipient, String(generation), ...sorted.flat()];
      for (const part of parts) hmac.update(lengthFirst(part));
      return hmac.digest('hex');
    },
  };
}

/** With its length before it, so that no two lists of texts are the same bytes. */
function lengthFirst(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64BE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
}
