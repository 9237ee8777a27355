/**
 * These keys are what masters derive from a seed that all of them have, each under its own label, so that one tells nothing
 * about another. The message id key is of the control account and never changes; the others are of each generation of the
 * fleet key, of which the first is the control account too.
 *
 *   command key      Ed25519; signs cancels and operator certificates. Its public half is in `secrets/_command_pub`.
 *   message id key   HMAC; makes ids on which masters agree and which no peel can guess (decision 23e): a peel that
 *                    knew the id of a message could publish it first, and the true one would be dropped as a duplicate.
 *   curve key        X25519; `curveKeyOf` in nkeys.ts. It is the seed itself, as in Zester 0.7.
 *
 * The labels are part of the contract: another label is another key.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { assert } from '../core/assert.ts';
import { ED25519_KEY_BYTES, type Ed25519Key, ed25519Key } from './ed25519.ts';
import { rawSeedOf, type SigningKey } from './nkeys.ts';

const COMMAND_KEY_LABEL = 'zester-command-key-v1';
const MESSAGE_ID_LABEL = 'zester-message-id-v1';
const HMAC_KEY_BYTES = 32;

export function commandKeyOf(account: SigningKey): Ed25519Key {
  return ed25519Key(deriveFromAccount(account, COMMAND_KEY_LABEL, ED25519_KEY_BYTES));
}

/** Turns the deterministic id of an event into the message id under which any master would publish it. */
export function messageIdsOf(account: SigningKey): (eventId: string) => string {
  const key = deriveFromAccount(account, MESSAGE_ID_LABEL, HMAC_KEY_BYTES);
  return (eventId) => createHmac('sha256', key).update(eventId).digest('hex');
}

function deriveFromAccount(account: SigningKey, label: string, bytes: number): Uint8Array {
  assert(account.role === 'account', 'masters derive their keys from the account seed');
  return new Uint8Array(hkdfSync('sha256', rawSeedOf(account), Buffer.of(), label, bytes));
}
