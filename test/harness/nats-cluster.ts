/**
 * Clusters of real nats-servers on loopback; each node can be killed and restarted on its own.
 *
 * Route ports must be known before the first node starts, so they are taken from the kernel all at once and then
 * released. Should another process take one in between, the whole start is tried again with new ones.
 *
 * So it is when the nodes do not come together: of nodes that start for the first time at the same moment, in about
 * 3 of 100 cases nats-server 2.10.27 forms a meta group of two and never takes in the third.
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

const START_TRIES_MAX = 5;
const IN_STEP_MS_MAX = 8_000;
const TOO_SMALL_MS_MAX = 2_500;
const POLL_MS = 50;
/** The server that places streams hears of its peers a moment after they are in step. */
const IN_STEP_POLLS = 8;

/** Ready when the meta leader has every node in step, so that replicated streams can be made at once. */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  for (let tries = 1; ; tries++) {
    const nodes = await tryCluster(options).catch((error: unknown) => {
      if (tries >= START_TRIES_MAX || !/address already in use/.test(String(error))) throw error;
      return undefined;
    });
    if (nodes === undefined) continue;
    if (await comeTogether(nodes))
      return { nodes, urls: nodes.map((node) => node.url), stop: () => stopAll(nodes) };
    await stopAll(nodes);
    if (tries >= START_TRIES_MAX) throw new Error(`the nodes did not come together in ${tries} tries`);
  }
}

/** All nodes, or none and the first error. */
async function tryCluster(options: ClusterOptions): Promise<TestServer[]> {
  const render = options.renderConfig ?? plainClusterConfig;
  const ports = await freePorts(options.nodes ?? 3);
  const started = await Promise.allSettled(
    ports.map((clusterPort, index) =>
      startNatsServer({ config: nodeConfig(render, ports, clusterPort, index) }),
    ),
  );
  const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (nodes.length === ports.length) return nodes;
  await stopAll(nodes);
  throw started.find((result) => result.status === 'rejected')?.reason;
}

/** The node that leads the meta group, by the word of all of them. */
export async function metaLeader(nodes: readonly TestServer[]): Promise<TestServer | undefined> {
  const pages = await Promise.all(nodes.map((node) => monitor(node, '/jsz')));
  const names = new Set(pages.map((page) => page?.meta_cluster?.leader));
  return names.size === 1 ? nodes.find(({ name }) => names.has(name)) : undefined;
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

/** False when they do not in time, or have settled on a meta group that is too small. */
async function comeTogether(nodes: readonly TestServer[]): Promise<boolean> {
  const startMs = systemClock.monotonicMs();
  let inARow = 0;
  while (inARow < IN_STEP_POLLS) {
    const waitedMs = systemClock.monotonicMs() - startMs;
    const { inStep, tooSmall } = await clusterState(nodes);
    if (waitedMs > IN_STEP_MS_MAX || (tooSmall && waitedMs > TOO_SMALL_MS_MAX)) return false;
    inARow = inStep ? inARow + 1 : 0;
    await sleep(systemClock, POLL_MS);
  }
  return true;
}

async function clusterState(nodes: readonly TestServer[]): Promise<{ inStep: boolean; tooSmall: boolean }> {
  const pages = await Promise.all(nodes.map((node) => monitor(node, '/jsz')));
  const healthy = await Promise.all(nodes.map((node) => monitor(node, '/healthz')));
  const groups = pages.map((page) => page?.meta_cluster);
  const hasOneLeader = new Set(groups.map((group) => group?.leader)).size === 1;
  // Only the leader lists the others.
  const current = groups.map(
    (group) => group?.replicas?.filter((peer) => peer.current && !peer.offline).length ?? 0,
  );
  const inStep =
    hasOneLeader && current.includes(nodes.length - 1) && healthy.every((page) => page?.status === 'ok');
  const tooSmall = hasOneLeader && groups.every((group) => (group?.cluster_size ?? 0) < nodes.length);
  return { inStep, tooSmall };
}

interface MonitorPage {
  readonly status?: string;
  readonly meta_cluster?: {
    readonly leader?: string;
    readonly cluster_size?: number;
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
