/** Jobs whose master died without a word: found, adopted by one survivor, carried on to a true end. */

import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { jobKey } from '../../wire/names/keys.ts';
import { jobDispatchSubject, jobStatusSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

const SECOND = 1_000_000_000n;
/** From the death of an owner to the adoption: expiry of its key and two looks. */
const ADOPTION_MS_MAX = 57_000;
const A_JOB = /^jobs\/[0-9A-Za-z]{27}$/;
/** Values that change their form when they are taken apart and put together carelessly. */
const AWKWARD_ARGS = { 10: 'ten', 2: [1, -1, 1.5, 2 ** 40], b: { z: null, a: true }, big: 2n ** 63n, s: 'é' };

const adopted = (world: FleetWorld, job: Job, from: MasterProcess) =>
  world.until(
    () => world.observer.records.get(job.jid)?.owner !== from.masterId,
    'the adoption',
    ADOPTION_MS_MAX,
    250,
  );

describe('a running job whose owner dies', () => {
  it('is adopted within 55 seconds, with its exec epoch, and asked again only of those that said nothing', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = [
      await world.peel('done'),
      await world.peel('at-work', { runMs: 90_000 }),
      await world.peel('deaf', { deaf: 2 }),
    ];
    const job = world.job(['done', 'at-work', 'deaf'], { timeout: 300n * SECOND, args: AWKWARD_ARGS });
    expect(await world.dispatch(job)).toEqual({ jid: job.jid });
    await world.until(() => peels[2]?.deafTo === 0, 'two requests to be lost');
    const survivor = await world.process();
    const history = await world.settled(world.admin.bucket(BUCKETS.jobs.name).history(jobKey(job.jid)), 'it');
    const execEpoch = history.find((r) => r.found && jobCodec.decode(r.value).status === 'running')?.revision;
    const diedMs = world.clock.monotonicMs();
    owner.kill();
    await adopted(world, job, owner);
    expect(world.clock.monotonicMs() - diedMs).toBeGreaterThan(15_000);
    expect(await world.record(job.jid)).toMatchObject({
      owner: survivor.masterId,
      status: 'running',
      reclaimCount: 1,
      execEpoch,
    });
    expect(await world.indexedOwner(job.jid)).toBe(survivor.masterId);
    expect(survivor.metricsText()).toContain('zester_job_reclaims_total 1\n');
    await world.until(() => peels[2]?.heard.length === 1, 'the request to the silent one', 5_000);
    expect(survivor.commands().map(({ peel }) => peel)).toEqual(['deaf']);
    expect(new Set(world.commands.map(({ data }) => Buffer.from(data).toString('hex'))).size).toBe(1);
    expect(execRequestCodec.decode(world.commands[0]?.data ?? new Uint8Array()).epoch).toBe(execEpoch);
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'complete', returnCount: 3 });
    await world.untilNotIndexed(job);
    expect(await world.eventsOf(jobStatusSubject(job.jid))).toEqual(['completed']);
    expect(await world.eventsOf(jobDispatchSubject(job.jid))).toEqual(['dispatched']);
  });

  it('has the returns that came while nobody watched, and those of before', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = [
      await world.peel('before'),
      await world.peel('meanwhile', { runMs: 10_000 }),
      await world.peel('ackless', { runMs: 12_000, ackless: true }),
      await world.peel('never', { returns: false }),
    ];
    const job = world.job(
      peels.map(({ id }) => id),
      { timeout: 100n * SECOND },
    );
    await world.dispatch(job);
    await world.until(async () => (await world.rows(job.jid)).length === 1, 'the first row');
    owner.kill();
    await world.clock.advance(14_000);
    await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'partial', returnCount: 3 });
    const rows = await world.rows(job.jid);
    expect(Object.fromEntries(rows.map((row) => [row.peelId, row.outcome]))).toEqual({
      before: 'returned',
      meanwhile: 'returned',
      ackless: 'returned',
      never: 'running',
    });
  });

  it('has only the time that is left of its deadline', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = [await world.peel('never', { returns: false }), await world.peel('deaf', { deaf: 99 })];
    const job = world.job(['never', 'deaf'], { timeout: 80n * SECOND });
    await world.dispatch(job);
    const sentMs = world.clock.monotonicMs();
    await world.process();
    owner.kill();
    await adopted(world, job, owner);
    await world.ends(job);
    const livedMs = world.clock.monotonicMs() - sentMs;
    expect(livedMs).toBeGreaterThan(79_000);
    expect(livedMs).toBeLessThan(87_000);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'timeout' });
  });

  it('and whose deadline has passed is ended at once, and nothing is sent', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = [
      await world.peel('done', { runMs: 5_000 }),
      await world.peel('never', { returns: false }),
      await world.peel('deaf', { deaf: 99 }),
    ];
    const job = world.job(['done', 'never', 'deaf'], { timeout: 12n * SECOND });
    await world.dispatch(job);
    await world.clock.advance(1_000);
    owner.kill();
    await world.clock.advance(16_000);
    const survivor = await world.process();
    await adopted(world, job, owner);
    const adoptedMs = world.clock.monotonicMs();
    await world.ends(job);
    expect(world.clock.monotonicMs() - adoptedMs).toBeLessThan(1_000);
    expect(survivor.commands()).toEqual([]);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'partial', reclaimCount: 1 });
    const outcomes = (await world.rows(job.jid)).map((row) => row.outcome);
    expect(outcomes).toEqual(['unreachable', 'returned', 'running']);
  });
});

