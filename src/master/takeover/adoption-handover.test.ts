/** Masters that go in good order, all at once, or next door. */

import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { sleep } from '../../runtime/clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { DISPATCH_SUBJECT, jobDispatchSubject } from '../../wire/names/subjects.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

const SECOND = 1_000_000_000n;
const A_JOB = /^jobs\/[0-9A-Za-z]{27}$/;
const unavailable = zesterError('BUS_STORE_UNAVAILABLE', { what: 'test', reason: 'no leader' });

const ownerIn = (world: FleetWorld, job: Job) => world.observer.records.get(job.jid)?.owner;

function expectSilentAfterLeaving(master: MasterProcess): void {
  const leftMs = master.leftMs();
  expect(leftMs, 'it said that it leaves').toBeDefined();
  const after = (leftMs ?? 0) + 0.001;
  for (const { name } of Object.values(BUCKETS)) expect(master.attemptsAt(name, after), name).toEqual([]);
  expect(master.commands(after)).toEqual([]);
}

describe('a master that stops in good order', () => {
  it('has its jobs adopted within two seconds, nothing ended early, rows stored, and writes nothing after its farewell', async () => {
    const world = makeWorld();
    const leaver = await world.process();
    const peels = [
      await world.peel('done'),
      await world.peel('at-work', { runMs: 20_000 }),
      await world.peel('deaf', { deaf: 12 }),
    ];
    const jobs = Array.from({ length: 12 }, () =>
      world.job(['done', 'at-work', 'deaf'], { timeout: 300n * SECOND }),
    );
    for (const job of jobs) await world.dispatch(job);
    await world.clock.advance(500);
    await world.fleet(2);
    await leaver.stop();
    const leftMs = leaver.leftMs() ?? 0;
    await world.until(() => jobs.every((job) => ownerIn(world, job) !== leaver.masterId), 'it', 2_000);
    expect(world.clock.monotonicMs() - leftMs).toBeLessThan(2_000);
    for (const job of jobs) {
      const record = await world.record(job.jid);
      // Handed over, not reclaimed: nothing has died.
      expect(record).toMatchObject({ status: 'running', reclaimCount: 0 });
      const stored = await world.outcomes(job);
      expect(stored).toMatchObject({ done: 'returned' });
      expect(stored).not.toHaveProperty('at-work');
      expect(new Set(Object.values(stored))).toEqual(new Set(['returned']));
    }
    for (const job of jobs) await world.ends(job);
    for (const job of jobs)
      expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', reclaimCount: 0 });
    expectSilentAfterLeaving(leaver);
  });

  it('stores what it has taken before it says that it leaves', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const leaver = await world.process({ bus: trap.bus });
    const peels = [
      await world.peel('done', { runMs: 1_000 }),
      await world.peel('at-work', { runMs: 40_000 }),
    ];
    const job = world.job(['done', 'at-work'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    const held = trap.hold(callOf('create', /^job-returns\//));
    await world.until(() => held.waiting() > 0, 'a return');
    await world.process();
    const stopping = leaver.stop();
    await world.clock.advance(2_000);
    expect(leaver.leftMs()).toBeUndefined();
    held.release();
    await stopping;
    const [row] = leaver.writesTo(BUCKETS.jobReturns.name);
    expect(row?.atMs).toBeLessThan(leaver.leftMs() ?? 0);
    await world.ends(job);
    await world.expectHonest(job, peels);
    expectSilentAfterLeaving(leaver);
  });

  it('ends what is complete before it says that it leaves', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const leaver = await world.process({ bus: trap.bus });
    const peels = await world.peels(2, { runMs: 1_000 });
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    const held = trap.hold(callOf('update', A_JOB));
    await world.until(() => held.waiting() > 0, 'the end to begin');
    await world.process();
    const stopping = leaver.stop();
    await world.clock.advance(2_000);
    expect(leaver.leftMs()).toBeUndefined();
    held.release();
    await stopping;
    const record = await world.expectHonest(job, peels);
    expect(record).toMatchObject({ status: 'complete', owner: leaver.masterId });
    expectSilentAfterLeaving(leaver);
  });

  it('hands over what it was adopting itself, also when the store would not let it', async () => {
    const world = makeWorld();
    const [dying, stuck] = [new Trap(), new Trap()];
    const first = await world.process({ bus: dying.bus });
    const peels = await world.peels(1);
    const job = world.job(['web-0'], { timeout: 300n * SECOND });
    dying.kill(() => first.kill(), callOf('create', A_JOB), 'after');
    world.admin.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
    await world.until(() => !first.life.alive, 'the death');
    const leaver = await world.process({ bus: stuck.bus });
    stuck.fail(callOf('append', /dispatch$/), unavailable);
    await world.until(() => ownerIn(world, job) === leaver.masterId, 'the adoption', 60_000, 250);
    await world.clock.advance(3_000);
    const survivor = await world.process();
    const askedMs = world.clock.monotonicMs();
    await leaver.stop();
    expect(world.clock.monotonicMs() - askedMs).toBeLessThan(2_000);
    await world.until(() => ownerIn(world, job) === survivor.masterId, 'the hand-over', 2_000);
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', reclaimCount: 1 });
    expectSilentAfterLeaving(leaver);
  });

  it('hands over a claim that got stuck, and the client that asks again has its job', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const leaver = await world.process({ bus: trap.bus });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    trap.fail(callOf('update', A_JOB), unavailable);
    expect(await world.dispatch(job)).toMatchObject({
      error: expect.stringContaining('MASTER_DISPATCH_PENDING'),
    });
    const survivor = await world.process();
    const asked = submitJob(clientOf(world.admin, world.runtime), job);
    await leaver.stop();
    await world.settled(asked, 'the job');
    expect(ownerIn(world, job)).toBe(survivor.masterId);
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete' });
    expect(peels.map(({ heard }) => heard.length)).toEqual([1, 1]);
    expect(await world.eventsOf(jobDispatchSubject(job.jid))).toEqual(['dispatched']);
    expectSilentAfterLeaving(leaver);
  });

  it('says so even when it cannot store what it has, and the adopter finds it', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const leaver = await world.process({ bus: trap.bus });
    const peels = [
      await world.peel('done', { runMs: 1_000 }),
      await world.peel('at-work', { runMs: 40_000 }),
    ];
    const job = world.job(['done', 'at-work'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    trap.fail((call) => call.on.startsWith('job-returns/') || call.op === 'ack', unavailable);
    await world.clock.advance(3_000);
    expect(leaver.master.state().rowsWaiting).toBe(1);
    const survivor = await world.process();
    const askedMs = world.clock.monotonicMs();
    await leaver.stop();
    expect(world.clock.monotonicMs() - askedMs).toBeLessThan(12_000);
    expect(leaver.leftMs()).toBeDefined();
    await world.until(() => ownerIn(world, job) === survivor.masterId, 'the hand-over', 2_000);
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', reclaimCount: 0 });
  });

  it('does not take its farewell back with a heartbeat that was to be tried again', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const leaver = await world.process({ bus: trap.bus });
    const isBeat = callOf('put', new RegExp(`^${BUCKETS.masterHeartbeat.name}/`));
    const heal = trap.fail(isBeat, unavailable);
    const before = trap.calls.filter(isBeat).length;
    await world.until(() => trap.calls.filter(isBeat).length > before, 'a heartbeat that fails');
    heal();
    await world.settled(leaver.master.stop(), 'the stop');
    await world.clock.advance(5_000);
    expectSilentAfterLeaving(leaver);
  });

  it('may do so any number of times during one job', async () => {
    const world = makeWorld();
    let owner = await world.process();
    const peels = await world.peels(1, { runMs: 60_000 });
    const job = world.job(['web-0'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    for (let i = 0; i < 8; i++) {
      const next = await world.process();
      await owner.stop();
      await world.until(() => ownerIn(world, job) === next.masterId, 'the hand-over', 2_000);
      owner = next;
    }
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', reclaimCount: 0 });
    expect(peels[0]?.heard).toHaveLength(1);
  });
});

describe('a rolling restart under load', () => {
  /** Hands in a job every so often, as the command line does it; gives what went wrong. */
  function steadily(world: FleetWorld, everyMs: number, forMs: number) {
    const jobs: Job[] = [];
    const work: Promise<void>[] = [];
    const errors: unknown[] = [];
    let slowestMs = 0;
    const ask = async () => {
      const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 120n * SECOND });
      jobs.push(job);
      const sinceMs = world.clock.monotonicMs();
      await submitJob(clientOf(world.admin, world.runtime), job).catch((error: unknown) =>
        errors.push(error),
      );
      slowestMs = Math.max(slowestMs, world.clock.monotonicMs() - sinceMs);
    };
    const all = (async () => {
      for (let i = 0; i < forMs / everyMs; i++) {
        work.push(ask());
        await sleep(world.clock, everyMs);
      }
      await Promise.all(work);
    })();
    return { jobs, errors, all, slowestMs: () => slowestMs };
  }

  it('of three masters loses nothing and shows no error', async () => {
    const world = makeWorld();
    const masters = await world.fleet(3);
    const peels = [
      await world.peel('web-0'),
      await world.peel('web-1', { runMs: 700 }),
      await world.peel('web-2', { runMs: 4_000 }),
    ];
    const load = steadily(world, 250, 30_000);
    for (const master of masters) {
      await world.clock.advance(2_000);
      await master.stop();
      expectSilentAfterLeaving(master);
      await world.clock.advance(1_000);
      await world.process();
    }
    await world.until(() => load.jobs.length === 120, 'the load', 60_000, 500);
    await world.settled(load.all, 'all answers');
    expect(load.errors).toEqual([]);
    expect(load.slowestMs()).toBeLessThan(15_000);
    for (const job of load.jobs) await world.ends(job);
    for (const job of load.jobs)
      expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete' });
  });

  it('is nothing against a master that dies over its claims: the client waits for the adoption', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const owner = await world.process({ bus: trap.bus });
    const peels = await world.peels(1);
    const job = world.job(['web-0'], { timeout: 120n * SECOND });
    trap.kill(() => owner.kill(), callOf('create', A_JOB), 'after');
    const asked = submitJob(clientOf(world.admin, world.runtime), job);
    await world.until(() => !owner.life.alive, 'the death');
    await world.fleet(2);
    const sinceMs = world.clock.monotonicMs();
    await world.settled(asked, 'the job id');
    expect(world.clock.monotonicMs() - sinceMs).toBeGreaterThan(30_000);
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', reclaimCount: 1 });
  });

  it('of the only master, with a pause, shows no error either', async () => {
    const world = makeWorld();
    const only = await world.process();
    const peels = [
      await world.peel('web-0'),
      await world.peel('web-1', { runMs: 700 }),
      await world.peel('web-2', { runMs: 4_000 }),
    ];
    const load = steadily(world, 500, 20_000);
    await world.clock.advance(4_000);
    await only.stop();
    await world.clock.advance(6_000);
    await world.process();
    await world.settled(load.all, 'all answers');
    expect(load.errors).toEqual([]);
    for (const job of load.jobs) await world.ends(job);
    for (const job of load.jobs)
      expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete' });
  });
});

