/** Masters that were cut off or frozen and come back: their jobs are another's by now, and they must see it. */

import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import type { ScriptedPeel } from '../../../test/harness/master/master-scripted-peel.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { DISPATCH_SUBJECT } from '../../wire/names/subjects.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

const SECOND = 1_000_000_000n;
const A_JOB = /^jobs\/[0-9A-Za-z]{27}$/;

/** How a master is away, and how it comes back. */
const ABSENCES = [
  ['cut off', (m: MasterProcess) => m.partition(), (m: MasterProcess) => m.heal()],
  ['frozen', (m: MasterProcess) => m.freeze(), (m: MasterProcess) => m.thaw()],
] as const;

const ownerIn = (world: FleetWorld, job: Job) => world.observer.records.get(job.jid)?.owner;

/** Jobs of one master in every stage, on peels that answer at every time. */
async function setUp(trap = new Trap()) {
  const world = makeWorld();
  const lost = await world.process({ bus: trap.bus });
  const peels = [
    await world.peel('done'),
    await world.peel('meanwhile', { runMs: 60_000 }),
    await world.peel('after', { runMs: 150_000 }),
    await world.peel('deaf', { deaf: 6 }),
    await world.peel('never', { returns: false }),
  ];
  const all = peels.map(({ id }) => id);
  const jobs = [
    world.job(all, { timeout: 300n * SECOND }),
    world.job(['done', 'meanwhile'], { timeout: 300n * SECOND }),
    // Its deadline passes while the owner is away.
    world.job(all, { timeout: 70n * SECOND }),
  ];
  for (const job of jobs) await world.dispatch(job);
  await world.clock.advance(1_000);
  const survivor = await world.process();
  return { world, lost, survivor, peels, jobs, trap };
}

async function expectAllHonest(world: FleetWorld, jobs: readonly Job[], peels: readonly ScriptedPeel[]) {
  for (const job of jobs) await world.ends(job, 400_000);
  // Returns may still be on their way to a job that ended without them.
  await world.clock.advance(90_000);
  for (const job of jobs) await world.expectHonest(job, peels);
  world.expectNoViolation();
}

describe.each(ABSENCES)('a master that was %s for two minutes', (_how, leave, comeBack) => {
  it('drops its jobs without writing anything, and goes on as a master', async () => {
    const { world, lost, survivor, peels, jobs } = await setUp();
    leave(lost);
    await world.clock.advance(120_000);
    for (const job of jobs) expect(ownerIn(world, job)).toBe(survivor.masterId);
    const backMs = world.clock.monotonicMs();
    comeBack(lost);
    await world.until(() => lost.master.state().jobs === 0, 'it to let go', 10_000);
    await world.clock.advance(60_000);
    // Nothing at all of what it had is written, not even tried; real returns of now are everybody's business.
    const isTried = ({ key }: { key: string }) => jobs.some(({ jid }) => key.includes(jid));
    const rowsBefore = world.writes.filter(({ bucket }) => bucket === BUCKETS.jobReturns.name);
    const before = new Set(rowsBefore.filter(({ atMs }) => atMs < backMs).map(({ key }) => key));
    expect(lost.attemptsAt(BUCKETS.jobs.name, backMs).filter(isTried)).toEqual([]);
    expect(lost.attemptsAt(BUCKETS.jobReturns.name, backMs).filter(({ key }) => before.has(key))).toEqual([]);
    const epochs = new Set(world.commands.map(({ data }) => execRequestCodec.decode(data).epoch));
    expect(epochs.size).toBe(jobs.length);
    await expectAllHonest(world, jobs, peels);
    // It is a master like any other again: it takes jobs, and adopts.
    survivor.kill();
    const next = world.job(['done'], { timeout: 100n * SECOND });
    await world.settled(submitJob(clientOf(world.admin, world.runtime), next), 'a dispatch');
    await expectAllHonest(world, [next], peels);
  });

  it('takes its job back when the one that took it has died meanwhile', async () => {
    const { world, lost, survivor, peels, jobs } = await setUp();
    leave(lost);
    await world.until(
      () => jobs.every((job) => ownerIn(world, job) === survivor.masterId),
      'it',
      60_000,
      250,
    );
    survivor.kill();
    await world.clock.advance(10_000);
    comeBack(lost);
    await expectAllHonest(world, jobs, peels);
    const [first] = jobs;
    expect(world.observer.records.get(first?.jid as never)).toMatchObject({
      owner: lost.masterId,
      reclaimCount: 2,
    });
  });

  it('shorter than its heartbeat lives keeps its jobs', async () => {
    const { world, lost, peels, jobs } = await setUp();
    leave(lost);
    await world.clock.advance(9_000);
    comeBack(lost);
    await world.clock.advance(60_000);
    for (const job of jobs.slice(0, 1)) expect(ownerIn(world, job)).toBe(lost.masterId);
    expect(world.observer.counts.adoptions).toBe(0);
    await expectAllHonest(world, jobs, peels);
  });

  it('in the middle of a dispatch sends nothing under another epoch, and answers the client', async () => {
    const trap = new Trap();
    const { world, lost, survivor, peels } = await setUp(trap);
    const job = world.job(['done', 'deaf'], { timeout: 300n * SECOND });
    const held = trap.hold(callOf('append', /dispatch$/));
    // The survivor must not take it: it is away for the moment.
    survivor.partition();
    await world.clock.advance(13_000);
    world.admin.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
    await world.until(() => held.waiting() === 1, 'the claim');
    survivor.heal();
    leave(lost);
    await world.until(() => ownerIn(world, job) === survivor.masterId, 'the adoption', 70_000, 250);
    await world.clock.advance(5_000);
    comeBack(lost);
    held.release();
    await expectAllHonest(world, [job], peels);
    expect(lost.commands().filter(({ data }) => execRequestCodec.decode(data).jid === job.jid)).toEqual([]);
    await world.until(() => lost.master.state().interruptedClaims === 0, 'no claim', 300_000, 5_000);
    await expectAllHonest(world, [job], peels);
  });

  it.each(['does', 'does not'])(
    'in the middle of an adoption whose write %s arrive leaves it to who adopted it since',
    async (arrives) => {
      const world = makeWorld();
      const trap = new Trap();
      const first = await world.process();
      const peels = [await world.peel('web-0', { returns: false }), await world.peel('web-1', { deaf: 2 })];
      const job = world.job(['web-0', 'web-1'], { timeout: 400n * SECOND });
      await world.dispatch(job);
      await world.clock.advance(6_000);
      first.kill();
      const lost = await world.process({ bus: trap.bus });
      const held = trap.hold(callOf('update', A_JOB));
      await world.until(() => held.waiting() > 0, 'the adoption to begin', 60_000, 250);
      if (arrives === 'does') held.release();
      if (arrives === 'does') await world.clock.advance(0.3);
      leave(lost);
      const next = await world.process();
      await world.until(() => ownerIn(world, job) === next.masterId, 'another one to adopt it', 70_000, 250);
      expect(world.observer.records.get(job.jid)?.reclaimCount).toBe(arrives === 'does' ? 2 : 1);
      comeBack(lost);
      held.release();
      await world.clock.advance(30_000);
      expect(ownerIn(world, job)).toBe(next.masterId);
      expect(lost.master.state().jobs).toBe(0);
      expect(next.master.state().jobs).toBe(1);
      await world.settled((peels[0] as ScriptedPeel).returnNow(job.jid), 'the return');
      await expectAllHonest(world, [job], peels);
    },
  );
});

