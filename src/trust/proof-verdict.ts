/**
 * A proof verdict is what checking a proof says: who made it, or why it is refused. The reason is data: it is logged
 * and counted.
 */
export type ProofVerdict =
  | { readonly ok: true; readonly by: ProofMaker }
  | { readonly ok: false; readonly reason: ProofRefusal };

/** A master, or an operator by the name in its certificate. */
export type ProofMaker = 'master' | { readonly operator: string };

export type ProofRefusal =
  | 'no proof'
  /** A signature where an HMAC is needed, or the other way round, or a certificate where it has no place. */
  | 'wrong kind of proof'
  | 'proof does not fit'
  /** No command key that this peel knows has signed the certificate. */
  | 'unknown operator'
  | 'operator certificate expired'
  | 'deadline passed';

export function accepted(by: ProofMaker): ProofVerdict {
  return { ok: true, by };
}

export function refused(reason: ProofRefusal): ProofVerdict {
  return { ok: false, reason };
}
