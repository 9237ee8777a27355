/**
 * The auth directory is written once, by what is here, and read by every program at its start. Each role has its
 * loader, which takes only the files that the role needs and checks that they belong together: a directory put together
 * from two deployments, or left behind by an interrupted `--force`, is refused with the names of the two files that do
 * not fit, before anything connects with half of it.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Random } from '../runtime/random.ts';
import { signingKeysOf } from './accounts/accounts.ts';
import { type AccountBody, agentsKeysOf, type OperatorBody } from './accounts/claims.ts';
import { decodeJwt, type JwtBody } from './accounts/jwt.ts';
import { systemSigningKeyOf } from './accounts/system-signing-key.ts';
import type { PublicTrust, SignedAccount } from './accounts/topology.ts';
import type { CredsRole } from './accounts/trusted-roles.ts';
import { AUTH_FILES, type AuthFile } from './auth-files.ts';
import { type AuthInitOptions, type AuthSummary, authInit } from './auth-init.ts';
import { type Creds, parseCreds } from './creds.ts';
import {
  type KeyWriteOptions,
  PUBLIC_MODE,
  readPublicFile,
  readSecretFile,
  writeKeyFiles,
} from './key-files.ts';
import { type SigningKey, type SigningRole, signingKeyFromSeed } from './nkeys.ts';
import { type OperatorKey, parseOperatorKey } from './operator-key.ts';

/** `zester auth init`. */
export function initAuthDir(
  directory: string,
  random: Random,
  nowMs: number,
  options: AuthInitOptions & KeyWriteOptions,
): AuthSummary {
  const { files, summary } = authInit(random, nowMs, options);
  writeKeyFiles(directory, files, options);
  return summary;
}

/** What a nats-server needs. */
export function loadPublicTrust(directory: string): PublicTrust {
  return loadDecoded(directory).trust;
}

export interface MasterTrust {
  readonly public: PublicTrust;
  /** Account ZESTER: root of the command key, the curve key and the message ids. */
  readonly control: SigningKey;
  readonly operatorSigning: SigningKey;
  readonly agentsSigning: SigningKey;
  /** Derived from the operator's: signs the system user. */
  readonly systemSigning: SigningKey;
}

/** What a master needs; its two .creds files are checked but read again whenever it connects. */
export function loadMasterTrust(directory: string): MasterTrust {
  const { trust, operator, agents, system } = loadDecoded(directory);
  const control = loadSeed(directory, 'controlSeed', 'account');
  const operatorSigning = loadSeed(directory, 'operatorSigningSeed', 'operator');
  const agentsSigning = loadSeed(directory, 'agentsSigningSeed', 'account');
  const scoped = agentsKeysOf(agents);
  const issuerOf = (role: CredsRole) => loadCreds(credsPath(directory, role)).claims.iss;
  const systemSigners = [trust.system.publicKey, ...signingKeysOf(system)];
  const mustFit = fitIn(directory);
  mustFit(control.publicKey === trust.control.publicKey, 'controlSeed', 'controlJwt');
  mustFit(operator.signing_keys.includes(operatorSigning.publicKey), 'operatorSigningSeed', 'operatorJwt');
  // The file has the first generation for good; later ones are in the store, and masters ask there (master/keys).
  const isRotated = scoped.generation > 1;
  mustFit(isRotated || scoped.keys.includes(agentsSigning.publicKey), 'agentsSigningSeed', 'agentsJwt');
  mustFit(issuerOf('master') === trust.control.publicKey, 'masterCreds', 'controlJwt');
  mustFit(systemSigners.includes(issuerOf('system')), 'systemCreds', 'systemJwt');
  const systemSigning = systemSigningKeyOf(operatorSigning);
  return { public: trust, control, operatorSigning, agentsSigning, systemSigning };
}

/** The credentials in one file. For `natsAuthenticator`: `() => loadCreds(path)` reads them anew at each attempt. */
export function loadCreds(path: string): Creds {
  return parseCreds(readSecretFile(path), path);
}

export function credsPath(directory: string, role: CredsRole): string {
  return `${directory}/${AUTH_FILES[`${role}Creds`].path}`;
}

/** The admin's key for cancels and direct requests. */
export function loadOperatorKey(directory: string): OperatorKey {
  const path = `${directory}/${AUTH_FILES.adminOperatorKey.path}`;
  return parseOperatorKey(readSecretFile(path), path);
}

interface DecodedTrust {
  readonly trust: PublicTrust;
  readonly operator: OperatorBody;
  readonly agents: AccountBody;
  readonly system: AccountBody;
}

function loadDecoded(directory: string): DecodedTrust {
  const mustFit = fitIn(directory);
  const operator = loadJwt<OperatorBody>(directory, 'operatorJwt', 'operator');
  const account = (file: AuthFile) => {
    const loaded = loadJwt<AccountBody>(directory, file, 'account');
    mustFit(operator.body.signing_keys.includes(loaded.issuer), file, 'operatorJwt');
    return loaded;
  };
  const [control, agents, system] = [account('controlJwt'), account('agentsJwt'), account('systemJwt')];
  const importsFit = agents.body.imports?.every((item) => item.account === control.publicKey) ?? true;
  mustFit(operator.body.system_account === system.publicKey, 'systemJwt', 'operatorJwt');
  mustFit(importsFit, 'agentsJwt', 'controlJwt');
  const signed = ({ publicKey, jwt }: SignedAccount) => ({ publicKey, jwt });
  return {
    trust: {
      operatorJwt: operator.jwt,
      control: signed(control),
      agents: signed(agents),
      system: signed(system),
    },
    operator: operator.body,
    agents: agents.body,
    system: system.body,
  };
}

function loadJwt<Body extends JwtBody>(directory: string, file: AuthFile, type: Body['type']) {
  return loadText(directory, file, (text) => {
    const { sub, iss, nats } = decodeJwt<Body>(text, type);
    return { publicKey: sub, issuer: iss, body: nats, jwt: text };
  });
}

function loadSeed(directory: string, file: AuthFile, role: SigningRole): SigningKey {
  return loadText(directory, file, (text) => signingKeyFromSeed(text, role));
}

/** One file of the directory, taken apart; TRUST_FILE_INVALID where it is not what it should be. */
export function loadText<T>(directory: string, file: AuthFile, decode: (text: string) => T): T {
  const { path, mode } = AUTH_FILES[file];
  const whole = `${directory}/${path}`;
  const text = mode === PUBLIC_MODE ? readPublicFile(whole) : readSecretFile(whole);
  try {
    return decode(text.trim());
  } catch (cause) {
    throw zesterError('TRUST_FILE_INVALID', { file: whole }, { cause });
  }
}

function fitIn(directory: string): (fits: boolean, file: AuthFile, other: AuthFile) => void {
  return (fits, file, other) => {
    if (fits) return;
    const names = { file: AUTH_FILES[file].path, other: AUTH_FILES[other].path };
    throw zesterError('TRUST_FILES_DISAGREE', { ...names, directory });
  };
}
