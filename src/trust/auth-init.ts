/**
 * `authInit` computes what `zester auth init` writes: a whole deployment's keys, JWTs and credentials, as file
 * contents. Pure, so a simulated fleet has real keys that are the same in every run; `auth-dir.ts` writes the files.
 */
import type { Random } from '../runtime/random.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import { newTopology } from './accounts/topology.ts';
import { type CredsRole, mintUserOf } from './accounts/trusted-roles.ts';
import { AUTH_FILES, type AuthFile } from './auth-files.ts';
import { commandKeyOf } from './command-key.ts';
import { formatCreds } from './creds.ts';
import type { KeyFile } from './key-files.ts';
import { newSigningKey } from './nkeys.ts';
import { formatOperatorKey, newOperatorKey } from './operator-key.ts';
import { renderTrust } from './server-config.ts';

export interface AuthInit {
  readonly files: readonly KeyFile[];
  /** Public keys only: fit for the terminal. */
  readonly summary: AuthSummary;
}

export interface AuthSummary {
  readonly control: string;
  readonly agents: string;
  readonly system: string;
  /** The name in the admin's operator certificate. */
  readonly adminOperator: string;
}

export interface AuthInitOptions {
  /** Who will appear as the author of cancels and direct calls made with admin-operator.key. */
  readonly adminOperator: string;
}

export function authInit(random: Random, nowMs: number, { adminOperator }: AuthInitOptions): AuthInit {
  const topology = newTopology(random, nowMs);
  const creds = (role: CredsRole) => {
    const key = newSigningKey('user', random);
    return formatCreds(mintUserOf(role, topology, key.publicKey, nowMs), key);
  };
  const terms = { name: adminOperator, issued: nanosFromMs(nowMs), expires: undefined };
  const operatorKey = newOperatorKey(random, commandKeyOf(topology.control), terms);
  const { operatorJwt, control, agents, system } = topology.public;
  const texts: Readonly<Record<AuthFile, string>> = {
    operatorJwt: `${operatorJwt}\n`,
    controlJwt: `${control.jwt}\n`,
    agentsJwt: `${agents.jwt}\n`,
    systemJwt: `${system.jwt}\n`,
    preload: renderTrust(topology.public),
    controlSeed: `${topology.control.exposeSeed()}\n`,
    operatorIdentitySeed: `${topology.operatorIdentity.exposeSeed()}\n`,
    operatorSigningSeed: `${topology.operatorSigning.exposeSeed()}\n`,
    agentsSigningSeed: `${topology.agentsSigning.exposeSeed()}\n`,
    masterCreds: creds('master'),
    systemCreds: creds('system'),
    adminCreds: creds('admin'),
    adminOperatorKey: formatOperatorKey(operatorKey),
  };
  // The operator comes last: names are taken in this order, so whoever finds it finds all the others.
  const order = (Object.keys(texts) as AuthFile[]).sort(
    (a, b) => Number(a === 'operatorJwt') - Number(b === 'operatorJwt'),
  );
  const files = order.map((file) => {
    const { path, mode } = AUTH_FILES[file];
    return { path, mode, text: texts[file] };
  });
  const summary = {
    control: control.publicKey,
    agents: agents.publicKey,
    system: system.publicKey,
    adminOperator,
  };
  return { files, summary };
}
