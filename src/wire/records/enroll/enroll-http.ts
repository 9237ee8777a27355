/**
 * This file has what a machine and the enrollment door of a master say to each other: JSON over HTTPS, keys as in the enrollment
 * record. The machine signs with the seed of its user key, which never leaves it:
 *
 *   signature         over the challenge and the text of its curve key: who asks holds the key, and wants this curve key
 *   trust signature   over the challenge and the pin of the CA that it sees: whoever stands in between cannot change that
 *   creds signature   over the enrollment id
 */
import type { EnrollmentState } from './enrollment.ts';

export interface EnrollNonceAnswer {
  readonly challenge_id: string;
  /** 32 bytes, base64. */
  readonly challenge: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

export interface EnrollRequestBody {
  readonly peel_id: string;
  readonly public_key: string;
  readonly curve_public_key: string;
  readonly hostname: string;
  readonly challenge_id: string;
  /** Base64. */
  readonly signature: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** `sha256:<hex>` over the SubjectPublicKeyInfo of the root that the machine goes by. */
  readonly trusted_ca_spki?: string;
  /** Base64. */
  readonly trust_signature?: string;
  /** Additive. `tok-<KSUID>.<secret>`. */
  readonly token?: string;
}

/** Answer to the request, and to the question how it stands. */
export interface EnrollStatusAnswer {
  readonly id: string;
  readonly peel_id: string;
  readonly state: EnrollmentState;
  /** For people: why it was rejected or revoked; in the answer to a request also why its join token did not count. */
  readonly message?: string;
  /** Additive. The enrollment of the same key that took the place of this one, which says `revoked` then. */
  readonly superseded_by?: string;
}

export interface EnrollCredsAnswer {
  readonly peel_id: string;
  /** The user JWT, base64. */
  readonly creds_data: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

/** What a machine must know before it can connect. Its identity is everything but `issued_at`. */
export interface EnrollBootstrap {
  readonly v: 1;
  /** Root and intermediate. */
  readonly ca_bundle_pem: string;
  /** `sha256:<hex>` over the SubjectPublicKeyInfo of the root. */
  readonly fingerprint: string;
  readonly nats_urls: readonly string[];
  readonly issued_at: string;
  /** Additive. Public keys by which credentials of peels are good, the newest first; left out where they were never rotated. */
  readonly agents_keys?: readonly string[];
}

export interface EnrollErrorAnswer {
  readonly error: string;
  /** Additive. As in reference/errors.md. */
  readonly code?: string;
}

const utf8 = new TextEncoder();
const TRUST_LABEL = 'zester-enroll-trust-v1\0bind\0';

export function enrollProofBytes(challenge: Uint8Array, curvePublicKey: string): Uint8Array {
  return Buffer.concat([challenge, utf8.encode(curvePublicKey)]);
}

export function enrollTrustBytes(challenge: Uint8Array, spkiPin: string): Uint8Array {
  return Buffer.concat([challenge, utf8.encode(`${TRUST_LABEL}${spkiPin}`)]);
}

export function enrollCredsBytes(enrollmentId: string): Uint8Array {
  return utf8.encode(enrollmentId);
}
