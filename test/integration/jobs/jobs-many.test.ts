/** Many jobs at once on a real nats-server: real masters, real peels, clients with connections of their own. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Bus } from '../../../src/bus/port.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { jobKey, jobReturnKey } from '../../../src/wire/names/keys.ts';
import { ANY, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { rowCodec } from '../../../src/wire/records/job-return.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';
import { until } from '../../harness/until.ts';

const PEELS = 20;
const JOBS = 1_000;
const CLIENTS = 8;
const world = new JobsWorld();
const names = Array.from({ length: PEELS }, (_, i) => `web-${i}`);
/** How often a peel ran a job. */
const runs = new Map<string, number>();
const runKey = (peel: string, jid: string) => `${peel} ${jid}`;

beforeAll(async () => {
  await world.open(2);
  const start = (name: string) => {
    const count = (jid: string) => runs.set(runKey(name, jid), (runs.get(runKey(name, jid)) ?? 0) + 1);
    return world.peel(name, { functions: countingFunctions(count) });
  };
  await Promise.all(names.map(start));
}, 60_000);
afterAll(() => world.close());

/** Two targets each, every peel with every other in turn. */
function jobNumber(i: number): Job {
  const targets = [names[i % PEELS] ?? '', names[(i * 7 + 3) % PEELS] ?? ''];
  const job = world.job([...new Set(targets)], { function: 'test.look' });
  return { ...job, args: { run: job.jid } };
}

it(`${JOBS} jobs from ${CLIENTS} clients: not one lost, doubled or without a row`, async () => {
  const jobs = Array.from({ length: JOBS }, (_, i) => jobNumber(i));
  const waiting = [...jobs];
  const client = async (bus: Bus) => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift())
      expect(await world.dispatch(job, bus)).toEqual({ jid: job.jid });
  };
  const clients = Array.from({ length: CLIENTS }, (_, i) => world.bus('admin', `client-${i}`));
  await Promise.all(clients.map((bus) => bus.connected()));
  await Promise.all(clients.map(client));
  await until(() => world.masters.every((master) => master.state().jobs === 0), 'all jobs to end', 60_000);

  const expectedRuns = jobs.flatMap((job) => job.targets.map((peel) => runKey(peel, job.jid)));
  expect([...runs.keys()].sort()).toEqual(expectedRuns.sort());
  expect([...runs].filter(([, times]) => times !== 1)).toEqual([]);
  const records = await world.admin.bucket(BUCKETS.jobs.name).entries();
  expect(records.map(({ key }) => key).sort()).toEqual(jobs.map((job) => jobKey(job.jid)).sort());
  expect(records.filter(({ value }) => jobCodec.decode(value).status !== 'complete')).toEqual([]);
  const rows = await world.admin.bucket(BUCKETS.jobReturns.name).entries();
  const expectedRows = jobs.flatMap((job) => job.targets.map((peel) => jobReturnKey(job.jid, peel)));
  expect(rows.map(({ key }) => key).sort()).toEqual(expectedRows.sort());
  expect(rows.filter(({ value }) => rowCodec.decode(value).outcome !== 'returned')).toEqual([]);
  expect(await world.storedOn(jobReturnSubject(ANY, ANY))).toBe(expectedRows.length);
}, 120_000);
