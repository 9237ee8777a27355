/**
 * Clusters of real nats-servers on loopback; each node can be killed and restarted on its own.
 *
 * Route ports must be known before the first node starts, so they are taken from the kernel all at once and then
 * released. Should another process take one in between, the whole start is tried again with new ones.
 */
import { createServer } from 'node:net';
import { sleep } from '../../src/runtime/clock.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { type ServerPlace, startNatsServer, type TestServer } from './nats-server.ts';

export interface ClusterPlace extends ServerPlace {
  readonly index: number;
  readonly clusterPort: number;
  /** `nats-route://127.0.0.1:<port>` of every node. */
  readonly routes: readonly string[];
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** Without: plain, JetStream on file storage. */
  readonly renderConfig?: (place: ClusterPlace) => string;
}

export interface TestCluster {
  readonly nodes: readonly TestServer[];
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const START_TRIES_MAX = 3;
const META_LEADER_MS_MAX = 30_000;
const META_POLL_MS = 50;

/** Ready when every node has seen the meta leader, so that streams can be made at once. */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const render = options.renderConfig ?? plainClusterConfig;
  for (let attempt = 1; ; attempt++) {
    const ports = await freePorts(options.nodes ?? 3);
    const started = await Promise.allSettled(
      ports.map((clusterPort, index) =>
        startNatsServer({ config: nodeConfig(render, ports, clusterPort, index) }),
      ),
    );
    const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (nodes.length === ports.length) {
      await Promise.all(nodes.map(metaLeaderSeen));
      return { nodes, urls: nodes.map((node) => node.url), stop: () => stopAll(nodes) };
    }
    await stopAll(nodes);
    const failure = started.find((result) => result.status === 'rejected');
    if (attempt >= START_TRIES_MAX || !/address already in use/.test(String(failure?.reason)))
      throw failure?.reason;
  }
}

export function plainClusterConfig(place: ClusterPlace): string {
  return [
    'host: 127.0.0.1',
    `server_name: "${place.name}"`,
    `jetstream { store_dir: "${place.storeDir}" }`,
    clusterBlock(place),
    '',
  ].join('\n');
}

/** The `cluster` block for configurations that render the rest themselves. */
export function clusterBlock(place: ClusterPlace): string {
  const routes = place.routes.map((route) => `"${route}"`).join(', ');
  return `cluster { name: "test", listen: "127.0.0.1:${place.clusterPort}", routes: [${routes}], no_advertise: true }`;
}

function nodeConfig(
  render: (place: ClusterPlace) => string,
  ports: readonly number[],
  clusterPort: number,
  index: number,
): (place: ServerPlace) => string {
  const routes = ports.map((port) => `nats-route://127.0.0.1:${port}`);
  return (place) => render({ ...place, index, clusterPort, routes });
}

async function metaLeaderSeen(node: TestServer): Promise<void> {
  const untilMs = systemClock.monotonicMs() + META_LEADER_MS_MAX;
  while (
    !/JetStream cluster (?:new metadata leader|now leader)|Self is new JetStream cluster metadata leader/.test(
      node.log(),
    )
  ) {
    if (systemClock.monotonicMs() > untilMs)
      throw new Error(`no JetStream meta leader; log of ${node.name}:\n${node.log().slice(-4_000)}`);
    await sleep(systemClock, META_POLL_MS);
  }
}

/** Stops all, then fails with the first failure if there was one. */
async function stopAll(nodes: readonly TestServer[]): Promise<void> {
  const results = await Promise.allSettled(nodes.map((node) => node.stop()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function freePorts(count: number): Promise<number[]> {
  const holders = await Promise.all(
    Array.from({ length: count }, async () => {
      const holder = createServer();
      await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
      return holder;
    }),
  );
  const ports = holders.map((holder) => (holder.address() as { port: number }).port);
  await Promise.all(holders.map((holder) => new Promise((resolve) => holder.close(resolve))));
  return ports;
}
