/**
 * These functions keep the CA on disk: `<auth_dir>/ca/{root,intermediate}.{crt,key}`. Written once by `zester ca init`;
 * masters and `zester ca issue` read all of it but `root.key`, which may (and should) be moved to a safe place.
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
import { type IssuedLeaf, type IssuingCa, type NewCa, newCa, openCa } from './ca.ts';
import { type CaCertificate, isPair, leafEndsMs, readCaCertificate } from './read-certificate.ts';

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

/** Until when the leaf in a directory is good; undefined when it is not there, or its key is another's (a crash in between). */
export function leafGoodUntilMs(directory: string, name: string): number | undefined {
  const [certificate, key] = [`${directory}/${name}.crt`, `${directory}/${name}.key`];
  if (!hasSecretFile(certificate) || !hasSecretFile(key)) return undefined;
  const pem = readPublicFile(certificate);
  return isPair(pem, readSecretFile(key), certificate) ? leafEndsMs(pem, certificate) : undefined;
}

/** Writes `<name>.crt` (the chain) and `<name>.key` into `directory`. */
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
