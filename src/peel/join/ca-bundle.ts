/**
 * These functions read certificates of CAs that a machine is given or shown, and say which of them are roots and what their pins
 * are: SHA-256 over the SubjectPublicKeyInfo, as `zester ca fingerprint` prints it. Node reads the certificates; a peel holds no
 * X.509 code of its own. What cannot be read is left out, so a bundle of nonsense has no roots.
 */
import { createHash, X509Certificate } from 'node:crypto';

export interface RootCertificate {
  readonly pem: string;
  readonly pin: string;
}

const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g;
const CERTIFICATES_MAX = 32;

/** Every certificate of a CA in a text, roots or not. */
export function readCas(pem: string): readonly RootCertificate[] {
  return certificatesIn(pem)
    .filter(({ ca }) => ca)
    .map(asRoot);
}

/** Those that signed themselves. */
export function readRoots(pem: string): readonly RootCertificate[] {
  return certificatesIn(pem)
    .filter((certificate) => certificate.ca && isOwnIssuer(certificate))
    .map(asRoot);
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = (pem.match(PEM) ?? []).slice(0, CERTIFICATES_MAX);
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

function isOwnIssuer(certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

function asRoot(certificate: X509Certificate): RootCertificate {
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(key).digest('hex');
  return { pem: certificate.toString(), pin: `sha256:${hash}` };
}
