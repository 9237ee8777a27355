/** Two masters on a real nats-server, with peels that speak the wire. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { masterKeysOf, newMasterId } from '../../../src/master/master-ports.ts';
import { type Master, startMaster } from '../../../src/master/start-master.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { jobKey, jobReturnPattern } from '../../../src/wire/names/keys.ts';
import { DISPATCH_SUBJECT } from '../../../src/wire/names/subjects.ts';
import { dispatchReplyCodec } from '../../../src/wire/records/dispatch-reply.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { rowCodec } from '../../../src/wire/records/job-return.ts';
import { bareMachine } from '../../harness/master/bare-machine.ts';
import { type PeelScript, ScriptedPeel } from '../../harness/master/master-scripted-peel.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEELS = 20;
const JOBS = 1_000;
const CLIENTS = 8;
const trust = new TrustedNats();
const home = { runtime: testRuntime, account: trust.topology.control };
let server: TestServer;
let admin: Bus;
const masters: Master[] = [];
const buses: { close(): Promise<void> }[] = [];
const peels: ScriptedPeel[] = [];

function connectBus(role: 'master' | 'admin', name: string): Bus {
  const bus = openBus(trust.connect([server.url], role, name), testRuntime);
  buses.push(bus);
  return bus;
}

function master(name: string): Master {
  const identity = {
    masterId: newMasterId(testRuntime),
    host: 'here',
    pid: buses.length + 1,
    bootId: 'boot',
    version: '0',
  };
  const keys = masterKeysOf(trust.topology.control);
  return startMaster({
    ...bareMachine(testRuntime.clock),
    bus: connectBus('master', name),
    runtime: testRuntime,
    trust: keys,
    identity,
    isProcessGone: () => false,
  });
}

async function peel(id: string, script: PeelScript = {}): Promise<ScriptedPeel> {
  const bus = openAgentBus(trust.connect([server.url], 'peel', id), testRuntime);
  buses.push(bus);
  const made = new ScriptedPeel(home, bus, id as PeelId, script);
  await made.start();
  return made;
}

beforeAll(async () => {
  server = await trust.startServer();
  masters.push(master('master-a'), master('master-b'));
  await Promise.all(masters.map(({ ready }) => ready));
  admin = connectBus('admin', 'admin');
  await admin.connected();
  peels.push(...(await Promise.all(Array.from({ length: PEELS }, (_, i) => peel(`web-${i}`)))));
  await until(() => masters.every((each) => each.state().peels === PEELS), 'the facts of all peels');
});
afterAll(async () => {
  await Promise.all(masters.map((each) => each.stop()));
  await Promise.all(buses.map((bus) => bus.close()));
  await server.stop();
});

function jobFor(targets: readonly PeelId[], timeoutMs = 60_000): Job {
  return jobCodec.create({
    jid: newKsuid(systemClock, systemRandom) as Jid,
    function: 'test.ping',
    targets,
    status: 'pending',
    timeout: BigInt(timeoutMs) * 1_000_000n,
  });
}

/** As the CLI does it: again until somebody answers. */
async function dispatch(job: Job): Promise<void> {
  await until(
    async () => {
      const answer = await admin.request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 5_000 });
      return 'jid' in dispatchReplyCodec.decode(answer.data);
    },
    'the dispatch',
    30_000,
  );
}

const record = async (jid: Jid): Promise<Job> => {
  const read = await admin.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid));
  if (!read.found) throw new Error('no record');
  return jobCodec.decode(read.value);
};
const rowsOf = async (jid: Jid) =>
  (await admin.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(jid))).map((entry) =>
    rowCodec.decode(entry.value),
  );

describe('masters on a real nats-server', () => {
  it('20 peels: every one gets the job, proven, and its row', async () => {
    const job = jobFor(peels.map((each) => each.id));
    await dispatch(job);
    await until(async () => (await record(job.jid)).status === 'complete', 'the end');
    expect((await rowsOf(job.jid)).map((row) => row.outcome)).toEqual(Array(PEELS).fill('returned'));
    expect(peels.every((each) => each.heard.every(({ verified }) => verified))).toBe(true);
  });

  it(`${JOBS} jobs from ${CLIENTS} clients: not one lost, doubled or without a row`, async () => {
    const jobs = Array.from({ length: JOBS }, (_, i) => {
      const first = peels[i % PEELS]?.id as PeelId;
      const second = peels[(i * 7 + 3) % PEELS]?.id as PeelId;
      return jobFor([...new Set([first, second])]);
    });
    const waiting = [...jobs];
    const client = async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) await dispatch(job);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await until(() => masters.every((each) => each.state().jobs === 0), 'all jobs to end', 60_000);
    const records = new Map(
      (await admin.bucket(BUCKETS.jobs.name).entries()).map((entry) => [entry.key, entry]),
    );
    const rows = await admin.bucket(BUCKETS.jobReturns.name).keys();
    const rowCounts = new Map<string, number>();
    for (const key of rows) rowCounts.set(key.slice(0, 27), (rowCounts.get(key.slice(0, 27)) ?? 0) + 1);
    for (const job of jobs) {
      const entry = records.get(jobKey(job.jid));
      expect(entry && jobCodec.decode(entry.value).status).toBe('complete');
      expect(rowCounts.get(job.jid)).toBe(job.targets.length);
    }
    expect([...records.keys()].filter((key) => key.startsWith('active.'))).toEqual([]);
  }, 120_000);

  it('NATS killed and restarted in mid-job: the job ends with all its rows', async () => {
    const slow = await peel('slow-0', { runMs: 6_000 });
    await until(() => masters.every((each) => each.state().peels > PEELS), 'its facts');
    const job = jobFor([slow.id, peels[0]?.id as PeelId]);
    await dispatch(job);
    await until(() => slow.ran.includes(job.jid), 'the slow one to accept it');
    await server.kill9();
    await sleep(systemClock, 1_000);
    await server.restart();
    await until(async () => (await record(job.jid)).status === 'complete', 'the end', 40_000);
    expect(await rowsOf(job.jid)).toHaveLength(2);
  }, 90_000);
});
