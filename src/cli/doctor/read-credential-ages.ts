/** `readCredentialAges` tells which grants the credentials in an auth directory were made from. */
import { join } from 'node:path';
import type { CredentialsFacts, CredentialsFile } from '../../core/doctor/credentials-age.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { grantsVersionOf } from '../../trust/accounts/claims.ts';
import { CREDS_ROLES } from '../../trust/accounts/trusted-roles.ts';
import { credsPath, loadCreds } from '../../trust/auth-dir.ts';
import { AUTH_FILES } from '../../trust/auth-files.ts';
import { hasSecretFile } from '../../trust/key-files.ts';
import { GRANTS_VERSION } from '../../wire/names/grants.ts';

export function readCredentialAges(authDir: string): CredentialsFacts {
  const paths = CREDS_ROLES.map((role) => credsPath(authDir, role)).filter(hasSecretFile);
  return {
    grantsVersion: GRANTS_VERSION,
    files: paths.map(readOne),
    canRenew: hasSecretFile(join(authDir, AUTH_FILES.controlSeed.path)),
  };
}

function readOne(path: string): CredentialsFile {
  try {
    return { path, grantsVersion: grantsVersionOf(loadCreds(path).claims.nats) };
  } catch (error) {
    if (isZesterError(error)) return { path, problem: error.message };
    throw error;
  }
}
