import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { ALL_BUCKETS, BUCKETS } from '../wire/names/buckets.ts';
import { JS_ERROR, streamInfoSubject, streamUpdateSubject } from '../wire/names/jetstream.ts';
import { kvStreamName } from '../wire/names/store-subjects.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../wire/names/streams.ts';
import { type AssetSpecs, ensureAssets } from './assets.ts';
import { openBus } from './bus.ts';
import { MemoryServer } from './memory/memory-server.ts';
import type { Bus } from './port.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const ALL: AssetSpecs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const facts = kvStreamName(BUCKETS.facts.name);

describe('ensureAssets', () => {
  let bus: Bus;
  beforeEach(async () => {
    const random = seededRandom(1);
    const server = new MemoryServer({ clock: systemClock, random });
    bus = openBus(server.connect({ role: 'master', name: 'm' }), { clock: systemClock, random, log: silent });
    await bus.connected();
  });

  const configOf = async (stream: string) =>
    (await bus.api(streamInfoSubject(stream), {})).config as Record<string, unknown>;

  it('makes every declared asset once, and changes nothing the second time', async () => {
    const made = await ensureAssets(bus, ALL, 1);
    expect(made.map(({ action }) => action)).toEqual(made.map(() => 'created'));
    expect(made).toHaveLength(ALL_BUCKETS.length + ALL_STREAMS.length + ALL_OBJECT_STORES.length);
    const again = await ensureAssets(bus, ALL, 1);
    expect(again.map(({ action }) => action)).toEqual(again.map(() => 'unchanged'));
  });

  it('several masters at once do it together without an error', async () => {
    const reports = await Promise.all([1, 2, 3].map(() => ensureAssets(bus, ALL, 1)));
    for (const report of reports)
      expect(report).toHaveLength(ALL_BUCKETS.length + ALL_STREAMS.length + ALL_OBJECT_STORES.length);
  });

  it('switches roll-up headers off again when somebody switched them on, and names it', async () => {
    await ensureAssets(bus, ALL, 1);
    await bus.api(streamUpdateSubject(facts), { ...(await configOf(facts)), allow_rollup_hdrs: true });
    const report = (await ensureAssets(bus, ALL, 1)).filter(({ action }) => action !== 'unchanged');
    expect(report).toMatchObject([{ asset: facts, action: 'corrected', drift: ['allow_rollup_hdrs'] }]);
    expect((await configOf(facts)).allow_rollup_hdrs).toBe(false);
  });

  it('keeps settings that are not ours', async () => {
    await ensureAssets(bus, ALL, 1);
    await bus.api(streamUpdateSubject(facts), {
      ...(await configOf(facts)),
      max_age: 5,
      metadata: { by: 'ops' },
    });
    await ensureAssets(bus, ALL, 1);
    expect(await configOf(facts)).toMatchObject({ max_age: 0, metadata: { by: 'ops' } });
  });

  it('a server that ignores a setting is found out', async () => {
    const deaf: Bus = {
      ...bus,
      tryApi: async (subject, body) => {
        const outcome = await bus.tryApi(subject, body);
        if ('refusal' in outcome) return outcome;
        const { republish: _, ...config } = outcome.answer.config as Record<string, unknown>;
        return { answer: { ...outcome.answer, config } };
      },
    };
    const made = ensureAssets(deaf, { ...ALL, streams: [], objectStores: [] }, 1);
    await expect(made).rejects.toMatchObject({
      code: 'BUS_SETTING_IGNORED',
      params: { setting: 'republish' },
    });
  });

  describe('copies', () => {
    const ONE: AssetSpecs = { buckets: [BUCKETS.facts], streams: [], objectStores: [] };
    /** A cluster that can keep so many of them, and how it says no (nats-server 2.10.27). */
    const clusterOf = (servers: number): Bus => ({
      ...bus,
      tryApi: async (subject, body) => {
        const { num_replicas: wanted = 1 } = body as { num_replicas?: number };
        if (wanted <= servers) return bus.tryApi(subject, body);
        const errorCode = servers === 1 ? JS_ERROR.replicasNotSupported : JS_ERROR.noSuitablePeers;
        return { refusal: { code: 400, errorCode, description: 'no' } };
      },
    });
    const replicas = async () => (await configOf(facts)).num_replicas;

    it('are as many as were asked for, also where there were more', async () => {
      const cluster = clusterOf(3);
      expect(await ensureAssets(cluster, ONE, 3)).toMatchObject([{ action: 'created', replicas: 3 }]);
      expect(await ensureAssets(cluster, ONE, 1)).toMatchObject([
        { action: 'corrected', drift: ['num_replicas'], replicas: 1 },
      ]);
      expect(await replicas()).toBe(1);
    });

    it('at least so many: fewer become more, more stay', async () => {
      const cluster = clusterOf(5);
      await ensureAssets(cluster, ONE, 1);
      expect(await ensureAssets(cluster, ONE, { atLeast: 3 })).toMatchObject([
        { action: 'corrected', drift: ['num_replicas'], replicas: 3 },
      ]);
      expect(await ensureAssets(cluster, ONE, { atLeast: 1 })).toMatchObject([
        { action: 'unchanged', replicas: 3 },
      ]);
      expect(await replicas()).toBe(3);
    });

    it.each([1, 2])('more than %i servers can keep are fewer, and the report says so', async (servers) => {
      const cluster = clusterOf(servers);
      expect(await ensureAssets(cluster, ONE, 3)).toMatchObject([{ action: 'created', replicas: servers }]);
      expect(await ensureAssets(cluster, ONE, 3)).toMatchObject([{ action: 'unchanged', replicas: servers }]);
      await bus.api(streamUpdateSubject(facts), { ...(await configOf(facts)), allow_rollup_hdrs: true });
      expect(await ensureAssets(cluster, ONE, 3)).toMatchObject([
        { action: 'corrected', drift: ['allow_rollup_hdrs'], replicas: servers },
      ]);
      expect(await configOf(facts)).toMatchObject({ allow_rollup_hdrs: false, num_replicas: servers });
    });
  });
});
