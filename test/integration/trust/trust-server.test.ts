/**
 * The trust plane against a real nats-server: what trust/ writes is what the server enforces. Sample subjects only; the
 * full matrix of roles and subjects is tried elsewhere.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as tcpConnect } from 'node:net';
import { tmpdir } from 'node:os';
import { relative } from 'node:path';
import { type SecureVersion, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { resignAccount } from '../../../src/trust/accounts/accounts.ts';
import { userClaims } from '../../../src/trust/accounts/claims.ts';
import { encodeJwt } from '../../../src/trust/accounts/jwt.ts';
import { newTopology } from '../../../src/trust/accounts/topology.ts';
import { mintPeelUser, mintTrustedUser } from '../../../src/trust/accounts/users.ts';
import { credsPath, initAuthDir, loadCreds, loadMasterTrust } from '../../../src/trust/auth-dir.ts';
import { type Creds, formatCreds, parseCreds } from '../../../src/trust/creds.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { newSigningKey, type SigningKey } from '../../../src/trust/nkeys.ts';
import { renderServerConfig, type ServerConfig } from '../../../src/trust/server-config.ts';
import { issueLeaf, newCa, openCa } from '../../../src/trust/x509/ca.ts';
import { initCaDir, loadRoot, writeLeaf } from '../../../src/trust/x509/ca-dir.ts';
import {
  ADMIN_GRANT,
  MASTER_GRANT,
  type Permissions,
  peelGrant,
  SYS_GRANT,
} from '../../../src/wire/names/grants.ts';
import { startCluster } from '../../harness/servers/nats-cluster.ts';
import { startNatsServer, type TestServer, type TestServerPlace } from '../../harness/servers/nats-server.ts';
import { until } from '../../harness/until.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
/** Above the sum of what it waits for, so that the wait that failed is named. */
const CLUSTER_TEST_MS = 90_000;
/** The NATS client checks the certificate against `localhost` when the address is an IP. */
const SERVER_NAMES = ['localhost', '127.0.0.1'];
const topology = newTopology(systemRandom, NOW_MS);
const folder = mkdtempSync(`${tmpdir()}/zester-trust-`);
const tls = testTls(folder);
const opened: NatsConnection[] = [];
let server: TestServer;

const master = trusted(topology.control, 'zester-master', MASTER_GRANT);
const admin = trusted(topology.control, 'zester-admin', ADMIN_GRANT);
const sys = trusted(topology.systemSigning, 'zester-master-sys', SYS_GRANT, topology.public.system.publicKey);

beforeAll(async () => {
  server = await startNatsServer({ config: (place) => renderServerConfig(settings(place)) });
});
afterAll(async () => {
  await Promise.all(opened.map((nc) => nc.close()));
  rmSync(folder, { recursive: true });
});

describe('connecting', () => {
  it('works with the credentials of every role, over TLS 1.3 with only the root trusted', async () => {
    for (const creds of [master, admin, sys, peel('web-01')]) {
      const nc = await open(creds);
      expect(nc.info?.auth_required).toBe(true);
      await nc.flush();
    }
    expect((await rawTls('TLSv1.3')).getProtocol()).toBe('TLSv1.3');
  });

  it('is refused below TLS 1.3', async () => {
    await expect(rawTls('TLSv1.2')).rejects.toThrow(/protocol version|alert/i);
  });

  it('is refused by the client when the server is signed by another CA', async () => {
    const other = newCa(systemRandom, NOW_MS);
    await expect(open(master, { ca: other.root.certificatePem })).rejects.toThrow();
  });

  it('is refused without credentials and with those of another deployment', async () => {
    const elsewhere = newTopology(systemRandom, NOW_MS);
    await expect(
      connect({ servers: server.url, tls: { ca: tls.rootPem }, reconnect: false }),
    ).rejects.toThrow();
    await expect(open(trusted(elsewhere.control, 'zester-master', MASTER_GRANT))).rejects.toThrow(
      /Authorization/,
    );
  });

  it('is refused after the credentials expired', async () => {
    const creds = peel('web-01', { expiresAtMs: NOW_MS - DAY_MS, nowMs: NOW_MS - 2 * DAY_MS });
    await expect(open(creds)).rejects.toThrow();
  });

  it('is refused to a user of the scoped key that brings permissions of its own', async () => {
    const key = newSigningKey('user', systemRandom);
    const body = {
      ...userClaims({ pub: ['>'], sub: ['>'] }),
      issuer_account: topology.public.agents.publicKey,
    };
    const input = { subject: key.publicKey, name: 'web-01', issuedAtMs: NOW_MS, nats: body };
    await expect(open(credsOf(encodeJwt(input, topology.agentsSigning), key))).rejects.toThrow(
      /Authorization/,
    );
  });
});

