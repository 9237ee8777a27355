import { beforeEach, describe, expect, it } from 'vitest';
import { ensureAssets } from '../bus/assets.ts';
import { openBus } from '../bus/bus.ts';
import { MemoryServer } from '../bus/memory/memory-server.ts';
import type { Bus } from '../bus/port.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import type { MasterId, PeelId } from '../wire/names/ids.ts';
import { TARGET_RESOLVE_SUBJECT } from '../wire/names/subjects.ts';
import { factsCodec } from '../wire/records/facts.ts';
import { masterHeartbeatCodec, peelHeartbeatCodec } from '../wire/records/heartbeat.ts';
import { resolveResponseCodec } from '../wire/records/target-resolve.ts';
import type { FleetEvent } from './fleet-event.ts';
import { whenReady } from './fleet-ready.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const buckets = [BUCKETS.masterHeartbeat, BUCKETS.peelHeartbeat, BUCKETS.facts];
const MASTERS = [{ name: 'master-1', pid: 11 }];
const PEELS = [{ name: 'web-01' }, { name: 'db-01' }];
const ALL_PEELS = ['web-01', 'db-01'];

describe('whenReady', () => {
  let clock: VirtualClock;
  let runtime: Runtime;
  let bus: Bus;
  let startedMs: number;
  /** What the masters answer with. */
  let known: string[];
  let said: FleetEvent[];

  beforeEach(async () => {
    clock = virtualClock();
    const random = seededRandom(1);
    runtime = { clock, random, log: silent };
    bus = openBus(new MemoryServer({ clock, random }).connect({ role: 'master', name: 'm' }), runtime);
    const open = bus.connected().then(() => ensureAssets(bus, { buckets, streams: [], objectStores: [] }, 1));
    await clock.advance(100);
    await open;
    startedMs = clock.nowMs();
    known = [...ALL_PEELS];
    said = [];
  });

  /** As those processes would, every few seconds. */
  const keepBeating = (beat: () => Promise<unknown>): void => {
    void beat();
    clock.after(5_000, () => keepBeating(beat));
  };
  const master = (pid: number, leaving = false) =>
    keepBeating(() => {
      const masterId = `master-${pid}` as MasterId;
      const beat = { masterId, pid, leaving, timestamp: nanosFromMs(clock.nowMs()) };
      return bus
        .bucket(BUCKETS.masterHeartbeat.name)
        .put(masterId, masterHeartbeatCodec.encode(masterHeartbeatCodec.create(beat)));
    });
  const peel = (name: string, bornMs = startedMs) =>
    keepBeating(() => {
      const beat = { timestamp: nanosFromMs(clock.nowMs()), since: nanosFromMs(bornMs) };
      return bus
        .bucket(BUCKETS.peelHeartbeat.name)
        .put(name, peelHeartbeatCodec.encode(peelHeartbeatCodec.create(beat)));
    });
  const facts = (name: string) => bus.bucket(BUCKETS.facts.name).put(name, factsCodec.encode({ os: 'x' }));
  const answers = () =>
    bus.subscribe(TARGET_RESOLVE_SUBJECT, ({ reply }) => {
      const peels = known as PeelId[];
      if (reply !== undefined)
        bus.publish(reply, resolveResponseCodec.encode({ peels, facts: {}, error: '', code: '' }));
    });

  /** Starts to wait; tells whether it is over, and with whom missing. */
  function waiting(masters = MASTERS, peels = PEELS, signal = new AbortController().signal) {
    const state: { missing?: readonly string[]; error?: unknown } = {};
    whenReady(bus, { masters, peels, since: nanosFromMs(startedMs) }, runtime, signal, (event) =>
      said.push(event),
    ).then(
      (missing) => Object.assign(state, { missing }),
      (error: unknown) => Object.assign(state, { error }),
    );
    return state;
  }

  it('is over when masters and peels have shown themselves and the masters know the peels', async () => {
    const state = waiting();
    master(11);
    peel('web-01');
    peel('db-01');
    await facts('web-01');
    await clock.advance(1_000);
    expect(state).toEqual({});
    await facts('db-01');
    await clock.advance(1_000);
    expect(state).toEqual({});
    known = ['web-01'];
    await answers();
    await clock.advance(1_000);
    expect(state).toEqual({});
    known = [...ALL_PEELS];
    await clock.advance(1_000);
    expect([state, said]).toEqual([{ missing: [] }, []]);
  });

  it('takes no sign of an earlier life for one of this', async () => {
    await answers();
    await facts('web-01');
    await facts('db-01');
    master(7);
    master(11, true);
    peel('web-01');
    peel('db-01', startedMs - 1);
    const state = waiting();
    await clock.advance(30_000);
    expect(state).toEqual({});
    await clock.advance(40_000);
    expect(state).toEqual({ missing: ['master-1', 'db-01'] });
    expect(said).toEqual([{ kind: 'waiting', missing: ['master-1', 'db-01'] }]);
  });

  it('names the peels that the masters do not know when the time is up', async () => {
    await answers();
    master(11);
    for (const name of ALL_PEELS) {
      peel(name);
      await facts(name);
    }
    known = ['web-01'];
    const state = waiting();
    await clock.advance(70_000);
    expect(state).toEqual({ missing: ['db-01'] });
  });

  it('asks nobody when there are no masters, or no peels', async () => {
    master(11);
    const withoutMasters = waiting([], []);
    const withoutPeels = waiting(MASTERS, []);
    await clock.advance(1_000);
    expect([withoutMasters, withoutPeels]).toEqual([{ missing: [] }, { missing: [] }]);
  });

  it('ends at once with the reason of an interruption', async () => {
    const interruption = new AbortController();
    const state = waiting(MASTERS, PEELS, interruption.signal);
    await clock.advance(1_000);
    interruption.abort();
    await clock.advance(0);
    expect(state).toEqual({ error: interruption.signal.reason });
  });
});
