/**
 * `rotateOperatorKey` replaces the operator's signing key, which signs account documents, in the auth directory of a master: it makes
 * another one, has the operator JWT name it alone, and signs the account documents and the system user anew. What the documents say
 * stays, revocations included. `zester auth rotate operator-key` calls it while masters and NATS servers are stopped: a
 * nats-server reads the operator JWT at its start only, and one that does not know the key lets nobody in.
 *
 * It needs operator-identity.seed, which belongs in a safe. Deployments from before that file was kept have none, and cannot do this.
 * Files take their names one after the other. If we die in between, doing it again makes a further key, and all files fit again.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Random } from '../runtime/random.ts';
import { type AccountTexts, resignByOperator } from './accounts/accounts.ts';
import {
  type AccountBody,
  type OperatorBody,
  operatorClaims,
  operatorGenerationOf,
} from './accounts/claims.ts';
import { decodeJwt } from './accounts/jwt.ts';
import { systemSigningKeyOf } from './accounts/system-signing-key.ts';
import { signOperator } from './accounts/topology.ts';
import { mintUserOf } from './accounts/trusted-roles.ts';
import { credsPath, loadCreds, loadText } from './auth-dir.ts';
import { AUTH_FILES, type AuthFile } from './auth-files.ts';
import { formatCreds } from './creds.ts';
import { hasSecretFile, writeKeyFiles } from './key-files.ts';
import { newSigningKey, signingKeyFromSeed } from './nkeys.ts';
import { renderTrust } from './server-config.ts';

export interface RotatedOperator {
  readonly generation: number;
  /** Names of the files that were written. */
  readonly files: readonly string[];
}

export function rotateOperatorKey(directory: string, random: Random, nowMs: number): RotatedOperator {
  const identity = loadIdentity(directory);
  const operator = loadText(directory, 'operatorJwt', (text) => decodeJwt<OperatorBody>(text, 'operator'));
  if (operator.sub !== identity.publicKey)
    throw zesterError('TRUST_FILES_DISAGREE', {
      file: AUTH_FILES.operatorIdentitySeed.path,
      other: AUTH_FILES.operatorJwt.path,
      directory,
    });
  const texts = loadDocuments(directory);
  const generation =
    1 + Math.max(operatorGenerationOf(operator.nats), ...Object.values(texts).map(generationOf));
  const operatorSigning = newSigningKey('operator', random);
  const systemSigning = systemSigningKeyOf(operatorSigning);
  const { system_account: system } = operator.nats;
  const operatorJwt = signOperator(
    identity,
    operatorClaims(operatorSigning.publicKey, system, generation),
    nowMs,
  );
  const documents = resignByOperator(texts, { operatorSigning, systemSigning, generation }, nowMs);
  const control = loadText(directory, 'controlSeed', (text) => signingKeyFromSeed(text, 'account'));
  const { key } = loadCreds(credsPath(directory, 'system'));
  const signers = { control, systemSigning, public: { system: { publicKey: system } } };
  const account = (jwt: string) => ({ publicKey: decodeJwt(jwt, 'account').sub, jwt });
  const written: Partial<Record<AuthFile, string>> = {
    operatorSigningSeed: `${operatorSigning.exposeSeed()}\n`,
    controlJwt: `${documents.control}\n`,
    agentsJwt: `${documents.agents}\n`,
    systemJwt: `${documents.system}\n`,
    systemCreds: formatCreds(mintUserOf('system', signers, key.publicKey, nowMs), key),
    preload: renderTrust({
      operatorJwt,
      control: account(documents.control),
      agents: account(documents.agents),
      system: account(documents.system),
    }),
    operatorJwt: `${operatorJwt}\n`,
  };
  const files = (Object.entries(written) as [AuthFile, string][]).map(([file, text]) => ({
    path: AUTH_FILES[file].path,
    mode: AUTH_FILES[file].mode,
    text,
  }));
  writeKeyFiles(directory, files, { force: true });
  return { generation, files: files.map(({ path }) => path) };
}

function loadIdentity(directory: string) {
  const { path } = AUTH_FILES.operatorIdentitySeed;
  if (!hasSecretFile(`${directory}/${path}`))
    throw zesterError('AUTH_NO_OPERATOR_IDENTITY', { file: `${directory}/${path}` });
  return loadText(directory, 'operatorIdentitySeed', (text) => signingKeyFromSeed(text, 'operator'));
}

function loadDocuments(directory: string): AccountTexts {
  const text = (file: AuthFile) =>
    loadText(directory, file, (jwt) => {
      decodeJwt<AccountBody>(jwt, 'account');
      return jwt;
    });
  return { control: text('controlJwt'), agents: text('agentsJwt'), system: text('systemJwt') };
}

function generationOf(jwt: string): number {
  return operatorGenerationOf(decodeJwt<AccountBody>(jwt, 'account').nats);
}
