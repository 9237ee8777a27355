/** The last moments of a job: returns that come while it is being counted, and owners that are owners no more. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { failingBus } from '../../../test/harness/master/master-bus.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import type { Bus } from '../../bus/port.ts';
import { joinedStreams } from '../../bus/stream/joined-streams.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId, PeelId } from '../../wire/names/ids.ts';
import { jobKey, jobReturnKey } from '../../wire/names/keys.ts';
import { PEEL_WORD_STREAMS } from '../../wire/names/streams.ts';
import { jobStatusSubject } from '../../wire/names/subjects.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { type Return, returnCodec } from '../../wire/records/job-return.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());

const OTHER = 'master-2hPx2Kd8VnR7YmWqTz4PLsCfNjA' as MasterId;
const unavailable = zesterError('BUS_STORE_UNAVAILABLE', { what: 'test', reason: 'no leader' });
const timeout = zesterError('BUS_TIMEOUT', { what: 'test', ms: 1 });
const A_JOB = /^jobs\/[0-9A-Za-z]{27}$/;

async function takeOver(world: MasterWorld, job: Job): Promise<void> {
  const jobs = world.admin.bucket(BUCKETS.jobs.name);
  const read = await world.settled(jobs.getLatest(jobKey(job.jid)), 'the record');
  if (!read.found) throw new Error('no record');
  const taken = jobCodec.encode({ ...jobCodec.decode(read.value), owner: OTHER });
  const outcome = await world.settled(jobs.update(jobKey(job.jid), taken, read.revision), 'the takeover');
  expect(outcome.won).toBe(true);
}

async function statusEvents(world: MasterWorld, job: Job): Promise<number> {
  let count = 0;
  const read = joinedStreams(world.admin, PEEL_WORD_STREAMS).replay(
    { filter: jobStatusSubject(job.jid) },
    () => {
      count += 1;
    },
  );
  await world.settled(read, 'the events');
  return count;
}

/** A master that does not hear returns, though its line seems good, and whose share of the stream others work on. */
function deafBus(bus: Bus): Bus {
  return {
    ...bus,
    subscribe: (subject, handle, options) =>
      bus.subscribe(subject, subject.includes('.return.') ? () => undefined : handle, options),
    stream: (name) => ({
      ...bus.stream(name),
      consume: () => ({ stop: async () => undefined }),
    }),
  };
}

describe('a return that the owner did not hear', () => {
  it('is found in the stream, long before the deadline', async () => {
    const world = makeWorld();
    await world.master({}, deafBus(world.connectMaster()));
    const peel = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0'], { timeout: 3_600_000_000_000n });
    await world.dispatch(job);
    await world.settled(peel.returnNow(job.jid), 'its return');
    await world.clock.advance(40_000);
    expect(await world.record(job.jid)).toMatchObject({ status: 'complete', returnCount: 1 });
  });
});

describe('returns that the shared consumer brings after their job has ended', () => {
  it('cost the store no read: the master remembers which rows it has stored', async () => {
    const world = makeWorld();
    const trap = new Trap();
    // The deliveries of the consumer are held until the job is over.
    let deliver: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    const late = (bus: Bus): Bus => ({
      ...bus,
      stream: (name) => {
        const stream = bus.stream(name);
        return {
          ...stream,
          consume: (spec, options, handle) =>
            stream.consume(spec, options, (delivery) => over.then(() => handle(delivery))),
        };
      },
    });
    await world.master({}, late(trap.bus(world.connectMaster())));
    const peels = await world.peels(20);
    const job = world.job(peels.map((peel) => peel.id));
    await world.dispatch(job);
    await world.clock.advance(5_000);
    expect(await world.record(job.jid)).toMatchObject({ status: 'complete', returnCount: 20 });
    const before = trap.calls.length;
    deliver();
    await world.clock.advance(2_000);
    const reads = trap.calls.slice(before).filter(({ on }) => on.startsWith('job-returns/'));
    expect(reads).toEqual([]);
  });
});

