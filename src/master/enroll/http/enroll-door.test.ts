/** What strangers can do to a door without asking anything of the desk behind it. Time stands still: no budget fills up again. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/harness/until.ts';
import { DOOR_BOUNDS, type DoorBounds, DoorLimits } from '../../../core/enroll/desk/door-limits.ts';
import { Metrics } from '../../../daemon/metrics.ts';
import { jsonLog } from '../../../runtime/log.ts';
import { seededRandom } from '../../../runtime/seeded-random.ts';
import { virtualClock } from '../../../runtime/virtual-clock.ts';
import { newCa, openCa } from '../../../trust/x509/ca.ts';
import { ENROLL_CA_PATH, ENROLL_PATH } from '../../../wire/names/enroll-routes.ts';
import { masterMetrics } from '../../master-metrics.ts';
import type { EnrollmentDesk } from '../enrollment-desk.ts';
import { ownCertificate } from './door-certificate.ts';
import { type EnrollDoor, openEnrollDoor } from './enroll-door.ts';

const random = seededRandom(3);
const clock = virtualClock(Date.now());
const { root, intermediate } = newCa(random, clock.nowMs());
const ca = openCa(
  {
    rootPem: root.certificatePem,
    intermediatePem: intermediate.certificatePem,
    intermediateKeyPem: intermediate.keyPem,
  },
  'ca',
);
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function opened(bounds: Partial<DoorBounds> = {}) {
  const lines: string[] = [];
  const runtime = { clock, random, log: jsonLog({ clock, write: (line) => void lines.push(line) }) };
  const metrics = new Metrics();
  const limits = new DoorLimits({ ...DOOR_BOUNDS, ...bounds });
  const door = await openEnrollDoor(
    {
      runtime,
      desk: {} as EnrollmentDesk,
      isReady: () => true,
      certificate: ownCertificate(() => ca, ['localhost'], runtime),
      bootstrap: () => undefined,
      limits,
      metrics: masterMetrics(metrics),
    },
    { host: '127.0.0.1', port: 0 },
  );
  undo.push(() => door.stop());
  /** Of a counter, by a label. */
  const counted = (name: string, label: string) =>
    metrics
      .families()
      .find((family) => family.name === name)
      ?.samples.find(({ labels }) => labels.some(([, value]) => value === label))?.value;
  return { door, limits, lines, counted };
}

/** A connection that never says a word of TLS. */
function silent({ address }: EnrollDoor, localAddress = '127.0.0.1'): Socket {
  const socket = connectTcp({ host: '127.0.0.1', port: address.port, localAddress });
  socket.on('error', () => undefined);
  undo.push(() => socket.destroy());
  return socket;
}

function ask({ address }: EnrollDoor, path: string, method = 'GET', headers = {}): ClientRequest {
  const given = { host: '127.0.0.1', port: address.port, path, method, headers, agent: false };
  return httpsRequest({ ...given, ca: root.certificatePem, servername: 'localhost' });
}

const statusOf = (request: ClientRequest) =>
  new Promise<number | string>((resolve) => {
    request.on('response', (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    request.end();
  });

describe('handshakes', () => {
  it('that no request follows are charged: over the rate a connection is closed before TLS, and others are served', async () => {
    // A rate of 1 is 5 requests at once and 10 handshakes.
    const { door, limits, counted } = await opened({ perSecond: 1 });
    const flood = Array.from({ length: 30 }, () => silent(door, '127.0.0.2'));
    await until(() => flood.filter(({ destroyed }) => destroyed).length === 20, 'twenty to be closed');
    expect([limits.connections.size, counted('zester_enroll_connections_refused_total', 'rate')]).toEqual([
      10, 20,
    ]);
    expect(await statusOf(ask(door, ENROLL_CA_PATH))).toBe(404);
    for (const socket of flood) socket.destroy();
    await until(() => limits.connections.size === 0, 'all to be gone');
    // Also when they are gone: it is the rate, not the number.
    const late = silent(door, '127.0.0.2');
    await until(() => late.destroyed, 'one more to be closed');
  });

  it('of who is a little too fast are made, so that he is told when to come back', async () => {
    const { door } = await opened({ perSecond: 1 });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push(await statusOf(ask(door, ENROLL_CA_PATH)));
    expect(statuses.slice(0, 5)).toEqual([404, 404, 404, 404, 404]);
    expect(statuses.slice(5, 10)).toEqual([429, 429, 429, 429, 429]);
    expect(statuses[10]).toBe('ECONNRESET');
  });
});

describe('a request that breaks off in the middle', () => {
  it('is a bad request, and no line in the log of errors', async () => {
    const { door, lines, counted } = await opened();
    const request = ask(door, ENROLL_PATH, 'POST', {
      'content-type': 'application/json',
      'content-length': '100',
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    request.write('{"peel_id":');
    await until(() => request.socket?.bytesWritten !== undefined, 'a line');
    await new Promise((resolve) => request.write(' ', resolve));
    request.destroy();
    const answers = () => counted('zester_enroll_requests_total', 'submit');
    await until(() => answers() !== undefined, 'the door to notice');
    expect([counted('zester_enroll_requests_total', '500'), lines.join()]).toEqual([undefined, '']);
    expect(counted('zester_enroll_requests_total', '400')).toBe(1);
    expect(await statusOf(ask(door, ENROLL_CA_PATH))).toBe(404);
  });
});
