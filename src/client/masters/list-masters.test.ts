import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import type { Bus } from '../../bus/port.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { TARGET_RESOLVE_SUBJECT } from '../../wire/names/subjects.ts';
import { masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { listMasters } from './list-masters.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const buckets = [BUCKETS.masterHeartbeat, BUCKETS.leases, BUCKETS.jobs];

describe('listMasters', () => {
  let clock: VirtualClock;
  let bus: Bus;
  beforeEach(async () => {
    clock = virtualClock();
    const random = seededRandom(1);
    const runtime = { clock, random, log: silent };
    bus = openBus(new MemoryServer({ clock, random }).connect({ role: 'master', name: 'm' }), runtime);
    const open = bus.connected().then(() => ensureAssets(bus, { buckets, streams: [], objectStores: [] }, 1));
    await clock.advance(100);
    await open;
  });

  const beat = () => {
    const masterId = 'master-1' as MasterId;
    const value = masterHeartbeatCodec.encode(masterHeartbeatCodec.create({ masterId }));
    void bus.bucket(BUCKETS.masterHeartbeat.name).put(masterId, value);
  };
  const answerQuestions = () =>
    bus.subscribe(TARGET_RESOLVE_SUBJECT, ({ reply }) => bus.publish(reply ?? '', new Uint8Array(0)));
  const settled = async () => {
    let tookMs = 0;
    const begunMs = clock.monotonicMs();
    const look = listMasters(clientOf(bus, { clock, random: seededRandom(1), log: silent })).then(
      (masters) => {
        tookMs = clock.monotonicMs() - begunMs;
        return masters.map(({ state }) => state);
      },
    );
    await clock.advance(60_000);
    return { states: await look, tookMs };
  };

  it('a living master is told at once', async () => {
    beat();
    await clock.advance(10);
    expect(await settled()).toMatchObject({ states: ['alive'], tookMs: 0 });
  });

  it('where nobody answers there is no master, and nobody waits', async () => {
    expect(await settled()).toMatchObject({ states: [], tookMs: 0 });
  });

  it('a master that answers and has no heartbeat yet is waited for', async () => {
    void answerQuestions();
    clock.after(2_000, beat);
    expect(await settled()).toMatchObject({ states: ['alive'], tookMs: 3_000 });
  });

  it('but not for ever', async () => {
    void answerQuestions();
    const { states, tookMs } = await settled();
    expect(states).toEqual([]);
    expect(tookMs).toBeLessThan(20_000);
  });
});
