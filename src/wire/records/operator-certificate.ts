/**
 * An operator certificate says that a public key belongs to an operator. The command key signs it (`zester auth init`
 * for the first admin), the operator's CLI sends it along in each proof, a peel checks it against
 * `secrets/_command_pub`.
 *
 * The signature covers the encoded fields. Encoding is deterministic, so a certificate whose bytes were arranged
 * differently does not verify; there is nothing else to check.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { bytesOf, integer, optionalTime, textUpTo, time } from '../msgpack/field-types.ts';
import type { UnixNanos } from '../msgpack/time.ts';
import { joined } from './proof-bytes.ts';

const ED25519_PUBLIC_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;
export const OPERATOR_NAME_BYTES_MAX = 128;

/** What is certified. */
export interface OperatorIdentity {
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly issued: UnixNanos;
  readonly expires: UnixNanos | undefined;
}

export interface OperatorCertificate extends OperatorIdentity {
  readonly signature: Uint8Array;
  /** Of the fleet key whose command key signed it; 0 is the first. A hint: a wrong one only makes it fit no key. */
  readonly generation: number;
}

const identityFields = {
  name: {
    key: 'name',
    type: textUpTo('name', OPERATOR_NAME_BYTES_MAX),
    doc: 'The operator, for logs and audit.',
  },
  publicKey: {
    key: 'public_key',
    type: bytesOf(ED25519_PUBLIC_KEY_BYTES),
    doc: 'Ed25519 key of the operator.',
  },
  issued: { key: 'issued', type: time, doc: 'When it was certified.' },
  expires: { key: 'expires', type: optionalTime, omitEmpty: true, doc: 'Until when; absent for no end.' },
};

const operatorIdentityCodec: RecordCodec<OperatorIdentity> = record<OperatorIdentity>(
  'OperatorIdentity',
  'What an operator certificate certifies.',
  identityFields,
);

export const operatorCertificateCodec: RecordCodec<OperatorCertificate> = record<OperatorCertificate>(
  'OperatorCertificate',
  'Additive. A public key belongs to an operator; signed by the command key.',
  {
    ...identityFields,
    signature: {
      key: 'signature',
      type: bytesOf(ED25519_SIGNATURE_BYTES),
      doc: 'By the command key, over `zester-operator-v1`, a zero byte and the encoded fields above.',
    },
    generation: {
      key: 'generation',
      type: integer,
      omitEmpty: true,
      doc: 'Which generation of the fleet key signed it; absent for the first. Not covered by the signature.',
    },
  },
);

/** What the command key signs. */
export function operatorCertificateBytes(identity: OperatorIdentity): Uint8Array {
  return joined('zester-operator-v1\0', operatorIdentityCodec.encode(identity));
}
