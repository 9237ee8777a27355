/**
 * These functions build X.509 v3 certificates over ECDSA P-256 by hand: three profiles (root, intermediate, leaf) and
 * nothing that we do not use. Tests hold them against node's parser, a real TLS 1.3 handshake and openssl.
 *
 * Key ids are the first 160 bits of SHA-256 over the public key (RFC 7093, method 1).
 */
import { createHash, type KeyObject, sign } from 'node:crypto';
import { assert, never } from '../../core/assert.ts';
import type { Random } from '../../runtime/random.ts';
import {
  bitFlags,
  bitString,
  derBoolean,
  derInteger,
  derTime,
  explicit,
  implicit,
  octetString,
  oid,
  readValues,
  sequence,
  setOf,
  utf8String,
} from './der.ts';
import { publicKeyInfo } from './p256-key.ts';
import type { SubjectName } from './subject-names.ts';

/** What a certificate may do. */
export type Profile =
  | { readonly kind: 'root' }
  /** Signs leaves and no further CA. */
  | { readonly kind: 'intermediate' }
  /** A TLS server or client under these names. */
  | { readonly kind: 'leaf'; readonly names: readonly SubjectName[] };

export interface CertificateRequest {
  readonly profile: Profile;
  readonly serial: Uint8Array;
  readonly subject: Uint8Array;
  readonly publicKey: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

export interface Issuer {
  /** Its name as it stands in its own certificate. */
  readonly subject: Uint8Array;
  readonly keyId: Uint8Array;
  readonly privateKey: KeyObject;
}

export const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;
const VERSION_3 = Buffer.of(2);
const SERIAL_BYTES = 16;
const KEY_ID_BYTES = 20;
const USAGE_BIT = { digitalSignature: 0, certSign: 5, crlSign: 6 } as const;
const NAME_TAG = { dns: 2, ip: 7 } as const;

/** The certificate as DER. */
export function buildCertificate(request: CertificateRequest, issuer: Issuer): Uint8Array {
  assert(request.notBeforeMs < request.notAfterMs, 'a certificate begins before it ends');
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const body = sequence(
    explicit(0, derInteger(VERSION_3)),
    derInteger(request.serial),
    algorithm,
    issuer.subject,
    sequence(derTime(request.notBeforeMs), derTime(request.notAfterMs)),
    request.subject,
    publicKeyInfo(request.publicKey),
    explicit(3, sequence(...extensions(request, issuer))),
  );
  return sequence(body, algorithm, bitString(sign('sha256', body, issuer.privateKey)));
}

/** 128 random bits, never zero: nobody can predict the bytes that get signed. */
export function newSerial(random: Random): Uint8Array {
  const serial = Uint8Array.from(random.bytes(SERIAL_BYTES));
  if (serial.every((byte) => byte === 0)) serial[0] = 1;
  return serial;
}

export function commonName(text: string): Uint8Array {
  return sequence(setOf(sequence(oid(OID.commonName), utf8String(text))));
}

export function keyIdOf(key: KeyObject): Uint8Array {
  const [info] = readValues(publicKeyInfo(key)) ?? [];
  const [, bits] = readValues(info?.content ?? Buffer.of()) ?? [];
  assert(bits !== undefined, 'node exports public keys as SubjectPublicKeyInfo');
  // The first byte of a bit string counts unused bits and is not part of the key.
  return createHash('sha256').update(bits.content.subarray(1)).digest().subarray(0, KEY_ID_BYTES);
}

export function toPem(certificate: Uint8Array): string {
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extensions({ profile, publicKey }: CertificateRequest, issuer: Issuer): readonly Uint8Array[] {
  const keyIds = [
    extension(OID.subjectKeyId, octetString(keyIdOf(publicKey))),
    extension(OID.authorityKeyId, sequence(implicit(0, issuer.keyId))),
  ];
  switch (profile.kind) {
    case 'root':
      return [...caExtensions(sequence(derBoolean(true))), ...keyIds];
    case 'intermediate':
      return [...caExtensions(sequence(derBoolean(true), derInteger(Buffer.of(0)))), ...keyIds];
    case 'leaf':
      return [
        criticalExtension(OID.basicConstraints, sequence()),
        criticalExtension(OID.keyUsage, bitFlags([USAGE_BIT.digitalSignature])),
        extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth), oid(OID.clientAuth))),
        extension(OID.subjectAltName, sequence(...profile.names.map(generalName))),
        ...keyIds,
      ];
    default:
      return never(profile);
  }
}

function caExtensions(basicConstraints: Uint8Array): readonly Uint8Array[] {
  return [
    criticalExtension(OID.basicConstraints, basicConstraints),
    criticalExtension(OID.keyUsage, bitFlags([USAGE_BIT.certSign, USAGE_BIT.crlSign])),
  ];
}

function generalName(name: SubjectName): Uint8Array {
  return name.kind === 'dns'
    ? implicit(NAME_TAG.dns, Buffer.from(name.name, 'latin1'))
    : implicit(NAME_TAG.ip, name.address);
}

function extension(id: string, content: Uint8Array): Uint8Array {
  return sequence(oid(id), octetString(content));
}

function criticalExtension(id: string, content: Uint8Array): Uint8Array {
  return sequence(oid(id), derBoolean(true), octetString(content));
}
