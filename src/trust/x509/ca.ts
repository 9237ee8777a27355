/**
 * This is the embedded certificate authority: a root (10 years), an intermediate under it (5 years, may sign leaves
 * only), and leaves for NATS servers and masters. Everybody trusts the root alone; servers send leaf and intermediate.
 * The root's key is used once and can be moved offline; what issues leaves is the intermediate.
 *
 * Pure: keys and serials come from `random`, dates from `nowMs`. `ca-dir.ts` puts the result on disk.
 */
import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { assert } from '../../core/assert.ts';
import type { CertificateLife } from '../../core/certificate-life.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import type { Random } from '../../runtime/random.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import { buildCertificate, commonName, type Issuer, keyIdOf, newSerial, toPem } from './certificate.ts';
import { newP256Key, publicKeyInfo } from './p256-key.ts';
import { type CaCertificate, invalidCertificate, readCaCertificate } from './read-certificate.ts';
import { parseSubjectName } from './subject-names.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_MS = 365 * DAY_MS;
const ROOT_VALID_MS = 10 * YEAR_MS;
const INTERMEDIATE_VALID_MS = 5 * YEAR_MS;
/** Machines whose clock is behind must not refuse a fresh certificate. */
const CLOCK_SLACK_MS = DAY_MS;
const NAMES_MAX = 100;
/** By X.520. The common name is for people; TLS compares the list of names. */
const COMMON_NAME_CHARS_MAX = 64;

export interface KeyAndCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

export interface NewCa {
  readonly root: KeyAndCertificate;
  readonly intermediate: KeyAndCertificate;
}

export function newCa(random: Random, nowMs: number): NewCa {
  const notBeforeMs = nowMs - CLOCK_SLACK_MS;
  const rootKey = newP256Key(random);
  const root: Issuer = caName('Zester Root CA', rootKey);
  const rootDer = buildCertificate(
    {
      profile: { kind: 'root' },
      serial: newSerial(random),
      subject: root.subject,
      publicKey: rootKey,
      notBeforeMs,
      notAfterMs: nowMs + ROOT_VALID_MS,
    },
    root,
  );
  return {
    root: { certificatePem: toPem(rootDer), keyPem: keyToPem(rootKey) },
    intermediate: intermediateUnder(root, { notBeforeMs, notAfterMs: nowMs + INTERMEDIATE_VALID_MS }, random),
  };
}

/**
 * Another intermediate under the same root. Everybody trusts the root, and servers send the intermediate along: nobody but the
 * issuer notices. It never outlives the root. Throws TRUST_CERTIFICATE_INVALID when the key is not that of the root.
 */
export function newIntermediate(
  files: { readonly rootPem: string; readonly rootKeyPem: string },
  where: string,
  random: Random,
  nowMs: number,
): KeyAndCertificate {
  const root = readCaCertificate(files.rootPem, `${where}/root.crt`);
  const privateKey = parsePrivateKey(files.rootKeyPem, `${where}/root.key`);
  if (!root.x509.checkPrivateKey(privateKey))
    throw invalidCertificate(`${where}/root.key`, 'it is not the key of root.crt beside it');
  if (nowMs >= root.notAfterMs)
    throw zesterError('TRUST_CA_EXPIRED', { ended: formatRfc3339(nanosFromMs(root.notAfterMs)) });
  const issuer = { subject: root.subject, keyId: root.keyId, privateKey };
  const life = {
    notBeforeMs: Math.max(nowMs - CLOCK_SLACK_MS, root.notBeforeMs),
    notAfterMs: Math.min(nowMs + INTERMEDIATE_VALID_MS, root.notAfterMs),
  };
  return intermediateUnder(issuer, life, random);
}

function intermediateUnder(
  root: Issuer,
  life: { readonly notBeforeMs: number; readonly notAfterMs: number },
  random: Random,
): KeyAndCertificate {
  const key = newP256Key(random);
  const der = buildCertificate(
    {
      profile: { kind: 'intermediate' },
      serial: newSerial(random),
      subject: caName('Zester Intermediate CA', key).subject,
      publicKey: key,
      ...life,
    },
    root,
  );
  return { certificatePem: toPem(der), keyPem: keyToPem(key) };
}

/** What issues leaves: the intermediate with its key. */
export interface IssuingCa {
  readonly root: CaCertificate;
  readonly intermediate: CaCertificate;
  readonly intermediatePem: string;
  readonly intermediateKey: KeyObject;
}

