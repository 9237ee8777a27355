import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { ALL_BUCKETS, BUCKETS } from '../wire/buckets.ts';
import { streamInfoSubject, streamUpdateSubject } from '../wire/jetstream.ts';
import { kvStreamName } from '../wire/store-subjects.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../wire/streams.ts';
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
    for (const report of reports) expect(report).toHaveLength(14);
  });

  it('switches roll-up headers off again when somebody switched them on, and names it', async () => {
    await ensureAssets(bus, ALL, 1);
    await bus.api(streamUpdateSubject(facts), { ...(await configOf(facts)), allow_rollup_hdrs: true });
    const report = (await ensureAssets(bus, ALL, 1)).filter(({ action }) => action !== 'unchanged');
    expect(report).toEqual([{ asset: facts, action: 'corrected', drift: ['allow_rollup_hdrs'] }]);
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
      api: async (subject, body) => {
        const answer = await bus.api(subject, body);
        const { republish: _, ...config } = answer.config as Record<string, unknown>;
        return { ...answer, config };
      },
    };
    const made = ensureAssets(deaf, { ...ALL, streams: [], objectStores: [] }, 1);
    await expect(made).rejects.toMatchObject({
      code: 'BUS_SETTING_IGNORED',
      params: { setting: 'republish' },
    });
  });
});
