/**
 * The operator key is rotated as the guide says, on a real nats-server: everything is stopped, files are changed, servers and masters
 * start again. Accounts, credentials of peels and revocations stay; what hangs on the old key is refused.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf } from '../../../src/accounts/next-docs.ts';
import { isSettled, settleAccounts } from '../../../src/accounts/settle-accounts.ts';
import { openAccountServers } from '../../../src/bus/account-servers.ts';
import type { Connection } from '../../../src/bus/connection.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { operatorGenerationOf } from '../../../src/trust/accounts/claims.ts';
import { rotateOperatorKey } from '../../../src/trust/accounts/rotate-operator.ts';
import { mintPeelUser } from '../../../src/trust/accounts/users.ts';
import {
  credsPath,
  initAuthDir,
  loadCreds,
  loadMasterTrust,
  loadPublicTrust,
} from '../../../src/trust/auth-dir.ts';
import { newSigningKey } from '../../../src/trust/nkeys.ts';
import { scratchDir } from '../../harness/programs/program.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { startTrustedServer } from '../../harness/servers/trusted-servers.ts';
import { until } from '../../harness/until.ts';

const [authDir, oldDir, serverDir] = ['auth', 'old', 'server'].map((name) => join(scratchDir(), name)) as [
  string,
  string,
  string,
];
/** For its certificates. */
const nats = new TrustedNats();
let server: TestServer;

beforeAll(() => {
  initAuthDir(authDir, systemRandom, systemClock.nowMs(), { adminOperator: 'ann', force: false });
  mkdirSync(serverDir, { recursive: true });
});
afterAll(() => server?.stop());

async function serve(): Promise<void> {
  const trust = { ...nats.serverTrust, trust: loadPublicTrust(authDir) };
  server = await startTrustedServer(trust, { dir: serverDir });
}

/** Whether they get anybody in. */
async function isLetIn(
  role: 'peel' | 'master' | 'sys',
  name: string,
  creds: Parameters<typeof nats.connect>[3],
) {
  const line = nats.connect([server.url], role, name, creds);
  await until(() => line.status() === 'connected' || line.failure() !== undefined, 'an answer');
  const isIn = line.status() === 'connected';
  await line.close();
  return isIn;
}

/** What a master does about documents, with the files of this directory. */
async function settle(directory: string, revoked: readonly string[] = []) {
  const line: Connection = nats.connect(
    [server.url],
    'sys',
    'sys',
    loadCreds(credsPath(directory, 'system')),
  );
  const servers = openAccountServers(line, testRuntime);
  const atS = Math.floor(systemClock.nowMs() / 1000);
  const tables = {
    ...{ nowS: atS, mayForget: true },
    revoked: revoked.map((publicKey) => ({ publicKey, decidedAtS: atS, issuedAtS: 0 })),
    bans: [],
  };
  try {
    await until(() => line.status() === 'connected', 'the system account');
    const ports = { table: undefined, servers, authority: loadMasterTrust(directory), clock: systemClock };
    return await settleAccounts(ports, { tables, by: 'test', pushesBlindly: false });
  } finally {
    await line.close();
  }
}

it('another operator key signs the documents; peels and revocations stay, and the old key is worth nothing', async () => {
  await serve();
  const { agentsSigning, public: known } = loadMasterTrust(authDir);
  const peel = (name: string) => {
    const key = newSigningKey('user', systemRandom);
    const nowMs = systemClock.nowMs() - 5_000;
    const user = { agentsAccount: known.agents.publicKey, peelId: name, userPublicKey: key.publicKey };
    return { key, jwt: mintPeelUser(agentsSigning, { ...user, nowMs, expiresAtMs: nowMs + 3_600_000 }) };
  };
  const [good, bad] = [peel('web-01'), peel('web-02')];
  expect(isSettled(await settle(authDir, [bad.key.publicKey]))).toBe(true);
  await until(async () => !(await isLetIn('peel', 'web-02', bad)), 'the revocation');
  expect(await isLetIn('peel', 'web-01', good)).toBe(true);

  // A revocation that only servers and store have: files of a directory that could not be written.
  cpSync(authDir, oldDir, { recursive: true });
  await server.stop();
  expect(rotateOperatorKey(authDir, systemRandom, systemClock.nowMs()).generation).toBe(2);
  await serve();

  expect(await isLetIn('peel', 'web-01', good)).toBe(true);
  expect(await isLetIn('master', 'master', loadCreds(credsPath(oldDir, 'master')))).toBe(true);
  expect(await isLetIn('sys', 'sys', loadCreds(credsPath(oldDir, 'system')))).toBe(false);
  const report = await settle(authDir, [bad.key.publicKey]);
  expect(isSettled(report)).toBe(true);
  const { iss, nats: body } = bodyOf(report.docs.agents);
  expect([iss, operatorGenerationOf(body)]).toEqual([loadMasterTrust(authDir).operatorSigning.publicKey, 2]);
  await until(async () => !(await isLetIn('peel', 'web-02', bad)), 'the revocation to be back');
  expect(await isLetIn('peel', 'web-01', good)).toBe(true);
}, 60_000);