export interface CaFiles {
  readonly rootPem: string;
  readonly intermediatePem: string;
  readonly intermediateKeyPem: string;
}

/** Checks that the three belong together; `where` names the directory in errors. */
export function openCa(files: CaFiles, where: string): IssuingCa {
  const root = readCaCertificate(files.rootPem, `${where}/root.crt`);
  const intermediate = readCaCertificate(files.intermediatePem, `${where}/intermediate.crt`);
  const keySource = `${where}/intermediate.key`;
  const intermediateKey = parsePrivateKey(files.intermediateKeyPem, keySource);
  if (!intermediate.x509.checkIssued(root.x509) || !intermediate.x509.verify(root.x509.publicKey))
    throw invalidCertificate(`${where}/intermediate.crt`, 'it was not signed by root.crt beside it');
  if (!intermediate.x509.checkPrivateKey(intermediateKey))
    throw invalidCertificate(keySource, 'it is not the key of intermediate.crt beside it');
  return { root, intermediate, intermediatePem: files.intermediatePem, intermediateKey };
}

export interface LeafRequest {
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  readonly validMs: number;
}

export interface IssuedLeaf {
  /** The leaf and the intermediate, in the order in which a TLS server sends them. */
  readonly chainPem: string;
  readonly keyPem: string;
  readonly notAfterMs: number;
}

/** A key and certificate for a TLS server or client. It never outlives the intermediate. */
export function issueLeaf(ca: IssuingCa, request: LeafRequest, random: Random, nowMs: number): IssuedLeaf {
  const { intermediate } = ca;
  assert(request.validMs > 0, 'a certificate is valid for some time');
  if (request.names.length === 0 || request.names.length > NAMES_MAX)
    throw zesterError('TRUST_CERTIFICATE_NAMES', { count: request.names.length, max: NAMES_MAX });
  if (nowMs >= intermediate.notAfterMs)
    throw zesterError('TRUST_CA_EXPIRED', { ended: formatRfc3339(nanosFromMs(intermediate.notAfterMs)) });
  const key = newP256Key(random);
  const notAfterMs = Math.min(nowMs + request.validMs, intermediate.notAfterMs);
  const leaf = buildCertificate(
    {
      profile: { kind: 'leaf', names: request.names.map(parseSubjectName) },
      serial: newSerial(random),
      subject: commonName(request.names.find((name) => name.length <= COMMON_NAME_CHARS_MAX) ?? 'zester'),
      publicKey: key,
      notBeforeMs: Math.max(nowMs - CLOCK_SLACK_MS, intermediate.notBeforeMs),
      notAfterMs,
    },
    { subject: intermediate.subject, keyId: intermediate.keyId, privateKey: ca.intermediateKey },
  );
  return { chainPem: toPem(leaf) + ca.intermediatePem, keyPem: keyToPem(key), notAfterMs };
}

/**
 * How long a leaf was asked for, by its own dates: it begins `CLOCK_SLACK_MS` early, and a renewal that took that for part of its life would
 * make it longer each time. Undefined: it ends with the intermediate that issued it, so that nobody knows.
 */
export function validityAsked(
  { beginsMs, endsMs }: CertificateLife,
  issuerEndsMs: number,
): number | undefined {
  if (endsMs >= issuerEndsMs) return undefined;
  const lifeMs = endsMs - beginsMs;
  // One that somebody else issued may be shorter.
  return lifeMs > CLOCK_SLACK_MS ? lifeMs - CLOCK_SLACK_MS : lifeMs;
}

/** What a peel pins at enrollment: `sha256:` and the hash of the root's public key. Survives a renewed root. */
export function spkiPin(certificate: CaCertificate): string {
  const hash = createHash('sha256').update(publicKeyInfo(certificate.x509.publicKey));
  return `sha256:${hash.digest('hex')}`;
}

/** The name carries part of the key id, so that CAs made one after the other cannot be mistaken for one another. */
function caName(title: string, key: KeyObject): Issuer {
  const keyId = keyIdOf(key);
  const mark = Buffer.from(keyId).toString('hex').slice(0, 8);
  return { subject: commonName(`${title} ${mark}`), keyId, privateKey: key };
}

function keyToPem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function parsePrivateKey(pem: string, source: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw invalidCertificate(source, 'it cannot be read as a private key', cause);
  }
}