describe('a claimed job whose owner dies', () => {
  const steps = [
    ['right after the claim', callOf('create', A_JOB), 'after'],
    ['before the index', callOf('create', /^jobs\/active/), 'before'],
    ['after the index', callOf('create', /^jobs\/active/), 'after'],
    ['after the announcement', callOf('append', /dispatch$/), 'after'],
    ['before it says running', callOf('update', A_JOB), 'before'],
  ] as const;

  it.each(steps)('%s is sent by its adopter, once', async (_where, fits, when) => {
    const world = makeWorld();
    const trap = new Trap();
    const owner = await world.process({ bus: trap.bus });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 120n * SECOND });
    trap.kill(() => owner.kill(), fits, when);
    world.admin.publish('zester.dispatch', jobCodec.encode(job));
    await world.until(() => !owner.life.alive, 'the death');
    expect(await world.record(job.jid)).toMatchObject({ status: 'claimed', owner: owner.masterId });
    const survivor = await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({
      status: 'complete',
      owner: survivor.masterId,
      reclaimCount: 1,
    });
    expect(peels.map((peel) => peel.heard.length)).toEqual([1, 1]);
    expect(await world.eventsOf(jobDispatchSubject(job.jid))).toEqual(['dispatched']);
    await world.untilNotIndexed(job);
  });

  it('and whose deadline has passed is ended, and never sent', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const owner = await world.process({ bus: trap.bus });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 10n * SECOND });
    trap.kill(() => owner.kill(), callOf('append', /dispatch$/), 'after');
    world.admin.publish('zester.dispatch', jobCodec.encode(job));
    await world.until(() => !owner.life.alive, 'the death');
    await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'timeout', reclaimCount: 1 });
    expect(peels.flatMap((peel) => peel.heard)).toEqual([]);
    expect(world.commands).toEqual([]);
  });

  const moments = [
    ['taken over', callOf('update', A_JOB)],
    ['indexed', callOf('put', /^jobs\/active/)],
    ['announced', callOf('append', /dispatch$/)],
    ['listened to', callOf('subscribe', /\.ack\./)],
  ] as const;

  it.each(moments)('gives its id to the client that asks while it is %s', async (_what, fits) => {
    const world = makeWorld();
    const [dying, living] = [new Trap(), new Trap()];
    const owner = await world.process({ bus: dying.bus });
    const [peel] = await world.peels(1);
    const job = world.job(['web-0'], { timeout: 120n * SECOND });
    dying.kill(() => owner.kill(), callOf('create', A_JOB), 'after');
    world.admin.publish('zester.dispatch', jobCodec.encode(job));
    await world.until(() => !owner.life.alive, 'the death');
    await world.process({ bus: living.bus });
    const held = living.hold((call) => call.on.includes(job.jid) && fits(call));
    await world.until(() => held.waiting() > 0, 'the adoption to begin', ADOPTION_MS_MAX, 250);
    const asked = [0, 1, 2].map(() => submitJob(clientOf(world.admin, world.runtime), job));
    await world.clock.advance(2_000);
    held.release();
    await world.settled(Promise.all(asked), 'the answers');
    await world.ends(job);
    expect(await world.expectHonest(job, [peel as never])).toMatchObject({
      status: 'complete',
      reclaimCount: 1,
    });
    expect(peel?.heard).toHaveLength(1);
    expect(living.calls.filter(({ op, on }) => op === 'update' && on === `jobs/${job.jid}`)).toHaveLength(3);
  });

  it('keeps its deadline, whoever asks for it meanwhile', async () => {
    const world = makeWorld();
    const [dying, living] = [new Trap(), new Trap()];
    const owner = await world.process({ bus: dying.bus });
    const [peel] = await world.peels(1, { returns: false });
    const job = world.job(['web-0'], { timeout: 90n * SECOND });
    dying.kill(() => owner.kill(), callOf('create', A_JOB), 'after');
    world.admin.publish('zester.dispatch', jobCodec.encode(job));
    await world.until(() => !owner.life.alive, 'the death');
    const deadline = (await world.record(job.jid))?.deadline;
    await world.process({ bus: living.bus });
    // Ours, but not carried on: as if the announcement could not be made for a while.
    const held = living.hold(callOf('append', /dispatch$/));
    await world.until(() => held.waiting() > 0, 'the adoption', ADOPTION_MS_MAX, 250);
    const asked = submitJob(clientOf(world.admin, world.runtime), job);
    held.release();
    await world.settled(asked, 'the answer');
    expect(await world.record(job.jid)).toMatchObject({ deadline, reclaimCount: 1, status: 'running' });
    expect(peel?.heard.map(({ request }) => request.deadline)).toEqual([deadline]);
  });
});

