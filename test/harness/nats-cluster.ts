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
const IN_STEP_MS_MAX = 30_000;
const POLL_MS = 50;
/** The server that places streams hears of its peers a moment after they are in step. */
const IN_STEP_POLLS = 4;

/** Ready when the meta leader has every node in step, so that replicated streams can be made at once. */
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
      await allInStep(nodes);
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

/** All nodes name the same meta leader, which has every other one in step, and all call themselves healthy. */
async function allInStep(nodes: readonly TestServer[]): Promise<void> {
  const untilMs = systemClock.monotonicMs() + IN_STEP_MS_MAX;
  for (let inARow = 0; inARow < IN_STEP_POLLS; ) {
    inARow = (await areInStep(nodes)) ? inARow + 1 : 0;
    if (systemClock.monotonicMs() > untilMs)
      throw new Error(`the cluster did not come together:\n${nodes.map((node) => node.log()).join('\n')}`);
    await sleep(systemClock, POLL_MS);
  }
}

async function areInStep(nodes: readonly TestServer[]): Promise<boolean> {
  const pages = await Promise.all(nodes.map((node) => monitor(node, '/jsz')));
  const healthy = await Promise.all(nodes.map((node) => monitor(node, '/healthz')));
  const leaders = new Set(pages.map((page) => page?.meta_cluster?.leader));
  // Only the leader lists the others.
  const inStep = pages.map(
    (page) => page?.meta_cluster?.replicas?.filter((peer) => peer.current && !peer.offline).length ?? 0,
  );
  return (
    leaders.size === 1 && inStep.includes(nodes.length - 1) && healthy.every((page) => page?.status === 'ok')
  );
}

interface MonitorPage {
  readonly status?: string;
  readonly meta_cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly { readonly current?: boolean; readonly offline?: boolean }[];
  };
}

async function monitor(node: TestServer, path: string): Promise<MonitorPage | undefined> {
  try {
    return (await (await fetch(`${node.monitorUrl}${path}`)).json()) as MonitorPage;
  } catch {
    // Not there yet.
    return undefined;
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
