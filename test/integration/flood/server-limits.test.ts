/**
 * The limits of servers and of the account of the peels, on a real nats-server: whoever goes over one is refused or cut off, and the
 * others go on. And doctor's reading of them: what this server says of itself is what was written.
 */
import { readFileSync } from 'node:fs';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, describe, expect, it } from 'vitest';
import { readServerSettings } from '../../../src/bus/server-settings.ts';
import { judgeNatsLimits } from '../../../src/core/doctor/nats-limits.ts';
import { PEEL_PAYLOAD_BYTES_MAX, PEEL_SUBSCRIPTIONS_MAX } from '../../../src/core/server-limits.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import type { AccountBody } from '../../../src/trust/accounts/claims.ts';
import { decodeJwt, encodeJwt } from '../../../src/trust/accounts/jwt.ts';
import { newTopology, type Topology } from '../../../src/trust/accounts/topology.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import type { ServerConfig } from '../../../src/trust/server-config.ts';
import { inboxPrefix } from '../../../src/wire/names/store-subjects.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { type TestRole, TrustedNats } from '../../harness/servers/trusted-nats.ts';
import { startTrustedServer } from '../../harness/servers/trusted-servers.ts';
import { until } from '../../harness/until.ts';

const AGENTS_FEW = 3;
const trust = new TrustedNats();
const fewPeels = new TrustedNats(withAgentConnections(AGENTS_FEW));
const opened: NatsConnection[] = [];
afterAll(() => Promise.all(opened.map((each) => each.close())));

describe('a peel', () => {
  it('that subscribes to more than a peel needs is refused what is over it, and the others go on', async () => {
    const server = await begin();
    const [evil, good] = [await open(server, 'peel', 'evil'), await open(server, 'peel', 'good')];
    const errors = errorsOf(evil);
    for (let i = 0; i <= PEEL_SUBSCRIPTIONS_MAX; i++)
      evil.subscribe(`${inboxPrefix('evil')}.x.${i}`, { callback: () => undefined });
    await until(() => errors.some((error) => /maximum subscriptions/i.test(error)), 'the refusal');
    await good.flush();
    expect(good.isClosed()).toBe(false);
    await (await open(server, 'peel', 'next')).flush();
  });

  it('that sends a longer message than a peel may is cut off, also where the server takes it from others', async () => {
    const server = await begin({ payloadBytes: 2 * PEEL_PAYLOAD_BYTES_MAX });
    const [evil, good] = [await open(server, 'peel', 'evil'), await open(server, 'peel', 'good')];
    const master = await open(server, 'master', 'master');
    expect([good.info?.max_payload, master.info?.max_payload]).toEqual([
      PEEL_PAYLOAD_BYTES_MAX,
      2 * PEEL_PAYLOAD_BYTES_MAX,
    ]);
    const heard: number[] = [];
    master.subscribe('zester.event.>', { callback: (_, { data }) => void heard.push(data.length) });
    await master.flush();
    // As much as is allowed gets through.
    good.publish('zester.event.good.x', new Uint8Array(PEEL_PAYLOAD_BYTES_MAX));
    // Its client would keep to what the server told it.
    Object.assign(evil.info ?? {}, { max_payload: 2 * PEEL_PAYLOAD_BYTES_MAX });
    evil.publish('zester.event.evil.x', new Uint8Array(PEEL_PAYLOAD_BYTES_MAX + 1));
    await evil.closed();
    await good.flush();
    await until(() => heard.length > 0, 'the message of the honest peel');
    master.publish('zester.event._master.x', new Uint8Array(PEEL_PAYLOAD_BYTES_MAX + 1));
    await until(() => heard.length > 1, 'the message of the master');
    expect(heard).toEqual([PEEL_PAYLOAD_BYTES_MAX, PEEL_PAYLOAD_BYTES_MAX + 1]);
  });
});

