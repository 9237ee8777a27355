/**
 * Connecting where it does not work at once: a machine that is too busy for a handshake in time, a server that is just
 * being started again, the wrong certificate, the wrong credentials. A real server behind a line that breaks as told.
 */
import { once } from 'node:events';
import { type AddressInfo, connect as dial, type Server, createServer as tcpServer } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectNats, type NatsLine } from '../../../src/bus/nats/nats-connection.ts';
import type { ZesterError } from '../../../src/core/errors/zester-error.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

/** nats-server's own limit for a handshake is 2 s. */
const LONGER_THAN_DEFAULT_MS = 3_000;
const RETRY_FOR_MS = 30_000;

const nats = new TrustedNats();
const doors: Server[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await nats.startServer();
});
afterAll(async () => {
  for (const door of doors) door.close();
  await server.stop();
});

/** A door to the server that slams in the face of the first `slams` guests, in the middle of their handshake. */
async function slammingDoor(slams: number, port = 0): Promise<{ url: string; guests: () => number }> {
  let guests = 0;
  const door = tcpServer((guest) => {
    const isSlammed = ++guests <= slams;
    const host = dial(server.port, '127.0.0.1');
    for (const [from, to] of [
      [guest, host],
      [host, guest],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    host.pipe(guest);
    // The guest's first bytes are its ClientHello.
    guest.on('data', (bytes) => (isSlammed ? guest.destroy() : host.write(bytes)));
  });
  doors.push(door);
  door.listen(port, '127.0.0.1');
  await once(door, 'listening');
  return { url: `tls://127.0.0.1:${(door.address() as AddressInfo).port}`, guests: () => guests };
}

function command(url: string, options: { caFile?: string; from?: TrustedNats; retryForMs?: number } = {}) {
  const creds = (options.from ?? nats).creds('admin', 'admin');
  return connectNats({
    servers: [url],
    name: 'command',
    inboxName: 'admin',
    authenticator: natsAuthenticator(() => creds),
    caFile: options.caFile ?? nats.caFile,
    runtime: testRuntime,
    giveUpAfterMs: options.retryForMs ?? RETRY_FOR_MS,
  });
}

async function failureOf(line: NatsLine): Promise<ZesterError> {
  await until(() => line.status() === 'closed', 'the command to give up', RETRY_FOR_MS);
  return line.failure() as ZesterError;
}

it('a guest whose handshake takes longer than nats-server’s own limit is let in', async () => {
  const socket = dial(server.port, '127.0.0.1');
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  expect(greeting.toString()).toMatch(/^INFO /);
  await sleep(systemClock, LONGER_THAN_DEFAULT_MS);
  const secure = tlsConnect({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  secure.destroy();
});

it('a command whose handshake was broken off tries again', async () => {
  const { url, guests } = await slammingDoor(2);
  const line = command(url);
  await until(() => line.status() !== 'connecting', 'the command to connect or give up', RETRY_FOR_MS);
  expect([line.status(), guests()]).toEqual(['connected', 3]);
  await line.close();
});

it('when it never succeeds the reason is load, not the certificate', async () => {
  const { url } = await slammingDoor(Number.POSITIVE_INFINITY);
  const failure = await failureOf(command(url, { retryForMs: 500 }));
  expect(failure.code).toBe('BUS_CONNECT_SLOW');
  expect(`${failure.message} ${failure.hint}`).not.toMatch(/certificate|\bCA\b/);
});

it('a server that is just being started again is waited for', async () => {
  const free = tcpServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  const line = command(`tls://127.0.0.1:${port}`);
  await until(() => line.failure() !== undefined, 'the first refusal');
  expect((line.failure() as ZesterError).code).toBe('BUS_UNREACHABLE');
  await slammingDoor(0, port);
  await until(() => line.status() === 'connected', 'the command to connect');
  await line.close();
});

it('a certificate that does not pass and credentials that are not accepted are told at once', async () => {
  const elsewhere = new TrustedNats();
  const first = await slammingDoor(0);
  const certificate = await failureOf(command(first.url, { caFile: elsewhere.caFile }));
  expect([certificate.code, first.guests()]).toEqual(['BUS_CERTIFICATE', 1]);
  expect(certificate.message).toContain(elsewhere.caFile);
  const second = await slammingDoor(0);
  const credentials = await failureOf(command(second.url, { from: elsewhere }));
  expect([credentials.code, second.guests()]).toEqual(['BUS_CREDENTIALS', 1]);
});
