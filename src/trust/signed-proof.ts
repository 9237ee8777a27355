/**
 * These functions make and check proofs by signature, for messages that are not sent to one peel by a master:
 *
 *   cancel   one message for all peels of a job. Signed by the command key (a master) or by an operator. It says
 *            "stop this job" and nothing else, so seeing it twice or late does no harm and it needs no deadline.
 *   direct   a request of an operator's CLI to one peel, without a master. Signed by the operator over peel, deadline
 *            and payload: nobody can send it to another peel, or to the same one after the deadline.
 *
 * An operator's signature counts only together with a certificate by the command key (operator-key.ts). What a command
 * key may sign itself is cancels alone: masters send no direct requests, so a direct request without a certificate is
 * refused.
 */

import type { UnixNanos } from '../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../wire/names/ids.ts';
import { cancelProofBytes, directProofBytes } from '../wire/records/proof-bytes.ts';
import type { Proof } from '../wire/records/proof-header.ts';
import { type Ed25519Key, verifyEd25519 } from './ed25519.ts';
import { type CertificateTrust, checkOperatorCertificate, type OperatorKey } from './operator-key.ts';
import { accepted, type ProofVerdict, refused } from './proof-verdict.ts';

export interface DirectRequest {
  readonly peel: PeelId;
  readonly deadline: UnixNanos;
  /** The bytes as they travel. */
  readonly payload: Uint8Array;
}

export function signCancelAsMaster(commandKey: Ed25519Key, jid: Jid): Proof {
  return { kind: 'ed25519', signature: commandKey.sign(cancelProofBytes(jid)), certificate: undefined };
}

export function signCancelAsOperator({ sign, certificate }: OperatorKey, jid: Jid): Proof {
  return { kind: 'ed25519', signature: sign(cancelProofBytes(jid)), certificate };
}

export function verifyCancel(proof: Proof | undefined, jid: Jid, trust: CertificateTrust): ProofVerdict {
  const data = cancelProofBytes(jid);
  if (proof?.kind !== 'ed25519' || proof.certificate !== undefined) return verifyOperator(proof, data, trust);
  const { signature } = proof;
  const fits = trust.commandKeys.some((key) => verifyEd25519(key, data, signature));
  return fits ? accepted('master') : refused('proof does not fit');
}

export function signDirect({ sign, certificate }: OperatorKey, request: DirectRequest): Proof {
  return { kind: 'ed25519', signature: sign(bytesOf(request)), certificate };
}

export function verifyDirect(
  proof: Proof | undefined,
  request: DirectRequest,
  trust: CertificateTrust,
): ProofVerdict {
  const verdict = verifyOperator(proof, bytesOf(request), trust);
  // Last, so that only what an operator really sent is reported as late.
  return verdict.ok && trust.now >= request.deadline ? refused('deadline passed') : verdict;
}

function verifyOperator(proof: Proof | undefined, data: Uint8Array, trust: CertificateTrust): ProofVerdict {
  if (proof === undefined) return refused('no proof');
  if (proof.kind !== 'ed25519' || proof.certificate === undefined) return refused('wrong kind of proof');
  const { certificate, signature } = proof;
  const problem = checkOperatorCertificate(certificate, trust);
  if (problem !== undefined) return refused(problem);
  return verifyEd25519(certificate.publicKey, data, signature)
    ? accepted({ operator: certificate.name })
    : refused('proof does not fit');
}

function bytesOf({ peel, deadline, payload }: DirectRequest): Uint8Array {
  return directProofBytes(peel, deadline, payload);
}