describe('a neighbour', () => {
  const here = { host: 'here', bootId: 'this-boot' };
  const dispatched = async (world: FleetWorld) => {
    const peels = await world.peels(1, { runMs: 120_000 });
    const job = world.job(['web-0'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    return { peels, job };
  };

  it.each([
    ['under another number', false],
    ['under the same number, as in a container', true],
  ])(
    'whose process is gone has its jobs adopted at once by the master that starts in its place, %s',
    async (_, isSame) => {
      const world = makeWorld();
      const first = await world.process(here);
      const { job, peels } = await dispatched(world);
      first.kill();
      await world.clock.advance(3_000);
      const next = await world.process(isSame ? { ...here, pid: first.pid } : here);
      await world.until(() => ownerIn(world, job) === next.masterId, 'the adoption', 1_000);
      await world.ends(job);
      expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', reclaimCount: 1 });
    },
  );

  it('that dies is noticed within seconds by one that runs beside it', async () => {
    const world = makeWorld();
    const first = await world.process(here);
    const { job } = await dispatched(world);
    const beside = await world.process(here);
    await world.clock.advance(6_000);
    first.kill();
    await world.until(() => ownerIn(world, job) === beside.masterId, 'the adoption', 2_500);
    world.expectNoViolation();
  });

  it.each([
    ['that lives but does not answer', here, (master: MasterProcess) => master.freeze()],
    ['of another boot', { ...here, bootId: 'other-boot' }, (master: MasterProcess) => master.kill()],
    ['of another host', { ...here, host: 'there' }, (master: MasterProcess) => master.kill()],
  ])('%s is given the full time', async (_what, place, end) => {
    const world = makeWorld();
    const first = await world.process(here);
    const { job } = await dispatched(world);
    end(first);
    const next = await world.process(place);
    await world.clock.advance(30_000);
    expect(ownerIn(world, job)).toBe(first.masterId);
    await world.until(() => ownerIn(world, job) === next.masterId, 'the adoption', 27_000, 250);
    world.expectNoViolation();
  });
});

describe('all masters away for ten minutes', () => {
  it('find every job when they are back, and every return that was published meanwhile', async () => {
    const world = makeWorld();
    const traps = [new Trap(), new Trap(), new Trap()];
    const masters = await Promise.all(traps.map((trap) => world.process({ bus: trap.bus })));
    const peels = [
      await world.peel('done'),
      await world.peel('meanwhile', { runMs: 120_000 }),
      await world.peel('after', { runMs: 640_000 }),
      await world.peel('deaf', { deaf: 2 }),
      await world.peel('never', { returns: false }),
    ];
    const all = peels.map(({ id }) => id);
    const jobs = {
      short: world.job(all, { timeout: 60n * SECOND }),
      long: world.job(['done', 'meanwhile', 'after', 'deaf'], { timeout: 1_800n * SECOND }),
      over: world.job(['done', 'meanwhile'], { timeout: 300n * SECOND }),
      canceled: world.job(['never'], { timeout: 1_800n * SECOND }),
      claimed: world.job(['done'], { timeout: 1_800n * SECOND }),
      late: world.job(['done'], { timeout: 120n * SECOND }),
    };
    for (const job of [jobs.short, jobs.long, jobs.over, jobs.canceled]) await world.dispatch(job);
    await world.clock.advance(7_000);
    for (const trap of traps) trap.fail(callOf('update', A_JOB), unavailable);
    for (const job of [jobs.claimed, jobs.late]) await world.dispatch(job);
    for (const master of masters) master.kill();
    await world.clock.advance(30_000);
    world.cancel(jobs.canceled.jid);
    await world.clock.advance(570_000);
    await world.fleet(2);
    for (const job of Object.values(jobs)) await world.ends(job, 300_000);
    const ended = await Promise.all(Object.values(jobs).map((job) => world.expectHonest(job, peels)));
    const statuses = Object.keys(jobs).map((name, i) => [name, ended[i]?.status]);
    expect(Object.fromEntries(statuses)).toEqual({
      short: 'partial',
      long: 'complete',
      over: 'complete',
      canceled: 'canceled',
      claimed: 'complete',
      late: 'timeout',
    });
    // Returns that came after its deadline, before or after somebody counted, are real all the same.
    await world.until(
      async () => (await world.record(jobs.short.jid))?.returnCount === 4,
      'the last return',
      120_000,
      1_000,
    );
    await world.expectHonest(jobs.short, peels);
    expect(await world.outcomes(jobs.short)).toEqual({
      done: 'returned',
      meanwhile: 'returned',
      after: 'returned',
      deaf: 'returned',
      never: 'running',
    });
    for (const job of Object.values(jobs))
      expect(await world.eventsOf(jobDispatchSubject(job.jid))).toEqual(['dispatched']);
  });
});