describe('a master that was frozen', () => {
  it('lets its jobs go as soon as its heartbeat is back, also when it cannot look for orphans', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const lost = await world.process({ bus: trap.bus });
    await world.peel('never', { returns: false });
    const job = world.job(['never'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    const survivor = await world.process();
    lost.freeze();
    await world.clock.advance(120_000);
    expect(ownerIn(world, job)).toBe(survivor.masterId);
    trap.fail(callOf('entries', /./), zesterError('BUS_TIMEOUT', { what: 'test', ms: 1 }));
    lost.thaw();
    await world.until(() => lost.master.state().jobs === 0, 'it to let go', 2_000);
    world.expectNoViolation();
  });
});

describe('a master that is frozen at the end of a job', () => {
  it.each([
    ['before it looks at the record', callOf('getLatest', A_JOB), 'no rows'],
    ['before it reads the stream', callOf('replay', /./), 'no rows'],
    ['before it reads the stream, with no return in it,', callOf('replay', /./), 'nothing'],
    ['before it writes rows', callOf('create', /^job-returns\//), 'rows'],
    ['before it writes the record', callOf('update', A_JOB), 'no rows'],
  ])('%s changes nothing that its adopter wrote', async (_where, fits, tries) => {
    const world = makeWorld();
    const trap = new Trap();
    const lost = await world.process({ bus: trap.bus });
    const peels = [
      await world.peel('done'),
      await world.peel('late', { returns: false }),
      await world.peel('deaf', { deaf: 99 }),
    ];
    const targets = tries === 'nothing' ? ['late', 'deaf'] : ['done', 'late', 'deaf'];
    const job = world.job(targets, { timeout: 30n * SECOND });
    await world.dispatch(job);
    await world.clock.advance(28_000);
    const survivor = await world.process();
    const held = trap.hold((call) => call.on.includes(job.jid) && fits(call));
    await world.until(() => held.waiting() > 0, 'the end to begin', 30_000);
    lost.freeze();
    await world.ends(job);
    expect(ownerIn(world, job)).toBe(survivor.masterId);
    // A return after the end: its row must stay, whatever the frozen one still has in hand.
    const returned = tries === 'nothing' ? 0 : 2;
    if (returned > 0) await world.settled((peels[1] as ScriptedPeel).returnNow(job.jid), 'a late return');
    const count = () => world.observer.records.get(job.jid)?.returnCount;
    await world.until(() => count() === returned, 'the recount', 30_000);
    const rows = await world.rows(job.jid);
    const backMs = world.clock.monotonicMs();
    lost.thaw();
    held.release();
    await world.clock.advance(60_000);
    expect(await world.rows(job.jid)).toEqual(rows);
    if (tries !== 'rows') expect(lost.attemptsAt(BUCKETS.jobReturns.name, backMs)).toEqual([]);
    expect(await world.expectHonest(job, peels)).toMatchObject({ returnCount: returned });
    expect(lost.master.state()).toMatchObject({ jobs: 0, rowsWaiting: 0 });
  });
});
