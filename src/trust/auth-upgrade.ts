/**
 * These functions bring an auth directory up to the grants of this program: account documents, and the credentials of masters, admins
 * and the system user, for the same user keys. `zester auth upgrade`, `zester up` and starting masters call them.
 *
 * Files take their names one after the other, each whole, documents before the credentials that rest on them. So whoever
 * dies in between leaves a directory that works, and is finished by the next call; a call with nothing to do writes nothing.
 * Two programs at once write the same keys, and either's files are good. What is newer than this program stays.
 *
 * The credentials of the system user are signed by a key that only the new document of SYS names. They are renewed when servers have
 * that document (`systemToo`), because who holds only new ones could not hand it to them.
 *
 * Without servers (`offline`) documents are signed one second after the old ones and not now: a server that has a later
 * one, with revocations that this directory never saw, keeps it.
 */

import { basename } from 'node:path';
import { GRANTS_VERSION } from '../wire/names/grants.ts';
import { type AccountTexts, signingKeysOf, withTheseGrants } from './accounts/accounts.ts';
import { type AccountBody, grantsVersionOf } from './accounts/claims.ts';
import { decodeJwt } from './accounts/jwt.ts';
import { CREDS_ROLES, type CredsRole, mintUserOf, type UserSigners } from './accounts/trusted-roles.ts';
import { credsPath, loadCreds, loadMasterTrust, type MasterTrust } from './auth-dir.ts';
import { AUTH_FILES, type AuthFile } from './auth-files.ts';
import { type Creds, formatCreds } from './creds.ts';
import { hasSecretFile, type KeyFile, readPublicFile, writeKeyFiles } from './key-files.ts';
import { renderTrust } from './server-config.ts';

/** One file that was written anew. */
export interface UpgradedFile {
  readonly path: string;
  /** Which grants it had, and has. */
  readonly from: number;
  readonly to: number;
}

export interface UpgradeOptions {
  readonly nowMs: number;
  /** What servers have, where that is known. Otherwise the documents of the directory are signed anew. */
  readonly documents?: AccountTexts;
  /** Servers have a document of SYS with our signing key. */
  readonly systemToo: boolean;
}

const DOCUMENTS = { control: 'controlJwt', agents: 'agentsJwt', system: 'systemJwt' } as const;

/** Throws TRUST_FILE_UNWRITABLE where it may not write; nothing was changed then. */
export function upgradeAuthDir(directory: string, options: UpgradeOptions): UpgradedFile[] {
  const trust = loadMasterTrust(directory);
  const planned = [
    ...plannedDocuments(directory, trust, options),
    ...plannedCreds(directory, trust, options),
  ];
  if (planned.length === 0) return [];
  writeKeyFiles(
    directory,
    planned.map(({ file }) => file),
    { force: true },
  );
  return planned.map(({ file: { path }, from, to }) => ({ path, from, to }));
}

/** The same user with the grants of this program; undefined when it has them, or newer ones. */
export function renewedCreds(
  role: CredsRole,
  creds: Creds,
  signers: UserSigners,
  nowMs: number,
): string | undefined {
  if (grantsVersionOf(creds.claims.nats) >= GRANTS_VERSION) return undefined;
  return formatCreds(mintUserOf(role, signers, creds.key.publicKey, nowMs), creds.key);
}

/** Names of the credentials in the directory that have older grants than this program. */
export function olderCredentials(directory: string): string[] {
  return CREDS_ROLES.flatMap((role) => {
    const path = credsPath(directory, role);
    if (!hasSecretFile(path)) return [];
    const isOld = grantsVersionOf(loadCreds(path).claims.nats) < GRANTS_VERSION;
    return isOld ? [basename(path)] : [];
  });
}

/** Whether the document of SYS names the key that signs the system user. */
export function namesSystemSigner(
  systemJwt: string,
  { systemSigning }: Pick<MasterTrust, 'systemSigning'>,
): boolean {
  return signingKeysOf(decodeJwt<AccountBody>(systemJwt, 'account').nats).includes(systemSigning.publicKey);
}

interface Planned {
  readonly file: KeyFile;
  readonly from: number;
  readonly to: number;
}

function plannedDocuments(directory: string, trust: MasterTrust, options: UpgradeOptions): Planned[] {
  const { control, agents, system } = trust.public;
  const own = { control: control.jwt, agents: agents.jwt, system: system.jwt };
  const texts = options.documents ?? offline(own, trust);
  const changed = (['control', 'agents', 'system'] as const).flatMap((role): Planned[] => {
    if (texts[role] === own[role]) return [];
    const file = fileOf(DOCUMENTS[role], `${texts[role]}\n`);
    return [{ file, from: versionOf(own[role]), to: versionOf(texts[role]) }];
  });
  const preload = renderTrust({
    operatorJwt: trust.public.operatorJwt,
    control: { publicKey: control.publicKey, jwt: texts.control },
    agents: { publicKey: agents.publicKey, jwt: texts.agents },
    system: { publicKey: system.publicKey, jwt: texts.system },
  });
  const path = `${directory}/${AUTH_FILES.preload.path}`;
  // A directory without it is one that no server is configured from.
  if (!hasSecretFile(path) || readPublicFile(path) === preload) return changed;
  const versions = { from: versionOf(own.agents), to: versionOf(texts.agents) };
  return [...changed, { file: fileOf('preload', preload), ...versions }];
}

function offline(own: AccountTexts, { systemSigning, operatorSigning }: MasterTrust): AccountTexts {
  return withTheseGrants(own, systemSigning.publicKey, 0, operatorSigning);
}

function plannedCreds(
  directory: string,
  trust: MasterTrust,
  { nowMs, systemToo }: UpgradeOptions,
): Planned[] {
  return CREDS_ROLES.flatMap((role): Planned[] => {
    const path = credsPath(directory, role);
    if ((role === 'system' && !systemToo) || !hasSecretFile(path)) return [];
    const creds = loadCreds(path);
    const text = renewedCreds(role, creds, trust, nowMs);
    if (text === undefined) return [];
    const versions = { from: grantsVersionOf(creds.claims.nats), to: GRANTS_VERSION };
    return [{ file: fileOf(`${role}Creds`, text), ...versions }];
  });
}

function versionOf(jwt: string): number {
  return grantsVersionOf(decodeJwt<AccountBody>(jwt, 'account').nats);
}

function fileOf(file: AuthFile, text: string): KeyFile {
  const { path, mode } = AUTH_FILES[file];
  return { path, mode, text };
}
