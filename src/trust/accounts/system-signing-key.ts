/**
 * The system signing key signs the one user of account SYS, through whom masters push account documents. Masters derive it
 * from the operator's signing key, which all of them have: so a deployment that was made before there was such a key gets
 * the same one on every master, and no file has to be carried around. Whoever has the operator's signing key could name any
 * other key in the document of SYS, so this one gives nobody more than they had.
 *
 * The label is part of the contract: another label is another key, and system users signed by the old one are shut out.
 */
import { hkdfSync } from 'node:crypto';
import { assert } from '../../core/assert.ts';
import { rawSeedOf, type SigningKey, signingKeyFromRaw } from '../nkeys.ts';

const LABEL = 'zester-system-signing-v1';
const SEED_BYTES = 32;

export function systemSigningKeyOf(operatorSigning: SigningKey): SigningKey {
  assert(operatorSigning.role === 'operator', 'the system signing key comes from that of the operator');
  const raw = hkdfSync('sha256', rawSeedOf(operatorSigning), Buffer.of(), LABEL, SEED_BYTES);
  return signingKeyFromRaw('account', new Uint8Array(raw));
}
