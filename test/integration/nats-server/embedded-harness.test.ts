/** The test servers that other integration tests stand on. */
import { connect } from '@nats-io/transport-node';
import { expect, it } from 'vitest';
import { isProcessAlive } from '../../../src/process/process-table.ts';
import { startCluster } from '../../harness/servers/nats-cluster.ts';
import { startNatsServer } from '../../harness/servers/nats-server.ts';

it('a test server keeps its port and its store over kill -9 and restart', async () => {
  const server = await startNatsServer();
  const { url, pid } = server;
  const nc = await connect({ servers: url });
  await nc.request(
    '$JS.API.STREAM.CREATE.T',
    JSON.stringify({ name: 'T', subjects: ['t'], storage: 'file' }),
  );
  await server.kill9();
  expect(isProcessAlive(pid)).toBe(false);
  await server.restart();
  expect(server.url).toBe(url);
  await nc.close();
  const again = await connect({ servers: url });
  const info = await again.request('$JS.API.STREAM.INFO.T');
  expect(info.json()).toMatchObject({ config: { name: 'T' } });
  await again.close();
  await server.stop();
});

it('a permission violation that nobody announced fails the stop, an announced one does not', async () => {
  const config = `host: 127.0.0.1
    authorization { users: [{ user: u, password: p, permissions: { publish: ["a"], subscribe: ["a"] } }] }`;
  const violate = async (server: { url: string }) => {
    const nc = await connect({ servers: server.url, user: 'u', pass: 'p' });
    nc.publish('forbidden');
    await nc.flush();
    await nc.close();
  };
  const strict = await startNatsServer({ config });
  await violate(strict);
  await expect(strict.stop()).rejects.toThrow(/forbidden/);
  const told = await startNatsServer({ config });
  told.expectViolation(/Subject "forbidden"/);
  await violate(told);
  await told.stop();
});

it('a cluster of three serves a replicated stream, also with one node killed', async () => {
  const cluster = await startCluster({ nodes: 3 });
  const nc = await connect({ servers: [...cluster.urls], noRandomize: true });
  const wanted = { name: 'R', subjects: ['r'], storage: 'file', num_replicas: 3 };
  // The leader may refuse a moment longer, until it has heard of every peer.
  const create = () => nc.request('$JS.API.STREAM.CREATE.R', JSON.stringify(wanted)).then((m) => m.json());
  await expect.poll(create, { timeout: 15_000 }).toMatchObject({ config: { num_replicas: 3 } });
  await cluster.nodes[2]?.kill9();
  await expect
    .poll(async () => (await nc.request('r', 'x')).json(), { timeout: 30_000 })
    .toHaveProperty('seq');
  await cluster.nodes[2]?.restart();
  await nc.close();
  await cluster.stop();
}, 90_000);
