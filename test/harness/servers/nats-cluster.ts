/**
 * This file starts clusters of real nats-servers on loopback; each node can be killed and restarted on its own.
 *
 * Route ports must be known before the first node starts, so they are taken from the kernel all at once and then
 * released. Should another process take one in between, the whole start is tried again with new ones.
 *
 * So it is when the nodes do not come together: of nodes that start for the first time at the same moment nats-server
 * 2.10.27 now and then forms a meta group of two and never takes in the third, which stood for election in the same
 * term and lost: in none of 105 cases without TLS, in 3 of 40 with TLS and accounts. What Zester says then is
 * tested by test/soak/meta-group-of-two.test.ts.
 */
import { isPortFree } from '../../../src/nats-server/free-ports.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { startNatsServer, type TestServer, type TestServerPlace } from './nats-server.ts';

export interface ClusterPlace extends TestServerPlace {
  readonly index: number;
  readonly clusterPort: number;
  /** `nats-route://127.0.0.1:<port>` of every node. */
  readonly routes: readonly string[];
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** So many of them, the last ones, are configured everywhere and not started yet; see `startAbsent`. */
  readonly absent?: number;
  /** Starts fresh nodes until they have come together, or until JetStream counts with fewer than there are. */
  readonly until?: 'whole' | 'too-small';
  /** Without: plain, JetStream on file storage. */
  readonly renderConfig?: (place: ClusterPlace) => string;
}

export interface TestCluster {
  readonly nodes: readonly TestServer[];
  readonly urls: readonly string[];
  /** Starts one of the nodes that are absent so far. It is stopped with the others, and not in `nodes`. */
  startAbsent(): Promise<TestServer>;
  stop(): Promise<void>;
}

const START_TRIES_MAX = { whole: 5, 'too-small': 150 };
const IN_STEP_MS_MAX = 8_000;
const TOO_SMALL_MS_MAX = 2_500;
const POLL_MS = 50;
/** The server that places streams hears of its peers a moment after they are in step. */
const IN_STEP_POLLS = 8;

/** Ready when the meta leader has every node in step, so that replicated streams can be made at once. */
export async function startCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const wanted = options.until ?? 'whole';
  const triesMax = START_TRIES_MAX[wanted];
  for (let tries = 1; ; tries++) {
    const ports = await freePorts(options.nodes ?? 3);
    const configs = nodeConfigs(options, ports);
    const absent = configs.splice(configs.length - (options.absent ?? 0));
    const nodes = await startAll(configs).catch((error: unknown) => {
      if (tries >= triesMax || !/address already in use/.test(String(error))) throw error;
      return undefined;
    });
    if (nodes === undefined) continue;
    const became = await comeTogether(nodes);
    if (became === wanted) return clusterOf(nodes, absent);
    await stopAll(nodes);
    if (tries >= triesMax) throw new Error(`the nodes became ${became}, not ${wanted}, in ${tries} tries`);
  }
}

type NodeConfig = (place: TestServerPlace) => string;

function clusterOf(nodes: readonly TestServer[], absent: readonly NodeConfig[]): TestCluster {
  const waiting = [...absent];
  const late: TestServer[] = [];
  return {
    nodes,
    urls: nodes.map((node) => node.url),
    async startAbsent() {
      const config = waiting.shift();
      if (config === undefined) throw new Error('all nodes are started');
      const node = await startNatsServer({ config });
      late.push(node);
      return node;
    },
    stop: () => stopAll([...nodes, ...late]),
  };
}

/** All nodes, or none and the first error. */
async function startAll(configs: readonly NodeConfig[]): Promise<TestServer[]> {
  const started = await Promise.allSettled(configs.map((config) => startNatsServer({ config })));
  const nodes = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (nodes.length === configs.length) return nodes;
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

function nodeConfigs(
  { renderConfig: render = plainClusterConfig }: ClusterOptions,
  ports: readonly number[],
): NodeConfig[] {
  const routes = ports.map((port) => `nats-route://127.0.0.1:${port}`);
  return ports.map((clusterPort, index) => (place) => render({ ...place, index, clusterPort, routes }));
}

/** Whether they do in time, or have settled on a meta group that is too small. */
async function comeTogether(nodes: readonly TestServer[]): Promise<'whole' | 'too-small' | 'late'> {
  const startMs = systemClock.monotonicMs();
  let inARow = 0;
  while (inARow < IN_STEP_POLLS) {
    const waitedMs = systemClock.monotonicMs() - startMs;
    const { inStep, tooSmall } = await clusterState(nodes);
    if (tooSmall && waitedMs > TOO_SMALL_MS_MAX) return 'too-small';
    if (waitedMs > IN_STEP_MS_MAX) return 'late';
    inARow = inStep ? inARow + 1 : 0;
    await sleep(systemClock, POLL_MS);
  }
  return 'whole';
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

/**
 * Below the ports that the kernel gives to outgoing connections: a node that was down finds its own free again. Each process of tests
 * begins elsewhere.
 */
const PORTS = { first: 12_000, count: 20_000, apart: 64 };
let nextPort = process.pid * PORTS.apart;

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = PORTS.first + (nextPort % PORTS.count);
    nextPort += 1;
    if (await isPortFree(port)) ports.push(port);
  }
  return ports;
}
