/**
 * The certificate of the enrollment door comes from the CA in the auth directory: the master issues it to itself for `LEAF_VALID_MS`
 * and again at two thirds of that, or when the directory has another intermediate, without a restart. Or it comes from two
 * files, which are read again every `LOOK_MS`, so that a renewed one is served without a restart too. What cannot be read then
 * is told, and the old one stays.
 */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { zesterError } from '../../../core/errors/zester-error.ts';
import { type Periodic, periodic } from '../../../runtime/periodic.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { readPublicFile, readSecretFile } from '../../../trust/key-files.ts';
import { type IssuingCa, issueLeaf } from '../../../trust/x509/ca.ts';

const DAY_MS = 86_400_000;
const LEAF_VALID_MS = 90 * DAY_MS;
const RENEWED_AT = 2 / 3;
const LOOK_MS = 60_000;
const SPREAD = 0.1;
const PEM_CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Chain and key, in PEM. */
export type DoorPair = Required<Pick<SecureContextOptions, 'cert' | 'key'>> & {
  readonly cert: string;
  readonly key: string;
};

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface DoorCertificate {
  current(): DoorPair;
  /** Calls back with each new one, until it is stopped. */
  keep(changed: (pair: DoorPair) => void): Periodic;
}

/** `currentCa`: what the auth directory has by now (door-ca.ts). */
export function ownCertificate(
  currentCa: () => IssuingCa,
  names: readonly string[],
  { clock, random, log }: Runtime,
): DoorCertificate {
  const issue = (ca: IssuingCa) => {
    const issuedMs = clock.nowMs();
    const { chainPem, keyPem, notAfterMs } = issueLeaf(
      ca,
      { names, validMs: LEAF_VALID_MS },
      random,
      issuedMs,
    );
    const dueMs = issuedMs + (notAfterMs - issuedMs) * RENEWED_AT;
    return { pair: { cert: chainPem, key: keyPem }, dueMs, intermediate: ca.intermediatePem };
  };
  let leaf = issue(currentCa());
  return keeping(
    { clock, random, log },
    () => leaf.pair,
    () => {
      const ca = currentCa();
      const isOfNewest = ca.intermediatePem === leaf.intermediate;
      if (isOfNewest && clock.nowMs() < leaf.dueMs) return;
      leaf = issue(ca);
      log.info('certificate of the enrollment door renewed', {
        intermediate: isOfNewest ? 'same' : 'another',
      });
    },
  );
}

/** Throws ENROLL_CERTIFICATE when they are no pair that TLS can use. */
export function filedCertificate(files: CertificateFiles, runtime: Runtime): DoorCertificate {
  let pair = readPair(files);
  return keeping(
    runtime,
    () => pair,
    () => {
      const read = readPair(files);
      if (read.cert !== pair.cert || read.key !== pair.key) pair = read;
    },
  );
}

/**
 * Whether the chain that a door serves is of this CA: only then machines see the pin of this CA. Its intermediate may be one that
 * was rotated away.
 */
export function isIssuedBy({ cert }: DoorPair, { intermediate, root }: IssuingCa): boolean {
  const isFrom = (made: X509Certificate, maker: X509Certificate) =>
    made.checkIssued(maker) && made.verify(maker.publicKey);
  const [leaf, ...sent] = (cert.match(PEM_CERTIFICATES) ?? []).map((pem) => new X509Certificate(pem));
  if (leaf === undefined) return false;
  const earlier = sent.filter((each) => each.ca && isFrom(each, root.x509));
  return [intermediate.x509, root.x509, ...earlier].some((maker) => isFrom(leaf, maker));
}

function keeping(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  current: () => DoorPair,
  look: () => void,
): DoorCertificate {
  return {
    current,
    keep: (changed) =>
      periodic(
        runtime,
        { what: 'certificate of the enrollment door', everyMs: LOOK_MS, spread: SPREAD },
        () => {
          const before = current();
          look();
          if (current() !== before) changed(current());
        },
      ),
  };
}

function readPair({ certFile, keyFile }: CertificateFiles): DoorPair {
  const pair = { cert: readPublicFile(certFile), key: readSecretFile(keyFile) };
  try {
    createSecureContext(pair);
    if (new X509Certificate(pair.cert).ca)
      throw zesterError('ENROLL_CERTIFICATE', {
        file: certFile,
        reason: 'its first certificate is that of a CA',
      });
    return pair;
  } catch (cause) {
    const reason = 'it is no certificate in PEM with its private key in --enroll-key';
    throw zesterError('ENROLL_CERTIFICATE', { file: certFile, reason }, { cause });
  }
}
