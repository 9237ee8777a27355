/**
 * Watches on a real cluster of three, while its nodes are killed one after the other: no watch of a master is blind for
 * more than 2 s, whichever node dies, the one it is connected to included.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { streamInfoSubject } from '../../../src/wire/names/jetstream.ts';
import { kvStreamName } from '../../../src/wire/names/store-subjects.ts';
import { bringBack } from '../../harness/servers/bring-back.ts';
import type { TestCluster } from '../../harness/servers/nats-cluster.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const SEEN_WITHIN_MS = 2_000;
const WRITE_EVERY_MS = 100;
/** Longer than the longest election seen (7 s), so that each kill is watched to its end. */
const WRITES_PER_KILL = 100;
const bucketName = BUCKETS.stateFiles.name;
/** Its hints carry the values. */
const heartbeats = BUCKETS.peelHeartbeat.name;
const WATCHED_KEY = 'watched.value';
/** Narrow, and drowned by writes to another key: a gap in sequences says little about what is new under a filter. */
const WATCHED_FILTER = 'watched.>';
const NOISE_PER_WRITE = 5;

interface Watcher {
  readonly who: string;
  readonly bucket: string;
  readonly bus: AgentBus;
  /** When each value was first seen, by the monotonic clock. */
  readonly seenMs: Map<string, number>;
}

describe('watches on a cluster of three whose nodes are killed', () => {
  const trust = new TrustedNats();
  let cluster: TestCluster;
  let writer: Bus;
  const watchers: Watcher[] = [];

  beforeAll(async () => {
    cluster = await trust.startCluster();
    writer = openBus(trust.connect(cluster.urls, 'master', 'writer'), testRuntime);
    await writer.connected();
    await until(
      () =>
        ensureAssets(
          writer,
          { buckets: [BUCKETS.stateFiles, BUCKETS.peelHeartbeat], streams: [], objectStores: [] },
          3,
        ),
      'the replicated bucket',
      60_000,
    );
  }, 120_000);
  // Fresh ones for every kill, so that each node has a master and a peel of its own when it dies.
  beforeEach(async () => {
    for (const [index, url] of cluster.urls.entries()) {
      watchers.push(
        await masterWatching(index, url, bucketName),
        await masterWatching(index, url, heartbeats),
        await peelWatching(index, url),
      );
    }
  }, 60_000);
  afterEach(async () => {
    await Promise.all(watchers.splice(0).map(({ bus }) => bus.close()));
  });
  afterAll(() => writer?.close());

  async function masterWatching(index: number, url: string, bucket: string): Promise<Watcher> {
    const bus = openBus(trust.connect([url], 'master', `watcher-${index}`), testRuntime);
    const seenMs = new Map<string, number>();
    let replayed = false;
    await bus.connected();
    bus.bucket(bucket).watch(bucket === heartbeats ? '>' : WATCHED_FILTER, {
      changed: (read) => note(seenMs, read.found ? read.value : undefined),
      replayed: () => {
        replayed = true;
      },
    });
    await until(() => replayed, 'the first replay');
    return { who: `master ${index} of ${bucket}`, bucket, bus, seenMs };
  }

  async function peelWatching(index: number, url: string): Promise<Watcher> {
    const bus = openAgentBus(trust.connect([url], 'peel', `web-0${index}`), testRuntime);
    const seenMs = new Map<string, number>();
    let replayed = false;
    await bus.connected();
    bus.bucket(bucketName).watchKeys([WATCHED_KEY], {
      changed: (read) => note(seenMs, read.found ? read.value : undefined),
      replayed: () => {
        replayed = true;
      },
    });
    await until(() => replayed, 'the first read');
    return { who: `peel ${index}`, bucket: bucketName, bus, seenMs };
  }

  /** Writes until it is acknowledged; returns when that was. */
  async function putAcknowledged(bucket: string, value: string): Promise<number> {
    await until(() => writer.bucket(bucket).put(WATCHED_KEY, new TextEncoder().encode(value)), value, 60_000);
    return systemClock.monotonicMs();
  }

  function makeNoise(): void {
    for (let i = 0; i < NOISE_PER_WRITE; i++) {
      writer
        .bucket(bucketName)
        .put('noise', new Uint8Array(1))
        .catch(() => undefined); // best effort: it is only noise
    }
  }

  async function victimOf(role: Role): Promise<TestServer> {
    const { leader } = await bucketCluster(writer);
    const victim = cluster.nodes.find((node) =>
      role === 'meta leader'
        ? isMetaLeader(node, cluster.nodes)
        : (node.name === leader) === (role === 'leader'),
    );
    if (victim === undefined) throw new Error(`no ${role} among the nodes`);
    return victim;
  }

  it.each([
    ['first', 'leader'],
    ['second', 'follower'],
    ['third', 'meta leader'],
  ] as const)(
    '%s kill -9, of a %s: every acknowledged change is seen within 2 s',
    async (turn, role) => {
      const victim = await victimOf(role);
      const ackedMs = { [bucketName]: new Map<string, number>(), [heartbeats]: new Map<string, number>() };
      for (let i = 0; i < WRITES_PER_KILL; i++) {
        if (i === 5) await victim.kill9();
        const value = `${turn}-${i}`;
        makeNoise();
        await Promise.all(
          Object.entries(ackedMs).map(async ([bucket, acked]) =>
            acked.set(value, await putAcknowledged(bucket, value)),
          ),
        );
        await sleep(systemClock, WRITE_EVERY_MS);
      }
      const lastValue = `${turn}-${WRITES_PER_KILL - 1}`;
      await until(
        () => watchers.every(({ seenMs }) => seenMs.has(lastValue)),
        'everyone to see the last write',
      );
      const worst = watchers.map(({ who, bucket, seenMs }) => ({
        who,
        ms: worstDelayMs(ackedMs[bucket] ?? new Map(), seenMs),
      }));
      console.log(worst.map(({ who, ms }) => `${who}: worst ${Math.round(ms)} ms`).join('; '));
      expect(worst.filter(({ ms }) => ms > SEEN_WITHIN_MS)).toEqual([]);
      await bringBack(victim, () => replicasCurrent(writer));
    },
    180_000,
  );
});