describe('what a peel may do', () => {
  it('is publish and subscribe under its own name, across the two accounts', async () => {
    const [nc, control] = [await open(peel('web-01')), await open(master)];
    const commands = collect(nc, 'zester.cmd.web-01');
    const events = collect(control, 'zester.event.web-01.>');
    await Promise.all([nc.flush(), control.flush()]);
    control.publish('zester.cmd.web-01', 'to me');
    control.publish('zester.cmd.web-02', 'to another');
    nc.publish('zester.event.web-01.disk.full', 'from me');
    await until(() => commands.length === 1 && events.length === 1, 'the command and the event');
    expect(commands.map((m) => m.string())).toEqual(['to me']);
    expect(violations(nc)).toEqual([]);
  });

  it('is not publish or subscribe under the name of another, or anything that was not granted', async () => {
    const nc = await open(offender('web-01'));
    const publishes = [
      'zester.event.web-02.x',
      '$KV.facts.web-02',
      '$JS.API.STREAM.DELETE.events',
      'zester.dispatch',
    ];
    for (const subject of publishes) nc.publish(subject, 'x');
    const subscriptions = ['zester.cmd.web-02', '_INBOX.>', 'zester.>', '$SYS.>'];
    for (const subject of subscriptions) nc.subscribe(subject, { callback: () => {} });
    await nc.flush();
    await until(() => violations(nc).length >= 8, 'all violations');
    expect(violations(nc).toSorted()).toEqual(
      [...publishes.map((s) => `publish ${s}`), ...subscriptions.map((s) => `subscription ${s}`)].toSorted(),
    );
  });

  it('is not answer on the reply subject of a message: allow_responses is off', async () => {
    const [nc, control] = [await open(offender('web-01')), await open(master)];
    const commands = collect(nc, 'zester.cmd.web-01');
    await nc.flush();
    control.publish('zester.cmd.web-01', 'x', { reply: 'zester.trap.answer' });
    const answers = collect(control, 'zester.trap.answer');
    await until(() => commands.length === 1, 'the command');
    commands[0]?.respond('pwned');
    await until(() => violations(nc).length === 1, 'the violation');
    expect(violations(nc)).toEqual(['publish zester.trap.answer']);
    expect(answers).toEqual([]);
  });
});

describe('revocation', () => {
  it('cuts a live peel, leaves the others, and outlives a restart with the old JWTs preloaded', async () => {
    const [bad, good] = [peel('web-66'), peel('web-67')];
    const [cut, kept] = [await open(bad), await open(good)];
    const atS = Math.ceil(Date.now() / 1000);
    await push(
      resignAccount(topology.public.agents.jwt, { [bad.claims.sub]: atS }, NOW_MS, topology.operatorSigning),
    );

    await cut.closed();
    await kept.flush();
    await expect(open(bad)).rejects.toThrow();

    await server.restart();
    await expect(open(bad)).rejects.toThrow();
    await (await open(good)).flush();
  });

  it('of a key leaves the door open for another key under the same name', async () => {
    await (await open(peel('web-66'))).flush();
  });
});

it('1,000 peels are minted in a moment', async () => {
  const keys = Array.from({ length: 1_000 }, () => newSigningKey('user', systemRandom));
  const agentsAccount = topology.public.agents.publicKey;
  const startedMs = performance.now();
  const jwts = keys.map(({ publicKey }, i) =>
    mintPeelUser(topology.agentsSigning, {
      agentsAccount,
      peelId: `web-${i}`,
      userPublicKey: publicKey,
      ...inTime(),
    }),
  );
  console.log(`1,000 peel JWTs minted in ${(performance.now() - startedMs).toFixed(0)} ms`);
  const [jwt, key] = [jwts[999], keys[999]];
  if (jwt !== undefined && key !== undefined) await (await open(credsOf(jwt, key))).flush();
  expect(jwts).toHaveLength(1_000);
});

