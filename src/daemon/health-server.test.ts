import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../test/harness/until.ts';
import { jsonLog } from '../runtime/log.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { type HealthServer, serveHealth } from './health-server.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const lines: string[] = [];
const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
const pages = {
  '/healthz': () => ({ status: 200, contentType: 'text/plain', body: 'fine ä\n' }),
  '/broken': () => Promise.reject(new Error('oh')),
};

const servers: HealthServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(): Promise<HealthServer> {
  const server = await serveHealth(LOOPBACK, pages, log);
  servers.push(server);
  return server;
}

function ask(server: HealthServer, path: string, method = 'GET', headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const asked = request({ ...server.address, path, method, headers }, (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += String(chunk);
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      asked.on('error', reject);
      asked.end();
    },
  );
}

describe('the health server', () => {
  it('gives a page to GET, its headers alone to HEAD, and closes the connection', async () => {
    const server = await serve();
    const got = await ask(server, '/healthz?verbose=1');
    expect([got.status, got.body]).toEqual([200, 'fine ä\n']);
    expect(got.headers).toMatchObject({
      'content-length': '8',
      connection: 'close',
      'cache-control': 'no-store',
    });
    const head = await ask(server, '/healthz', 'HEAD');
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '8']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
    const { status, headers } = await ask(await serve(), '/healthz', method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('a path that is not there names those that are', async () => {
    const server = await serve();
    expect(await ask(server, '/')).toMatchObject({ status: 404, body: 'there is: /healthz /broken\n' });
    expect((await ask(server, '/healthz/')).status).toBe(404);
  });

  it('a page that fails is logged, and its reason is not told', async () => {
    const got = await ask(await serve(), '/broken');
    expect([got.status, got.body]).toEqual([500, 'a bug; see the log\n']);
    expect(lines.at(-1)).toContain('oh');
  });

  it('an address that is taken is an error that names it', async () => {
    const { address } = await serve();
    await expect(serveHealth(address, pages, log)).rejects.toMatchObject({
      code: 'DAEMON_HEALTH_ADDRESS',
      message: `health and metrics cannot be served on 127.0.0.1:${address.port}: another program listens there`,
    });
    await expect(serveHealth({ host: '192.0.2.1', port: 0 }, pages, log)).rejects.toMatchObject({
      code: 'DAEMON_HEALTH_ADDRESS',
    });
  });

  it('headers without end are cut off', async () => {
    const server = await serve();
    expect((await ask(server, '/healthz', 'GET', { 'x-long': 'x'.repeat(20_000) })).status).toBe(431);
  });

  it('takes a bounded number of connections, and those that say nothing do not keep it from stopping', async () => {
    const server = await serveHealth(LOOPBACK, pages, log);
    const sockets: Socket[] = [];
    for (let i = 0; i < 80; i++) {
      const socket = connect(server.address);
      socket.on('error', () => undefined);
      sockets.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    }
    const open = () => sockets.filter((socket) => !socket.destroyed).length;
    for (const socket of sockets) socket.resume();
    // Long before those that say nothing are closed for that.
    await until(() => open() <= 64, 'connections over the bound to be dropped', 3_000);
    await server.stop();
    await until(() => open() === 0, 'the others to be closed');
  });
});