describe('survivors', () => {
  /** Enough for chance: each survivor holds sixteen when the first is let go, and those who come later find less of theirs left. */
  const JOBS = 120;

  it.each([2, 3, 5])('%i that find the same jobs share them, one winner for each', async (count) => {
    const world = makeWorld();
    const owner = await world.process();
    await world.peel('web-0', { returns: false });
    const jobs = Array.from({ length: JOBS }, () => world.job(['web-0'], { timeout: 600n * SECOND }));
    for (const job of jobs) await world.dispatch(job);
    const traps = Array.from({ length: count }, () => new Trap());
    const survivors = await Promise.all(traps.map((trap) => world.process({ bus: trap.bus })));
    // All find all before anyone takes one.
    const held = traps.map((trap) => trap.hold(callOf('update', A_JOB)));
    owner.kill();
    await world.until(() => held.every((each) => each.waiting() > 0), 'all to look', 100_000, 500);
    for (const each of held) each.release();
    await world.until(
      () => survivors.reduce((sum, { master }) => sum + master.state().jobs, 0) === JOBS,
      'all to be taken up',
    );
    world.expectNoViolation();
    expect(world.observer.counts.adoptions).toBe(JOBS);
    const records = await Promise.all(jobs.map((job) => world.record(job.jid)));
    expect(records.every((record) => record?.reclaimCount === 1)).toBe(true);
    for (const { masterId, master } of survivors) {
      const share = records.filter((record) => record?.owner === masterId).length;
      expect(master.state().jobs).toBe(share);
      expect(share / JOBS).toBeGreaterThan(0.2 / count);
    }
  });

  it('without room leave a job to one that has', async () => {
    const world = makeWorld();
    const owner = await world.process();
    await world.peel('web-0', { returns: false });
    const jobs = Array.from({ length: 12 }, () => world.job(['web-0'], { timeout: 600n * SECOND }));
    for (const job of jobs) await world.dispatch(job);
    const trap = new Trap();
    const small = await world.process({ settings: { watchedJobsMax: 4 }, bus: trap.bus });
    const large = world.startProcess();
    large.freeze();
    owner.kill();
    // It takes what it has room for, also before it has taken anything up.
    const held = trap.hold(callOf('put', /^jobs\/active/));
    await world.until(() => held.waiting() > 0, 'the adoption to begin', 60_000, 250);
    await world.clock.advance(30_000);
    expect(world.observer.counts.adoptions).toBe(4);
    held.release();
    large.thaw();
    await world.until(
      () => small.master.state().jobs + large.master.state().jobs === 12,
      'all to be taken up',
      100_000,
      500,
    );
    expect(small.master.state().jobs).toBeLessThanOrEqual(4);
    world.expectNoViolation();
  });
});