type Role = 'leader' | 'follower' | 'meta leader';

/** The node that became it last, by the servers' own logs. */
function isMetaLeader(node: TestServer, nodes: readonly TestServer[]): boolean {
  const [newest] = nodes
    .map((each) => metaLeaderSince(each))
    .sort()
    .reverse();
  return newest !== '' && metaLeaderSince(node) === newest;
}

function metaLeaderSince(node: TestServer): string {
  const lines = node
    .log()
    .split('\n')
    .filter((line) => line.includes('Self is new JetStream cluster metadata leader'));
  return /\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d+/.exec(lines.at(-1) ?? '')?.[0] ?? '';
}

function note(seenMs: Map<string, number>, value: Uint8Array | undefined): void {
  const text = new TextDecoder().decode(value);
  if (!seenMs.has(text)) seenMs.set(text, systemClock.monotonicMs());
}

/** How long after its acknowledgement the slowest change was known: by itself or by a newer one that replaced it. */
function worstDelayMs(ackedMs: ReadonlyMap<string, number>, seenMs: ReadonlyMap<string, number>): number {
  const values = [...ackedMs.keys()];
  let knownMs = Number.POSITIVE_INFINITY;
  let worst = 0;
  for (const value of values.reverse()) {
    knownMs = Math.min(knownMs, seenMs.get(value) ?? Number.POSITIVE_INFINITY);
    worst = Math.max(worst, knownMs - (ackedMs.get(value) ?? 0));
  }
  return worst;
}

interface ClusterInfo {
  readonly leader?: string;
  readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[];
}

async function bucketCluster(bus: Bus): Promise<ClusterInfo> {
  const info = await bus.api(streamInfoSubject(kvStreamName(bucketName)), {});
  return (info.cluster ?? {}) as ClusterInfo;
}

async function replicasCurrent(bus: Bus): Promise<boolean> {
  const { replicas = [] } = await bucketCluster(bus);
  return replicas.length === 2 && replicas.every((replica) => replica.current && replica.offline !== true);
}
