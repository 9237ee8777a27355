import { beforeEach, describe, expect, it } from 'vitest';
import { ensureAssets } from '../bus/assets.ts';
import { openBus } from '../bus/bus.ts';
import { PLAIN_FILES } from '../bus/file-set/plain-files.ts';
import { filePublisher } from '../bus/file-set/publish-file-set.ts';
import { MemoryServer } from '../bus/memory/memory-server.ts';
import type { Bus } from '../bus/port.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../runtime/virtual-clock.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import type { MasterId, PeelId } from '../wire/names/ids.ts';
import { FILESERVER_STATUS_SUBJECT, TARGET_RESOLVE_SUBJECT } from '../wire/names/subjects.ts';
import { factsCodec } from '../wire/records/facts.ts';
import { FILE_SETS } from '../wire/records/file-set.ts';
import { filesReplyCodec, filesSetReportCodec } from '../wire/records/fileserver.ts';
import { masterHeartbeatCodec, type PeelHeartbeat, peelHeartbeatCodec } from '../wire/records/heartbeat.ts';
import { resolveResponseCodec } from '../wire/records/target-resolve.ts';
import type { FleetEvent } from './fleet-event.ts';
import { whenReady } from './fleet-ready.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const buckets = [
  BUCKETS.masterHeartbeat,
  BUCKETS.peelHeartbeat,
  BUCKETS.facts,
  BUCKETS.stateFiles,
  BUCKETS.settingsFiles,
];
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
    files = {};
    settingsState = 'absent';
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
  /** What each peel has of the published files. */
  let files: Partial<PeelHeartbeat>;
  const peel = (name: string, bornMs = startedMs) =>
    keepBeating(() => {
      const beat = { timestamp: nanosFromMs(clock.nowMs()), since: nanosFromMs(bornMs), ...files };
      return bus
        .bucket(BUCKETS.peelHeartbeat.name)
        .put(name, peelHeartbeatCodec.encode(peelHeartbeatCodec.create(beat)));
    });
  const facts = (name: string) => bus.bucket(BUCKETS.facts.name).put(name, factsCodec.encode({ os: 'x' }));
  /** How the publisher says that the settings stand. */
  let settingsState: string;
  const answers = async () => {
    await bus.subscribe(TARGET_RESOLVE_SUBJECT, ({ reply }) => {
      const peels = known as PeelId[];
      if (reply !== undefined)
        bus.publish(reply, resolveResponseCodec.encode({ peels, facts: {}, error: '', code: '' }));
    });
    await bus.subscribe(FILESERVER_STATUS_SUBJECT, ({ reply }) => {
      const sets = [filesSetReportCodec.create({ set: 'settings', state: settingsState })];
      const answer = filesReplyCodec.create({ master: 'master-11' as MasterId, sets });
      if (reply !== undefined) bus.publish(reply, filesReplyCodec.encode(answer));
    });
  };

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

  async function everybody(): Promise<void> {
    await answers();
    master(11);
    for (const name of ALL_PEELS) {
      peel(name);
      await facts(name);
    }
  }

  const publishSettings = () => {
    const bytes = Buffer.from('x');
    const file = { path: 'top.zy', sha256: PLAIN_FILES.digest(bytes), size: 1, read: async () => bytes };
    return filePublisher(bus, FILE_SETS.settings, runtime).publish([file], { force: false });
  };

  it('waits for files that are still to be published, and then until the peels have them', async () => {
    settingsState = 'waiting';
    await everybody();
    const state = waiting();
    await clock.advance(3_000);
    expect(state).toEqual({});
    const published = publishSettings();
    await clock.advance(3_000);
    expect([(await published).is, state]).toEqual(['published', {}]);
    files = { settingsRevision: 1 };
    await clock.advance(6_000);
    expect(state).toEqual({ missing: [] });
  });

  it('does not wait for files that cannot be published, nor for a peel that says what is wrong', async () => {
    settingsState = 'broken';
    await everybody();
    const first = waiting();
    await clock.advance(1_000);
    expect(first).toEqual({ missing: [] });
    const published = publishSettings();
    await clock.advance(1_000);
    await published;
    files = { filesProblem: 'settings: disk full' };
    const second = waiting();
    await clock.advance(6_000);
    expect(second).toEqual({ missing: [] });
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
