/**
 * These functions keep the CA on disk: `<auth_dir>/ca/{root,intermediate}.{crt,key}`. Written by `zester ca init`, the
 * intermediate again by `zester ca rotate-intermediate`; masters and `zester ca issue` read all of it but `root.key`, which may (and should) be moved to a safe place.
 */
import type { Random } from '../../runtime/random.ts';
import {
  hasSecretFile,
  type KeyWriteOptions,
  PUBLIC_MODE,
  readPublicFile,
  readSecretFile,
  SECRET_MODE,
  writeKeyFiles,
} from '../key-files.ts';
import { type IssuedLeaf, type IssuingCa, type NewCa, newCa, newIntermediate, openCa } from './ca.ts';
import {
  type CaCertificate,
  isPair,
  type LeafFacts,
  readCaCertificate,
  readLeaf,
} from './read-certificate.ts';

const FOLDER = 'ca';

/** `zester ca init`. */
export function initCaDir(
  authDir: string,
  random: Random,
  nowMs: number,
  options: KeyWriteOptions,
): IssuingCa {
  const { root, intermediate }: NewCa = newCa(random, nowMs);
  writeKeyFiles(
    authDir,
    [
      { path: `${FOLDER}/root.key`, mode: SECRET_MODE, text: root.keyPem },
      { path: `${FOLDER}/intermediate.crt`, mode: PUBLIC_MODE, text: intermediate.certificatePem },
      { path: `${FOLDER}/intermediate.key`, mode: SECRET_MODE, text: intermediate.keyPem },
      // Written last: whoever finds it finds the others too.
      { path: `${FOLDER}/root.crt`, mode: PUBLIC_MODE, text: root.certificatePem },
    ],
    options,
  );
  return loadCa(authDir);
}

/** What issues leaves (`zester ca issue`, a master's own certificate). */
export function loadCa(authDir: string): IssuingCa {
  const folder = `${authDir}/${FOLDER}`;
  return openCa(
    {
      rootPem: readPublicFile(`${folder}/root.crt`),
      intermediatePem: readPublicFile(`${folder}/intermediate.crt`),
      intermediateKeyPem: readSecretFile(`${folder}/intermediate.key`),
    },
    folder,
  );
}

/**
 * `zester ca rotate-intermediate`: another intermediate under the same root, for which `root.key` must be there. Leaves of the
 * one before stay good until they end. Dying between the two files leaves a pair that does not fit, which is told, and made anew
 * by the same command.
 */
export function rotateIntermediate(authDir: string, random: Random, nowMs: number): IssuingCa {
  const folder = `${authDir}/${FOLDER}`;
  const files = {
    rootPem: readPublicFile(`${folder}/root.crt`),
    rootKeyPem: readSecretFile(`${folder}/root.key`),
  };
  const { certificatePem, keyPem } = newIntermediate(files, folder, random, nowMs);
  writeKeyFiles(
    authDir,
    [
      { path: `${FOLDER}/intermediate.key`, mode: SECRET_MODE, text: keyPem },
      { path: `${FOLDER}/intermediate.crt`, mode: PUBLIC_MODE, text: certificatePem },
    ],
    { force: true },
  );
  return loadCa(authDir);
}

/** The root as PEM and parsed, without any key (`zester ca print`, `zester ca fingerprint`). */
export function loadRoot(authDir: string): { readonly pem: string; readonly root: CaCertificate } {
  const path = rootPath(authDir);
  const pem = readPublicFile(path);
  return { pem, root: readCaCertificate(pem, path) };
}

/** The file that clients give as their CA. */
export function rootPath(authDir: string): string {
  return `${authDir}/${FOLDER}/root.crt`;
}

export interface StoredLeaf extends LeafFacts {
  /** False: the key beside it is another's, or missing. What `writeLeaf` leaves when it dies between its two files. */
  readonly hasItsKey: boolean;
}

/** The leaf in a directory; undefined when there is none. */
export function leafIn(directory: string, name: string): StoredLeaf | undefined {
  const [certificate, key] = [`${directory}/${name}.crt`, `${directory}/${name}.key`];
  if (!hasSecretFile(certificate)) return undefined;
  const pem = readPublicFile(certificate);
  const hasItsKey = hasSecretFile(key) && isPair(pem, readSecretFile(key), certificate);
  return { ...readLeaf(pem, certificate), hasItsKey };
}

/**
 * Writes `<name>.crt` (the chain) and `<name>.key` into `directory`. Dying between the two leaves a pair that does not fit, which
 * `leafIn` tells.
 */
export function writeLeaf(directory: string, name: string, leaf: IssuedLeaf, options: KeyWriteOptions): void {
  writeKeyFiles(
    directory,
    [
      { path: `${name}.key`, mode: SECRET_MODE, text: leaf.keyPem },
      { path: `${name}.crt`, mode: PUBLIC_MODE, text: leaf.chainPem },
    ],
    options,
  );
}