describe('an auth directory', () => {
  it('is all that is needed for a server whose configuration somebody else writes', async () => {
    const auth = `${folder}/auth`;
    initAuthDir(auth, systemRandom, NOW_MS, { adminOperator: 'ana', force: false });
    const ca = initCaDir(auth, systemRandom, NOW_MS, { force: false });
    const leaf = issueLeaf(ca, { names: SERVER_NAMES, validMs: DAY_MS }, systemRandom, NOW_MS);
    writeLeaf(`${auth}/tls`, 'server', leaf, { force: false });
    const own = await startNatsServer({
      config: ({ dir, storeDir }) => `
        host: 127.0.0.1
        tls { cert_file: "${auth}/tls/server.crt", key_file: "${auth}/tls/server.key" }
        resolver { type: full, dir: "${storeDir}" }
        include "${relative(dir, auth)}/resolver-preload.conf"`,
    });
    const reach = { url: own.url, ca: loadRoot(auth).pem };
    for (const role of ['master', 'admin', 'system'] as const)
      await (await open(loadCreds(credsPath(auth, role)), reach)).flush();
    const trust = loadMasterTrust(auth);
    const agents = { account: trust.public.agents.publicKey, signingKey: trust.agentsSigning };
    await (await open(peel('web-01', inTime(), agents), reach)).flush();
    await own.stop();
  });
});

describe('the configuration', () => {
  it('cannot be broken out of: strange names stay names', async () => {
    const dir = mkdtempSync(`${folder}/we"ird } $HOME '#\\ \u{1F34B} include x `);
    const logFile = `${dir}/a"b\\n.log`;
    const odd = await startNatsServer({
      dir,
      config: (place) => renderServerConfig({ ...settings(place), logFile }),
    });
    await odd.stop();
    expect(readFileSync(logFile, 'utf8')).toContain('Server is ready');
  });

  it(
    'makes three nodes one cluster, with routes over TLS, and a push reaches all of them in the end',
    async () => {
      const { nodes, stop } = await startCluster({
        renderConfig: (place) => {
          const routes = place.routes.map((url) => ({ host: '127.0.0.1', port: Number(new URL(url).port) }));
          const listen = { host: '127.0.0.1', port: place.clusterPort };
          return renderServerConfig({ ...settings(place), cluster: { name: 'zester', listen, routes } });
        },
      });
      const [first, second, third] = await Promise.all(nodes.map(({ url }) => open(master, { url })));
      const heard = [first, second, third].map((nc) => (nc === undefined ? [] : collect(nc, 'zester.hello')));
      await until(() => {
        second?.publish('zester.hello');
        return heard.every((messages) => messages.length > 0);
      }, 'a message on every node');

      // The third node misses the push; it must hear of it when it is back. So must the live connection on the second.
      const bad = peel('web-66');
      const live = await Promise.all(nodes.slice(0, 2).map(({ url }) => open(bad, { url })));
      await nodes[2]?.kill9();
      const revocations = { [bad.claims.sub]: Math.ceil(Date.now() / 1000) };
      const revoking = resignAccount(
        topology.public.agents.jwt,
        revocations,
        NOW_MS,
        topology.operatorSigning,
      );
      await push(revoking, nodes[0]?.url);
      await nodes[2]?.restart();
      await until(() => live.every((nc) => nc.isClosed()), 'the live connections to be cut');
      await until(() => isRefused(bad, nodes[2]?.url), 'the third node to refuse the revoked peel');
      await stop();
    },
    CLUSTER_TEST_MS,
  );
});

function settings(place: TestServerPlace): ServerConfig {
  return {
    serverName: place.name,
    listen: { host: '127.0.0.1', port: place.port },
    tls: tls.files,
    trust: topology.public,
    resolverDir: `${place.dir}/jwt`,
    jetstream: { storeDir: place.storeDir, syncInterval: 'always' },
  };
}