describe('a return that comes between the rows and the record', () => {
  it.each([1, 2])('is counted in the end, with %d masters', async (masters) => {
    const world = makeWorld();
    let isEnding = false;
    // The store refuses the final record for some seconds.
    const fault = { op: 'update', on: A_JOB, error: unavailable, times: 6, armed: () => isEnding };
    const { calls, bus } = failingBus(world.connectMaster(), fault);
    await world.master({}, bus);
    const peels = await world.peels(4, { returns: false });
    const job = world.job(
      peels.map((peel) => peel.id),
      { timeout: 5_000_000_000n },
    );
    await world.dispatch(job);
    if (masters === 2) await world.master();
    isEnding = true;
    await world.until(
      () => calls.filter(({ op, on }) => op === 'update' && A_JOB.test(on)).length > 2,
      'the end to begin',
    );
    expect((await world.record(job.jid))?.status).toBe('running');
    expect((await world.rows(job.jid)).map((row) => row.unreachable)).toEqual([true, true, true, true]);
    for (const peel of peels) await world.settled(peel.returnNow(job.jid), 'its return');
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the recount');
    expect(await world.record(job.jid)).toMatchObject({ returnCount: 4, successCount: 4 });
    expect((await world.rows(job.jid)).map((row) => row.outcome)).toEqual(Array(4).fill('returned'));
  });

  it('is counted before the job ends when there was no room for it', async () => {
    const world = makeWorld();
    const trap = new Trap();
    await world.master({ rowBytesMax: 1 }, trap.bus(world.connectMaster()));
    const peels = await world.peels(2, { returns: false });
    const job = world.job(['web-0', 'web-1'], { timeout: 5_000_000_000n });
    await world.dispatch(job);
    await world.clock.advance(9_000);
    const first = trap.hold(callOf('create', /^job-returns\/.*web-0$/));
    // The other way to the row is slow as well.
    trap.hold(callOf('get', /^job-returns\//));
    for (const peel of peels) await world.settled(peel.returnNow(job.jid), 'its return');
    // The end begins, and waits for the first row.
    await world.clock.advance(5_000);
    expect((await world.record(job.jid))?.status).toBe('running');
    first.release();
    await world.until(async () => (await world.record(job.jid))?.status !== 'running', 'the end');
    expect(await world.record(job.jid)).toMatchObject({ status: 'complete', returnCount: 2 });
  });

  const storeRow = async (world: MasterWorld, job: Job, given: Partial<Return>) => {
    const row = returnCodec.create({
      jid: job.jid,
      peelId: 'web-0' as PeelId,
      outcome: 'returned',
      ...given,
    });
    const rows = world.admin.bucket(BUCKETS.jobReturns.name);
    await world.settled(rows.create(jobReturnKey(job.jid, row.peelId), returnCodec.encode(row)), 'the row');
  };

  it('is counted when another master has stored it before', async () => {
    const world = makeWorld();
    await world.master();
    const job = world.job(['web-0'], { timeout: 5_000_000_000n });
    await world.dispatch(job);
    await storeRow(world, job, { success: true });
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
    expect((await world.rows(job.jid)).map((each) => each.unreachable)).toEqual([false]);
  });

  it('is counted as the row says that was there first', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await storeRow(world, job, { success: false, error: 'first', outcome: 'failed' });
    await world.settled(peel.returnNow(job.jid, { success: true }), 'a return that says otherwise');
    await world.until(async () => (await world.record(job.jid))?.returnCount === 1, 'the end');
    expect(await world.record(job.jid)).toMatchObject({ status: 'failed', successCount: 0 });
  });
});

describe('the end of a job', () => {
  it.each([
    ['rows', { op: 'create', on: /^job-returns\// }],
    ['record', { op: 'update', on: A_JOB }],
    ['index', { op: 'remove', on: /active/ }],
    ['event', { op: 'append', on: /status$/ }],
    ['stream', { op: 'replay', on: /./ }],
  ])('comes through a bad time of the store: %s', async (_what, where) => {
    for (const effect of [true, false]) {
      const world = makeWorld();
      let isRunning = false;
      const fault = { ...where, error: timeout, times: 5, effect, armed: () => isRunning };
      await world.master({}, failingBus(world.connectMaster(), fault).bus);
      await world.peel('web-0', { runMs: 1_000 });
      const job = world.job(['web-0', 'web-1'], { timeout: 5_000_000_000n });
      await world.dispatch(job);
      isRunning = true;
      await world.until(async () => (await statusEvents(world, job)) === 1, 'the last step');
      expect(await world.record(job.jid)).toMatchObject({
        status: 'partial',
        returnCount: 1,
        successCount: 1,
      });
      expect((await world.rows(job.jid)).map((row) => row.outcome)).toEqual(['returned', 'unreachable']);
      expect(await world.isIndexed(job.jid)).toBe(false);
      await world.clock.advance(20_000);
      expect(await statusEvents(world, job)).toBe(1);
    }
  });
});

describe('a job that another master has taken over', () => {
  it('is not ended by the old owner: record, index and events are the new one’s', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    const peel = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0'], { timeout: 10_000_000_000n });
    await world.dispatch(job);
    await takeOver(world, job);
    await world.settled(peel.returnNow(job.jid), 'the return');
    await world.until(() => master.state().jobs === 0, 'the old owner to let go');
    await world.clock.advance(15_000);
    expect(await world.record(job.jid)).toMatchObject({ owner: OTHER, status: 'running' });
    expect(await world.isIndexed(job.jid)).toBe(true);
    expect(await statusEvents(world, job)).toBe(0);
  });

  it('is dropped after a cut of the line, without a request or a row', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    const peel = await world.peel('web-0', { deaf: 1 });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await takeOver(world, job);
    world.server.stop();
    await world.clock.advance(500);
    world.server.start();
    await world.until(() => master.state().jobs === 0, 'the old owner to let go');
    await world.clock.advance(10_000);
    expect(peel.heard).toEqual([]);
    expect(await world.rows(job.jid)).toEqual([]);
  });
});
