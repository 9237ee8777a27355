/**
 * An old deployment is one that commit 9ba1504 made, before grants had versions: its documents and credentials as they were
 * (test/fixtures/deployments/v1.json, without keys and signatures), signed here with fresh keys.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../../src/runtime/system-random.ts';
import { encodeJwt, type JwtBody } from '../../src/trust/accounts/jwt.ts';
import { systemSigningKeyOf } from '../../src/trust/accounts/system-signing-key.ts';
import type { Topology } from '../../src/trust/accounts/topology.ts';
import type { CredsRole } from '../../src/trust/accounts/trusted-roles.ts';
import { AUTH_FILES, type AuthFile } from '../../src/trust/auth-files.ts';
import { commandKeyOf } from '../../src/trust/command-key.ts';
import { type Creds, formatCreds, parseCreds } from '../../src/trust/creds.ts';
import { writeKeyFiles } from '../../src/trust/key-files.ts';
import { newSigningKey, type SigningKey } from '../../src/trust/nkeys.ts';
import { formatOperatorKey, newOperatorKey } from '../../src/trust/operator-key.ts';
import { renderTrust } from '../../src/trust/server-config.ts';
import { nanosFromMs } from '../../src/wire/msgpack/time.ts';
import { ROOT } from './programs/program.ts';

interface Unsigned {
  readonly name: string;
  readonly nats: JwtBody;
}

interface Fixture {
  readonly operator: Unsigned;
  readonly accounts: Readonly<Record<'control' | 'agents' | 'system', Unsigned>>;
  readonly users: Readonly<Record<CredsRole, Unsigned>>;
}

export interface OldDeployment {
  readonly topology: Topology;
  /** As its credentials were made: by the account itself. */
  creds(role: CredsRole): Creds;
  writeAuthDir(directory: string): void;
}

export function oldDeployment(nowMs: number): OldDeployment {
  const operator = newSigningKey('operator', systemRandom);
  const operatorSigning = newSigningKey('operator', systemRandom);
  const [control, agents, system, agentsSigning] = [0, 1, 2, 3].map(() =>
    newSigningKey('account', systemRandom),
  ) as [SigningKey, SigningKey, SigningKey, SigningKey];
  const names = {
    '@operatorSigning': operatorSigning,
    '@operator': operator,
    '@agentsSigning': agentsSigning,
    '@control': control,
    '@agents': agents,
    '@system': system,
  };
  const text = Object.entries(names).reduce(
    (json, [name, { publicKey }]) => json.replaceAll(`"${name}"`, `"${publicKey}"`),
    readFileSync(join(ROOT, 'test/fixtures/deployments/v1.json'), 'utf8'),
  );
  const fixture = JSON.parse(text) as Fixture;
  const signed = ({ name, nats }: Unsigned, { publicKey: subject }: SigningKey, signer: SigningKey) =>
    encodeJwt({ subject, name, issuedAtMs: nowMs, nats }, signer);
  const account = (role: 'control' | 'agents' | 'system', key: SigningKey) => ({
    publicKey: key.publicKey,
    jwt: signed(fixture.accounts[role], key, operatorSigning),
  });
  const topology: Topology = {
    public: {
      operatorJwt: signed(fixture.operator, operator, operator),
      control: account('control', control),
      agents: account('agents', agents),
      system: account('system', system),
    },
    operatorIdentity: operator,
    operatorSigning,
    control,
    agentsSigning,
    systemSigning: systemSigningKeyOf(operatorSigning),
  };
  const creds = (role: CredsRole): Creds => {
    const key = newSigningKey('user', systemRandom);
    const jwt = signed(fixture.users[role], key, role === 'system' ? system : control);
    return parseCreds(formatCreds(jwt, key), role);
  };
  return { topology, creds, writeAuthDir: (directory) => writeOldFiles(directory, topology, creds, nowMs) };
}

function writeOldFiles(
  directory: string,
  { public: known, ...keys }: Topology,
  creds: (role: CredsRole) => Creds,
  nowMs: number,
): void {
  const terms = { name: 'ana', issued: nanosFromMs(nowMs), expires: undefined };
  const credsText = (role: CredsRole) => {
    const { jwt, key } = creds(role);
    return formatCreds(jwt, key);
  };
  // The identity of the operator was not kept then.
  const texts: Readonly<Record<Exclude<AuthFile, 'operatorIdentitySeed'>, string>> = {
    operatorJwt: `${known.operatorJwt}\n`,
    controlJwt: `${known.control.jwt}\n`,
    agentsJwt: `${known.agents.jwt}\n`,
    systemJwt: `${known.system.jwt}\n`,
    preload: renderTrust(known),
    controlSeed: `${keys.control.exposeSeed()}\n`,
    operatorSigningSeed: `${keys.operatorSigning.exposeSeed()}\n`,
    agentsSigningSeed: `${keys.agentsSigning.exposeSeed()}\n`,
    masterCreds: credsText('master'),
    systemCreds: credsText('system'),
    adminCreds: credsText('admin'),
    adminOperatorKey: formatOperatorKey(newOperatorKey(systemRandom, commandKeyOf(keys.control), terms)),
  };
  const files = (Object.keys(texts) as (keyof typeof texts)[]).map((file) => ({
    ...AUTH_FILES[file],
    text: texts[file],
  }));
  writeKeyFiles(directory, files, { force: false });
}