function testTls(path: string) {
  const { root, intermediate } = newCa(systemRandom, NOW_MS);
  const pems = {
    rootPem: root.certificatePem,
    intermediatePem: intermediate.certificatePem,
    intermediateKeyPem: intermediate.keyPem,
  };
  const request = { names: SERVER_NAMES, validMs: DAY_MS };
  const leaf = issueLeaf(openCa(pems, 'ca'), request, systemRandom, NOW_MS);
  const files = {
    caFile: `${path}/root.crt`,
    certificateFile: `${path}/leaf.crt`,
    keyFile: `${path}/leaf.key`,
  };
  writeFileSync(files.caFile, pems.rootPem);
  writeFileSync(files.certificateFile, leaf.chainPem);
  writeFileSync(files.keyFile, leaf.keyPem, { mode: 0o600 });
  return { rootPem: pems.rootPem, files };
}

function trusted(signer: SigningKey, name: string, permissions: Permissions, account?: string): Creds {
  const key = newSigningKey('user', systemRandom);
  const user = { name, userPublicKey: key.publicKey, permissions, nowMs: NOW_MS };
  return credsOf(mintTrustedUser(signer, { ...user, ...(account === undefined ? {} : { account }) }), key);
}

function peel(peelId: string, times = inTime(), agents = ownAgents()): Creds {
  const key = newSigningKey('user', systemRandom);
  const user = { agentsAccount: agents.account, peelId, userPublicKey: key.publicKey, ...times };
  return credsOf(mintPeelUser(agents.signingKey, user), key);
}

/** A peel whose violations are part of the test. */
function offender(peelId: string): Creds {
  const creds = peel(peelId);
  server.expectViolation(new RegExp(creds.claims.sub));
  return creds;
}

function ownAgents() {
  return { account: topology.public.agents.publicKey, signingKey: topology.agentsSigning };
}

function inTime() {
  return { nowMs: NOW_MS, expiresAtMs: NOW_MS + 180 * DAY_MS };
}

function credsOf(jwt: string, key: SigningKey): Creds {
  return parseCreds(formatCreds(jwt, key), 'test');
}

const noted = new WeakMap<NatsConnection, string[]>();

/** The permission errors that the server sent to this connection, as `operation subject`. */
function violations(nc: NatsConnection): string[] {
  return noted.get(nc) ?? [];
}

async function open(creds: Creds, { ca = tls.rootPem, url = server.url } = {}): Promise<NatsConnection> {
  const nc = await connect({
    servers: url,
    tls: { ca },
    authenticator: natsAuthenticator(() => creds),
    inboxPrefix: `_INBOX.${creds.claims.name}`,
    reconnect: false,
  });
  opened.push(nc);
  const found: string[] = [];
  noted.set(nc, found);
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type !== 'error') continue;
      const { operation, subject } = status.error as unknown as { operation: string; subject: string };
      found.push(`${operation} ${subject}`);
    }
  })();
  return nc;
}

async function isRefused(creds: Creds, url: string | undefined): Promise<boolean> {
  try {
    await (await open(creds, url === undefined ? {} : { url })).close();
    return false;
  } catch (error) {
    return /Authorization/.test(String(error));
  }
}

function collect(nc: NatsConnection, subject: string): Msg[] {
  const messages: Msg[] = [];
  nc.subscribe(subject, { callback: (error, message) => void (error ?? messages.push(message)) });
  return messages;
}

async function push(accountJwt: string, url = server.url): Promise<void> {
  const nc = await open(sys, { url });
  const answer = await nc.request('$SYS.REQ.CLAIMS.UPDATE', accountJwt, { timeout: 5_000 });
  expect(answer.json()).toMatchObject({ data: { code: 200 } });
  await nc.close();
}

/** Speaks to the server below the client library: the first line in the clear, then TLS of one version. */
function rawTls(version: SecureVersion): Promise<TLSSocket> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = tcpConnect(Number(port), '127.0.0.1', () => {
      socket.once('data', () => {
        const options = {
          socket,
          ca: tls.rootPem,
          servername: 'localhost',
          minVersion: version,
          maxVersion: version,
        };
        const secure = tlsConnect(options, () => resolve(secure.end()));
        secure.on('error', reject);
      });
    });
    socket.on('error', reject);
  });
}

// The grants are wire/'s; if they changed, the samples above may test nothing.
it('the samples are still samples of what wire/ grants', () => {
  const { pub, sub } = peelGrant('web-01');
  expect(pub).toContain('zester.event.web-01.>');
  expect(sub).toContain('zester.cmd.web-01');
});
