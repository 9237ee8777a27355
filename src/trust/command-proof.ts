/**
 * A command proof shows that a command comes from a master (decision 23f). Peels can forge messages to one another,
 * because the server does not check reply subjects; what they cannot do is compute this.
 *
 * Master and peel agree on a secret by X25519, the master with the account's curve key and the peel's public key, the
 * peel the other way round. The proof is an HMAC under a key derived from it, over the peel's id and the payload bytes
 * exactly as they travel. Only the two of them can make it: a peel can fool itself, and nobody else.
 *
 * A proof does not expire and may be seen twice: the exec epoch, the dedup record and the request's own deadline take
 * care of repeats. Both public keys go into the key, so a proof can belong to one pair of keys only.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { PeelId } from '../wire/names/ids.ts';
import { commandProofBytes } from '../wire/records/proof-bytes.ts';
import { HMAC_BYTES, type Proof } from '../wire/records/proof-header.ts';
import { type CurveKey, decodePublicKey } from './nkeys.ts';
import { accepted, type ProofVerdict, refused } from './proof-verdict.ts';

const KEY_LABEL = 'zester-cmd-key-v1\0';

/** The HMAC key of one account and one peel. Costs an X25519; worth keeping for as long as both keys stay. */
export type ProofKey = KeyObject;

/** The master's side. Undefined when the peel's curve key is not a usable one: it cannot be sent commands. */
export function proofKeyForPeel(account: CurveKey, peelPublicKey: string): ProofKey | undefined {
  return proofKey(account.agree(peelPublicKey), account.publicKey, peelPublicKey);
}

/** The peel's side. Undefined when the account's curve key is not a usable one: then nothing can be verified. */
export function proofKeyForMaster(peel: CurveKey, accountPublicKey: string): ProofKey | undefined {
  return proofKey(peel.agree(accountPublicKey), accountPublicKey, peel.publicKey);
}

export function makeCommandProof(key: ProofKey, peel: PeelId, payload: Uint8Array): Proof {
  return { kind: 'hmac', mac: commandMac(key, peel, payload) };
}

/** `keys`: the current one and, for a while after a rotation, the one before. `payload`: the bytes as received. */
export function verifyCommandProof(
  proof: Proof | undefined,
  keys: readonly ProofKey[],
  peel: PeelId,
  payload: Uint8Array,
): ProofVerdict {
  if (proof === undefined) return refused('no proof');
  if (proof.kind !== 'hmac' || proof.mac.length !== HMAC_BYTES) return refused('wrong kind of proof');
  const fits = keys.some((key) => timingSafeEqual(commandMac(key, peel, payload), proof.mac));
  return fits ? accepted('master') : refused('proof does not fit');
}

function commandMac(key: ProofKey, peel: PeelId, payload: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(commandProofBytes(peel, payload)).digest();
}

function proofKey(secret: Uint8Array | undefined, account: string, peel: string): ProofKey | undefined {
  if (secret === undefined) return undefined;
  const publicKeys = [decodePublicKey(account, 'curve'), decodePublicKey(peel, 'curve')];
  const info = Buffer.concat([Buffer.from(KEY_LABEL), ...publicKeys]);
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, Buffer.of(), info, HMAC_BYTES)));
}
