/**
 * The proof header is the value of Zester-Proof: version, algorithm, proof, and for an operator's signature the
 * certificate of its key, joined by dots, bytes as base64url.
 *
 *   v1.hmac.<32 bytes>                          command from a master to one peel
 *   v1.ed25519.<64 bytes>                       cancel, signed by the command key
 *   v1.ed25519.<64 bytes>.<certificate>         cancel or direct request, signed by an operator
 *
 * Which of them a receiver accepts for what is decided in trust/. A value in any other form is undefined.
 */
import { decodeBase64url, encodeBase64url } from '../msgpack/base64url.ts';
import { decoded } from '../msgpack/decoded.ts';
import { WireError } from '../msgpack/wire-error.ts';
import {
  ED25519_SIGNATURE_BYTES,
  type OperatorCertificate,
  operatorCertificateCodec,
} from './operator-certificate.ts';

export const HMAC_BYTES = 32;
export const PROOF_HEADER_CHARS_MAX = 1_024;

export type Proof =
  | { readonly kind: 'hmac'; readonly mac: Uint8Array }
  | {
      readonly kind: 'ed25519';
      readonly signature: Uint8Array;
      readonly certificate: OperatorCertificate | undefined;
    };

const VERSION = 'v1';

export function formatProof(proof: Proof): string {
  if (proof.kind === 'hmac')
    return [VERSION, 'hmac', encodeBase64url(sized(proof.mac, HMAC_BYTES))].join('.');
  const signature = encodeBase64url(sized(proof.signature, ED25519_SIGNATURE_BYTES));
  const parts = [VERSION, 'ed25519', signature];
  if (proof.certificate !== undefined) {
    parts.push(encodeBase64url(operatorCertificateCodec.encode(proof.certificate)));
  }
  return parts.join('.');
}

export function parseProof(text: string): Proof | undefined {
  if (text.length > PROOF_HEADER_CHARS_MAX) return undefined;
  const [version, kind, proofText, certificateText, ...rest] = text.split('.');
  if (version !== VERSION || proofText === undefined || rest.length > 0) return undefined;
  const bytes = decodeBase64url(proofText);
  if (kind === 'hmac') {
    return bytes?.length === HMAC_BYTES && certificateText === undefined ? { kind, mac: bytes } : undefined;
  }
  if (kind !== 'ed25519' || bytes?.length !== ED25519_SIGNATURE_BYTES) return undefined;
  if (certificateText === undefined) return { kind, signature: bytes, certificate: undefined };
  const certificate = parseCertificate(certificateText);
  return certificate === undefined ? undefined : { kind, signature: bytes, certificate };
}

function parseCertificate(text: string): OperatorCertificate | undefined {
  const bytes = decodeBase64url(text);
  if (bytes === undefined) return undefined;
  const certificate = decoded(operatorCertificateCodec, bytes);
  return certificate.isReadable ? certificate.value : undefined;
}

function sized(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw new WireError('Proof', '', `is not ${length} bytes long`);
  return bytes;
}
