/**
 * The fleet key is what masters seal secrets with: a curve key with a generation number, and two keys derived from the same
 * seed for what must be recognized without being opened (decision 46). Generation 1 is the seed of the control account,
 * so a deployment has one without being asked. All masters have the same ones; nobody else has any.
 *
 * A rotation adds a generation. Whoever opens takes the list of all that are current and picks by the number that every
 * seal names; whoever seals takes the newest. Today the list has one entry.
 *
 * The labels are part of the contract: another label is another key, and everything stored under the old one looks changed.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { assert } from '../core/assert.ts';
import { type CurveKey, curveKeyOf, rawSeedOf, type SigningKey } from './nkeys.ts';

const DIGEST_LABEL = 'zester-master-settings-v1';
const FINGERPRINT_LABEL = 'zester-secrets-fingerprint-v1';
const HMAC_KEY_BYTES = 32;
const LENGTH_BYTES = 8;

export interface FleetKey {
  /** From 1. */
  readonly generation: number;
  readonly curveKey: CurveKey;
  /** Names a content without telling anything about it, to whoever does not have the key. Hexadecimal. */
  digest(content: Uint8Array): string;
  /** The same for the same secrets of the same pair of keys, and only for those. Hexadecimal. */
  fingerprint(recipient: string, secrets: ReadonlyMap<string, string>): string;
}

/** Generation 1 has the seed of the control account. */
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