describe('a job that loses one master after the other', () => {
  it('is given up at its fourth adoption: failed, with a reason, a row for each target and the real returns', async () => {
    const world = makeWorld();
    let owner = await world.process();
    const peels = [
      await world.peel('done'),
      await world.peel('never', { returns: false }),
      await world.peel('deaf', { deaf: 99 }),
    ];
    const job = world.job(['done', 'never', 'deaf'], { timeout: 3_600n * SECOND });
    await world.dispatch(job);
    for (let reclaims = 1; reclaims <= 3; reclaims++) {
      const next = await world.process();
      owner.kill();
      await adopted(world, job, owner);
      expect(await world.record(job.jid)).toMatchObject({ reclaimCount: reclaims, status: 'running' });
      owner = next;
    }
    await world.process();
    owner.kill();
    await world.ends(job);
    const record = await world.expectHonest(job, peels);
    expect(record).toMatchObject({ status: 'failed', reclaimCount: 4, returnCount: 1, successCount: 1 });
    expect(record.metadata.failed_reason).toMatch(/reclaimed 4 times/);
    const rows = await world.rows(job.jid);
    expect(rows.map((row) => row.outcome)).toEqual(['unreachable', 'returned', 'running']);
    // Its deadline is still an hour away, and the rows do not claim otherwise.
    expect(rows.filter((row) => row.error.includes('deadline'))).toEqual([]);
    await world.untilNotIndexed(job);
    expect(await world.eventsOf(jobStatusSubject(job.jid))).toEqual(['failed']);
  });

  it('is counted, not given up, when all have returned', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const [peel] = await world.peels(1, { runMs: 5_000 });
    const job = world.job(['web-0'], { timeout: 600n * SECOND });
    await world.dispatch(job);
    owner.kill();
    const jobs = (await world.hand()).bucket(BUCKETS.jobs.name);
    const read = await world.settled(jobs.getLatest(jobKey(job.jid)), 'the record');
    if (!read.found) throw new Error('no record');
    const worn = jobCodec.encode({
      ...jobCodec.decode(read.value),
      reclaimCount: 3,
      execEpoch: read.revision,
    });
    await world.settled(jobs.update(jobKey(job.jid), worn, read.revision), 'three reclaims');
    world.observer.violations.length = 0;
    await world.clock.advance(10_000);
    await world.process();
    await world.ends(job);
    const record = await world.expectHonest(job, [peel as never]);
    expect(record).toMatchObject({ status: 'complete', reclaimCount: 4 });
    expect(record.metadata.failed_reason).toBeUndefined();
  });
});