describe('connections', () => {
  it('of peels have a limit of their own: who is in stays in, and masters and the system user still get in', async () => {
    const server = await begin({ connections: 2 * AGENTS_FEW }, fewPeels);
    const inside = [];
    for (let i = 0; i < AGENTS_FEW; i++) inside.push(await open(server, 'peel', 'evil', fewPeels));
    await expect(open(server, 'peel', 'evil', fewPeels)).rejects.toThrow(/account|connections/i);
    for (const role of ['master', 'sys'] as const) await (await open(server, role, role, fewPeels)).flush();
    await Promise.all(inside.map((each) => each.flush()));
    // One leaves, another may come.
    await inside[0]?.close();
    await until(async () => {
      const next = await open(server, 'peel', 'good', fewPeels).catch(() => undefined);
      return next !== undefined;
    }, 'another peel to get in');
  });

  it('of all together end at the limit of the server, and who is in stays in', async () => {
    const server = await begin({ connections: 2 });
    const inside = [await open(server, 'peel', 'a'), await open(server, 'master', 'm')];
    // The server says why before TLS has begun, and clients do not hear it; its log has it.
    await expect(open(server, 'peel', 'b', trust, 2_000)).rejects.toThrow();
    expect(readFileSync(server.logFile, 'utf8')).toMatch(/maximum connections exceeded/i);
    await Promise.all(inside.map((each) => each.flush()));
  });
});

describe('what a server says of its limits', () => {
  it('is what was written, and doctor is content with that', async () => {
    const servers = await settingsOf(await begin());
    expect(servers[0]?.limits).toEqual({
      payloadBytes: 1_048_576,
      pendingBytes: 67_108_864,
      connections: 40_960,
      subscriptions: 65_536,
      writeDeadlineMs: 10_000,
    });
    expect(judgeNatsLimits({ servers }).verdict).toBe('ok');
  });

  it('makes doctor name one that is set otherwise', async () => {
    const servers = await settingsOf(await begin({ connections: 100, pendingBytes: 268_435_456 }));
    const { verdict, found, fix } = judgeNatsLimits({ servers });
    expect([verdict, found]).toEqual([
      'warn',
      `max_pending: ${servers[0]?.name} has 268435456, too wide: at most 67108864; max_connections: ${servers[0]?.name} has 100, too small: at least 33792`,
    ]);
    expect(fix).toContain('`max_pending: 67108864`, `max_connections: 40960`');
  });
});

function begin(limits: NonNullable<ServerConfig['limits']> = {}, of = trust): Promise<TestServer> {
  return startTrustedServer(of.serverTrust, { limits });
}

async function settingsOf(server: TestServer) {
  const line = trust.connect([server.url], 'sys', 'sys');
  try {
    await until(() => line.status() === 'connected', 'the connection');
    return await readServerSettings(line, systemClock);
  } finally {
    await line.close();
  }
}

async function open(
  server: TestServer,
  role: TestRole,
  name: string,
  of = trust,
  timeout = 20_000,
): Promise<NatsConnection> {
  const creds = of.creds(role, name);
  const connection = await connect({
    servers: server.url,
    tls: { caFile: of.caFile },
    authenticator: natsAuthenticator(() => creds),
    reconnect: false,
    timeout,
  });
  opened.push(connection);
  return connection;
}

function errorsOf(connection: NatsConnection): string[] {
  const errors: string[] = [];
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error') errors.push(String(status.error));
  })();
  void connection.closed().then((error) => {
    if (error !== undefined) errors.push(String(error));
  });
  return errors;
}

/** A deployment whose peels may have so many connections. */
function withAgentConnections(conn: number): Topology {
  const nowMs = systemClock.nowMs();
  const topology = newTopology(systemRandom, nowMs);
  const { agents } = topology.public;
  const { name, nats } = decodeJwt<AccountBody>(agents.jwt, 'account');
  const input = { subject: agents.publicKey, name, issuedAtMs: nowMs };
  const body = { ...nats, limits: { ...nats.limits, conn } };
  const jwt = encodeJwt({ ...input, nats: body }, topology.operatorSigning);
  return { ...topology, public: { ...topology.public, agents: { ...agents, jwt } } };
}
