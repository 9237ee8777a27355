/**
 * These functions read the parts of a CA certificate that issuing needs and node's X509Certificate does not give: its
 * name and key id as the exact bytes that leaves must repeat. Everything else (dates, signature, key) is read by node.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { CertificateLife } from '../../core/certificate-life.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { parseDateText } from '../../runtime/clock.ts';
import { keyIdOf, OID } from './certificate.ts';
import { type DerValue, oid, readValues } from './der.ts';

export interface CaCertificate {
  readonly x509: X509Certificate;
  readonly subject: Uint8Array;
  readonly keyId: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** Position of the name of the holder in a version 3 certificate body: version, serial, algorithm, issuer, validity. */
const SUBJECT_AT = 5;
const EXTENSIONS_TAG = 0xa3;

/** `source` names the file in errors. */
export function readCaCertificate(pem: string, source: string): CaCertificate {
  const x509 = parseX509(pem, source);
  if (!x509.ca) throw invalidCertificate(source, 'it is not the certificate of a CA');
  const body = inside(inside({ content: x509.raw }, 0), 0);
  const fields = readValues(body?.content ?? Buffer.of()) ?? [];
  const subject = fields[SUBJECT_AT];
  if (subject === undefined) throw invalidCertificate(source, 'it is not an X.509 version 3 certificate');
  return {
    x509,
    subject: subject.whole,
    keyId: subjectKeyId(fields) ?? keyIdOf(x509.publicKey),
    notBeforeMs: dateOf(x509.validFrom, source),
    notAfterMs: dateOf(x509.validTo, source),
  };
}

export interface LeafFacts extends CertificateLife {
  /** DNS names and addresses that it is good for. */
  readonly names: readonly string[];
  /** When the certificate ends that follows it in the file, which is its issuer; for ever where none does. */
  readonly issuerEndsMs: number;
}

const NEXT_CERTIFICATE = /(?<=-----END CERTIFICATE-----\s*)(?=-----BEGIN)/;

/** Of the first certificate of a file. */
export function readLeaf(pem: string, source: string): LeafFacts {
  const x509 = parseX509(pem, source);
  const [, issuer] = pem.split(NEXT_CERTIFICATE, 2);
  const entries = (x509.subjectAltName ?? '').split(', ');
  return {
    beginsMs: dateOf(x509.validFrom, source),
    endsMs: dateOf(x509.validTo, source),
    issuerEndsMs:
      issuer === undefined ? Number.POSITIVE_INFINITY : dateOf(parseX509(issuer, source).validTo, source),
    names: entries.flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1] ?? []),
  };
}

/** Whether a private key is the one that a certificate is about. */
export function isPair(certificatePem: string, keyPem: string, source: string): boolean {
  let key: KeyObject;
  try {
    key = createPrivateKey(keyPem);
  } catch (cause) {
    throw invalidCertificate(source, 'what lies beside it as its key cannot be read as a private key', cause);
  }
  return parseX509(certificatePem, source).checkPrivateKey(key);
}

function dateOf(text: string, source: string): number {
  const ms = parseDateText(text);
  if (ms === undefined) throw invalidCertificate(source, `its date ${text} cannot be read`);
  return ms;
}

function parseX509(pem: string, source: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw invalidCertificate(source, 'it cannot be read as a certificate', cause);
  }
}

/** The content of the extension, which is itself an octet string. */
function subjectKeyId(fields: readonly DerValue[]): Uint8Array | undefined {
  const holder = fields.find(({ tag }) => tag === EXTENSIONS_TAG);
  const wanted = Buffer.from(oid(OID.subjectKeyId));
  for (const extension of readValues(inside(holder, 0)?.content ?? Buffer.of()) ?? []) {
    const parts = readValues(extension.content) ?? [];
    if (parts[0] !== undefined && wanted.equals(parts[0].whole)) return inside(parts.at(-1), 0)?.content;
  }
  return undefined;
}

function inside(value: Pick<DerValue, 'content'> | undefined, index: number): DerValue | undefined {
  return value === undefined ? undefined : readValues(value.content)?.[index];
}

export function invalidCertificate(source: string, reason: string, cause?: unknown) {
  return zesterError('TRUST_CERTIFICATE_INVALID', { source, reason }, { cause });
}
