import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import type { Connection } from '../../bus/connection.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { activeJobKey, jobKey } from '../../wire/names/keys.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { findJob } from './find-job.ts';
import { listActiveJobs, listJobs } from './read-jobs.ts';

const ALL = { accepts: () => true, since: undefined };

/** A store with so many jobs, written as masters write them, and a bus that counts what it asks. */
async function worldWith(count: number) {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    watched.catch(() => undefined);
    while (!isDone) await clock.advance(5);
    return watched;
  };
  const connection = server.connect({ role: 'master', name: 'm' });
  let asked = 0;
  const counting = new Proxy(connection, {
    get(target, name) {
      if (name === 'publish') asked += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as Connection;
  const bus = openBus(counting, runtime);
  await settled(bus.connected());
  await settled(ensureAssets(bus, { buckets: [BUCKETS.jobs], streams: [], objectStores: [] }, 1));
  const bucket = bus.bucket(BUCKETS.jobs.name);
  const jobs: Job[] = [];
  for (let i = 0; i < count; i++) {
    const jid = newKsuid(clock, random) as Jid;
    const job = jobCodec.create({
      jid,
      function: 'test.ping',
      status: 'pending',
      created: nanosFromMs(clock.nowMs()),
    });
    for (const status of ['claimed', 'running', 'complete'] as const) {
      await settled(bucket.put(jobKey(jid), jobCodec.encode({ ...job, status })));
      if (status === 'claimed') await settled(bucket.put(activeJobKey(jid), new Uint8Array()));
    }
    await settled(bucket.delete(activeJobKey(jid)));
    jobs.push(job);
    await clock.advance(1_000);
  }
  const costOf = async <T>(work: () => Promise<T>) => {
    asked = 0;
    return { value: await settled(work()), asked };
  };
  return { client: clientOf(bus, runtime), jobs, costOf, bucket, settled };
}

describe('a list of jobs', () => {
  it('costs what it shows, however long the history is', async () => {
    const cost = async (history: number) => {
      const { client, jobs, costOf } = await worldWith(history);
      const { value, asked } = await costOf(() => listJobs(client, ALL, 10));
      expect(value.jobs.map(({ jid }) => jid)).toEqual(jobs.slice(-10).map(({ jid }) => jid));
      expect(value.jobs.every(({ status }) => status === 'complete')).toBe(true);
      return asked;
    };
    const [short, long] = [await cost(100), await cost(400)];
    expect(long).toBeLessThanOrEqual(short + 2);
    expect(long).toBeLessThan(300);
  });

  it('tells of a record that cannot be read, and lists the others', async () => {
    const { client, jobs, costOf, bucket, settled } = await worldWith(3);
    await settled(bucket.put(jobKey(jobs[1]?.jid ?? ('' as Jid)), Uint8Array.of(0xc1)));
    const { value } = await costOf(() => listJobs(client, ALL, 10));
    expect(value.jobs.map(({ jid }) => jid)).toEqual([jobs[0]?.jid, jobs[2]?.jid]);
    expect(value.unreadable).toEqual([
      { kind: 'job', key: jobs[1]?.jid, problem: expect.stringContaining('Job') },
    ]);
  });
});

describe('the jobs that are not finished', () => {
  it('are read together, in order; one without a record is named', async () => {
    const { client, jobs, bucket, settled } = await worldWith(30);
    const gone = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
    for (const jid of [...jobs.map((job) => job.jid), gone])
      await settled(bucket.put(activeJobKey(jid), new Uint8Array()));
    const { jobs: active, withoutRecord } = await settled(listActiveJobs(client));
    expect(active.map(({ jid }) => jid)).toEqual(jobs.map(({ jid }) => jid));
    expect(withoutRecord).toEqual([gone]);
  });
});

describe('the beginning of a job id', () => {
  it('is enough where it is the only one; what the id begins is found by few questions', async () => {
    const { client, jobs, costOf } = await worldWith(100);
    const jid = jobs[42]?.jid ?? '';
    const { value, asked } = await costOf(() => findJob(client, jid.slice(0, 12)));
    expect(value.jid).toBe(jid);
    expect(asked).toBeLessThanOrEqual(3);
    expect((await costOf(() => findJob(client, jid))).asked).toBe(1);
  });

  it.each([
    ['zzzz', 'CLI_JOB_UNKNOWN'],
    ['*', 'CLI_JOB_UNKNOWN'],
    ['', 'CLI_JOB_UNKNOWN'],
    ['active', 'CLI_JOB_UNKNOWN'],
  ])('%j is nobody', async (part, code) => {
    const { client, costOf } = await worldWith(2);
    await expect(costOf(() => findJob(client, part))).rejects.toMatchObject({ code });
  });

  it('that several have is refused with the newest of them', async () => {
    const { client, jobs, costOf } = await worldWith(9);
    const [first = ''] = jobs[0]?.jid ?? '';
    await expect(costOf(() => findJob(client, first))).rejects.toMatchObject({
      code: 'CLI_JOB_AMBIGUOUS',
      message: expect.stringMatching(
        new RegExp(
          `^9 jobs begin with ${first}:\\n  ${jobs[4]?.jid} [^]*${jobs[8]?.jid} .*\\n  and 4 older ones$`,
        ),
      ),
    });
  });
});
