/** How slowly a master is declared dead, what a store that does not answer means (nothing), and an index that heals. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld, type ProcessOptions } from '../../../test/harness/master/master-fleet.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { openBus } from '../../bus/bus.ts';
import type { Bus } from '../../bus/port.ts';
import { ELECTION_MS_MAX } from '../../bus/retry-budget.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { sleep } from '../../runtime/clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { ACTIVE_JOBS_PATTERN, activeJobKey, jobKey } from '../../wire/names/keys.ts';
import { masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { activeJobEntryCodec, type Job, jobCodec } from '../../wire/records/job.ts';
import { newMasterId } from '../master-ports.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

const SECOND = 1_000_000_000n;
const A_JOB = /^jobs\/[0-9A-Za-z]{27}$/;
const HEARTBEATS = /^master-heartbeat\//;
const INDEX = /^jobs\/active/;
const isLook = callOf('entries', HEARTBEATS);
const timeout = zesterError('BUS_TIMEOUT', { what: 'test', ms: 1 });

/** A master in the hands of the test: it beats, or not, as it is told. */
class Ghost {
  readonly id: MasterId;
  private readonly world: FleetWorld;
  private readonly bus: Bus;

  constructor(world: FleetWorld) {
    this.world = world;
    this.id = newMasterId(world.runtime);
    this.bus = openBus(world.server.connect({ role: 'master', name: this.id }), world.runtime);
    world.observer.masterStarted(this.id, 'ghost');
  }

  async beat(leaving = false): Promise<void> {
    const beat = masterHeartbeatCodec.create({ masterId: this.id, timestamp: this.world.now(), leaving });
    await this.bus.connected();
    await this.bus.bucket(BUCKETS.masterHeartbeat.name).put(this.id, masterHeartbeatCodec.encode(beat));
  }

  /** As if its key had expired. */
  async vanish(): Promise<void> {
    this.world.observer.masterEnded(this.id);
    await this.bus.bucket(BUCKETS.masterHeartbeat.name).delete(this.id);
  }

  /** A job of its own on a peel that is not there. */
  async running({ isIndexed = true } = {}): Promise<Job> {
    const job = this.world.job(['away'], { status: 'claimed', owner: this.id, timeout: 3_600n * SECOND });
    const jobs = this.bus.bucket(BUCKETS.jobs.name);
    const write = async () => {
      await this.bus.connected();
      const claim = await jobs.create(jobKey(job.jid), jobCodec.encode(job));
      if (!claim.won) throw new Error('no claim');
      const running = jobCodec.encode({ ...job, status: 'running', deadline: job.created + job.timeout });
      await jobs.update(jobKey(job.jid), running, claim.revision);
      const entry = activeJobEntryCodec.encode({ owner: this.id, updated: this.world.now() });
      if (isIndexed) await jobs.put(activeJobKey(job.jid), entry);
    };
    await this.world.settled(write(), 'the job of a ghost');
    return job;
  }

  /** The ghost's job is still the ghost's. */
  has(job: Job): boolean {
    return this.world.observer.records.get(job.jid)?.owner === this.id;
  }
}

/** One master, a trap on its bus, and a ghost with a job. */
async function setUp(options: ProcessOptions = {}) {
  const world = makeWorld();
  const trap = new Trap();
  const watcher = await world.process({ ...options, bus: trap.bus });
  const ghost = new Ghost(world);
  const job = await ghost.running();
  const looks = () => trap.calls.filter(isLook).length;
  return { world, trap, watcher, ghost, job, looks };
}

describe('an owner without a heartbeat', () => {
  it('is dead at the second look in a row that misses it, not at the first', async () => {
    const { world, ghost, job, looks } = await setUp();
    const before = looks();
    await ghost.vanish();
    await world.until(() => looks() === before + 1, 'the first look', 30_000, 250);
    await world.clock.advance(15_000);
    expect(ghost.has(job)).toBe(true);
    await world.until(() => !ghost.has(job), 'the adoption', 10_000, 250);
    expect(looks()).toBe(before + 2);
  });

  it('is not missed by looks that had to ask again: nobody could write a heartbeat meanwhile', async () => {
    const { world, trap, watcher, ghost, job, looks } = await setUp({ retryBudget: { ms: ELECTION_MS_MAX } });
    let isElection = true;
    trap.before(isLook, async () => {
      if (!isElection) return;
      watcher.partition();
      void sleep(world.clock, 4_000).then(() => watcher.heal());
    });
    const before = looks();
    await ghost.vanish();
    await world.until(() => looks() >= before + 5, 'five looks', 200_000, 500);
    expect(ghost.has(job)).toBe(true);
    isElection = false;
    await world.until(() => !ghost.has(job), 'the adoption', 60_000, 500);
  });

  it('is missed by looks that take long because there is much to read', async () => {
    const { world, trap, ghost, job, looks } = await setUp({ retryBudget: { ms: ELECTION_MS_MAX } });
    trap.before(isLook, () => sleep(world.clock, 4_000));
    const before = looks();
    await ghost.vanish();
    await world.until(() => !ghost.has(job), 'the adoption', 100_000, 500);
    expect(looks()).toBe(before + 2);
  });

  it('is not dead as long as every second look sees it', async () => {
    const { world, trap, ghost, job, looks } = await setUp();
    let isThere = true;
    let isDead = false;
    trap.before(isLook, () => {
      isThere = !isThere && !isDead;
      return isThere ? ghost.beat() : ghost.vanish();
    });
    const before = looks();
    await world.until(() => looks() >= before + 8, 'eight looks', 200_000, 500);
    expect(ghost.has(job)).toBe(true);
    isDead = true;
    await world.until(() => !ghost.has(job), 'the adoption', 60_000, 500);
  });

  it('is not missed by looks that somebody else’s leaving causes', async () => {
    const { world, ghost, job, looks } = await setUp();
    await ghost.vanish();
    const before = looks();
    await world.until(() => looks() === before + 1, 'the first look', 30_000, 250);
    const others = Array.from({ length: 10 }, () => new Ghost(world));
    for (const other of others) {
      await world.settled(other.beat(true), 'a farewell');
      await world.clock.advance(1_500);
    }
    expect(looks()).toBeGreaterThan(before + 5);
    expect(ghost.has(job)).toBe(true);
    // Nor do they put off the look that counts.
    await world.until(() => !ghost.has(job), 'the adoption', 8_000, 250);
  });

  it('that is seen by a look that does not count starts again', async () => {
    const { world, ghost, job, looks } = await setUp();
    await ghost.vanish();
    const before = looks();
    await world.until(() => looks() === before + 1, 'the first look', 30_000, 250);
    await world.settled(ghost.beat(), 'a heartbeat');
    await world.settled(new Ghost(world).beat(true), 'a farewell of another');
    await world.until(() => looks() === before + 2, 'the early look', 5_000);
    await ghost.vanish();
    await world.until(() => looks() === before + 3, 'the look that counts', 30_000, 250);
    await world.clock.advance(1_000);
    expect(ghost.has(job)).toBe(true);
    await world.until(() => !ghost.has(job), 'the adoption', 25_000, 250);
  });
});

describe('a job of a living master that nobody holds', () => {
  it('is taken up again by its owner, at the second look, and by nobody else', async () => {
    const world = makeWorld();
    const [owner, other] = await world.fleet(2);
    const ghost = new Ghost(world);
    const job = await ghost.running();
    const jobs = (await world.hand()).bucket(BUCKETS.jobs.name);
    const read = await world.settled(jobs.getLatest(jobKey(job.jid)), 'the record');
    if (!read.found || owner === undefined) throw new Error('no record');
    // As after a NATS that came back older: its owner has let it go, and the record does not know.
    world.observer.stored = () => undefined;
    const value = jobCodec.encode({ ...jobCodec.decode(read.value), owner: owner.masterId });
    await world.settled(jobs.update(jobKey(job.jid), value, read.revision), 'the record');
    await world.clock.advance(1_000);
    expect(owner.master.state().jobs).toBe(0);
    await world.until(() => owner.master.state().jobs === 1, 'it to be taken up', 45_000, 250);
    expect(other?.master.state().jobs).toBe(0);
    expect(await world.record(job.jid)).toMatchObject({ owner: owner.masterId, reclaimCount: 0 });
  });
});

describe('a store that cannot be read', () => {
  it.each([
    ['heartbeats', isLook],
    ['the index', callOf('entries', INDEX)],
    ['records', callOf('getLatest', A_JOB)],
  ])('says nothing about owners: %s', async (_what, fits) => {
    const { world, trap, watcher, ghost, job, looks } = await setUp();
    const mend = trap.fail(fits, timeout);
    await ghost.vanish();
    await world.clock.advance(120_000);
    expect(ghost.has(job)).toBe(true);
    expect(watcher.lines.some(({ msg }) => msg.startsWith('orphan scan'))).toBe(true);
    mend();
    const before = looks();
    await world.until(() => !ghost.has(job), 'the adoption', 60_000, 250);
    // No miss was counted before; and others had time to show themselves.
    expect(looks() - before).toBeGreaterThanOrEqual(2);
    world.expectNoViolation();
  });

  it('for a while between two misses does not make a slow master dead', async () => {
    const { world, trap, ghost, job, looks } = await setUp();
    const before = looks();
    await ghost.vanish();
    await world.until(() => looks() === before + 1, 'the first look', 30_000, 250);
    const mend = trap.fail(() => true, timeout);
    await world.clock.advance(40_000);
    mend();
    await world.clock.advance(5_000);
    // The other one could not write either; now it does.
    await world.settled(ghost.beat(), 'its heartbeat');
    for (let i = 0; i < 8; i++) {
      await world.clock.advance(5_000);
      await world.settled(ghost.beat(), 'its heartbeat');
    }
    expect(ghost.has(job)).toBe(true);
  });

  it('that is slow takes no job from a living master', async () => {
    const world = makeWorld();
    const traps = [new Trap(), new Trap(), new Trap()];
    const masters = await Promise.all(traps.map((trap) => world.process({ bus: trap.bus })));
    const peels = await world.peels(3, { returns: false });
    const jobs = Array.from({ length: 9 }, () =>
      world.job(
        peels.map(({ id }) => id),
        { timeout: 3_600n * SECOND },
      ),
    );
    for (const job of jobs) await world.dispatch(job);
    const owners = new Map(jobs.map(({ jid }) => [jid, world.observer.records.get(jid)?.owner]));
    for (const trap of traps) trap.slow(world.clock, () => world.random.fraction() * 4_000);
    await world.clock.advance(300_000);
    world.expectNoViolation();
    expect(world.observer.counts.adoptions).toBe(0);
    for (const { jid } of jobs) expect(world.observer.records.get(jid)?.owner).toBe(owners.get(jid));
    expect(masters.reduce((sum, { master }) => sum + master.state().jobs, 0)).toBe(9);
  });

  it('while jobs are adopted puts it off, and no job is lost', async () => {
    const { world, trap, ghost, job } = await setUp();
    const [second, third] = [await ghost.running(), await ghost.running()];
    const mend = trap.fail(callOf('update', A_JOB), timeout);
    await ghost.vanish();
    await world.clock.advance(120_000);
    expect([job, second, third].map((each) => ghost.has(each))).toEqual([true, true, true]);
    mend();
    await world.until(() => ![job, second, third].some((each) => ghost.has(each)), 'the adoption', 10_000);
    expect(world.observer.counts.adoptions).toBe(3);
    world.expectNoViolation();
  });
});

describe('the index of unfinished jobs', () => {
  const put = async (world: FleetWorld, job: Job) => {
    const entry = activeJobEntryCodec.encode({ owner: job.owner, updated: world.now() });
    const jobs = (await world.hand()).bucket(BUCKETS.jobs.name);
    await world.settled(jobs.put(activeJobKey(job.jid), entry), 'an entry');
  };

  it('loses the entry of a job that has ended, and of one whose record is no more', async () => {
    const world = makeWorld();
    await world.process();
    const [peel] = await world.peels(1);
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.ends(job);
    await world.untilNotIndexed(job);
    const vanished = world.job(['web-0']);
    await put(world, job);
    await put(world, vanished);
    await world.untilNotIndexed(job);
    await world.untilNotIndexed(vanished);
    await world.expectHonest(job, [peel as never]);
  });

  it('is all that a look lists: jobs that have ended cost it nothing', async () => {
    const { world, trap, looks } = await setUp();
    const peels = await world.peels(2);
    const ended = Array.from({ length: 12 }, () => world.job(peels.map(({ id }) => id)));
    for (const each of ended) await world.dispatch(each);
    for (const each of ended) await world.ends(each);
    for (const each of ended) await world.untilNotIndexed(each);
    await world.clock.advance(5_000);
    const [before, seen] = [looks(), trap.calls.length];
    await world.until(() => looks() === before + 2, 'two looks', 60_000, 250);
    const calls = trap.calls.slice(seen);
    const listed = calls.filter(callOf('entries', /^jobs\//)).map(({ on }) => on);
    expect([...new Set(listed)]).toEqual([`jobs/${ACTIVE_JOBS_PATTERN}`]);
    expect(calls.filter(({ on }) => ended.some(({ jid }) => on.includes(jid)))).toEqual([]);
  });

  it('keeps no trace of jobs that have ended, nor of entries whose removal was interrupted', async () => {
    const { world } = await setUp();
    const jobs = world.admin.bucket(BUCKETS.jobs.name);
    await world.peel('web-0');
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.ends(job);
    const keys = () => world.settled(jobs.keysWithDeleted(ACTIVE_JOBS_PATTERN), 'the keys');
    await world.until(async () => !(await keys()).includes(activeJobKey(job.jid)), 'its trace to go', 5_000);
    // As a master leaves it that dies in the middle of `remove`.
    const other = activeJobKey(world.job([]).jid);
    await world.settled(jobs.put(other, new Uint8Array()), 'an entry');
    await world.settled(jobs.delete(other), 'its deletion');
    expect(await keys()).toContain(other);
    await world.until(async () => !(await keys()).includes(other), 'the tombstone to go', 700_000, 5_000);
  });

  it('keeps the entry of a record that cannot be read: it is nobody’s, but it is there', async () => {
    const world = makeWorld();
    await world.process();
    const strange = world.job(['web-0']);
    const jobs = (await world.hand()).bucket(BUCKETS.jobs.name);
    world.observer.stored = () => undefined;
    await world.settled(jobs.put(jobKey(strange.jid), Uint8Array.of(0xc1)), 'a strange record');
    await put(world, strange);
    await world.clock.advance(60_000);
    expect(await world.isIndexed(strange.jid)).toBe(true);
  });

  it('does not keep orphans waiting when a left-over entry cannot be removed', async () => {
    const { world, trap, ghost, job } = await setUp();
    await put(world, world.job(['web-0']));
    trap.fail(callOf('remove', INDEX), timeout);
    await ghost.vanish();
    await world.until(() => !ghost.has(job), 'the adoption', 60_000, 250);
  });

  it('gets back the entry of a living job: at the start of a master, and every ten minutes', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const first = await world.process({ bus: trap.bus });
    const ghost = new Ghost(world);
    await world.clock.advance(1_000);
    const lost = await ghost.running({ isIndexed: false });
    await world.clock.advance(120_000);
    expect(await world.isIndexed(lost.jid)).toBe(false);
    await world.until(() => world.isIndexed(lost.jid), 'the next sweep', 600_000, 5_000);
    await world.until(() => !ghost.has(lost), 'the adoption', 60_000, 500);
    expect(first.master.state().jobs).toBe(1);
    const second = await ghost.running({ isIndexed: false });
    await world.process();
    await world.until(() => world.isIndexed(second.jid), 'the sweep of a starting master', 5_000);
  });

  it('is gone through at the start even when the store is not well then', async () => {
    const world = makeWorld();
    await world.process();
    const ghost = new Ghost(world);
    const lost = await ghost.running({ isIndexed: false });
    const trap = new Trap();
    const mend = trap.fail(
      (call) => callOf('keysWithDeleted', /^jobs/)(call) || callOf('getLatest', A_JOB)(call),
      timeout,
    );
    await world.process({ bus: trap.bus });
    await world.clock.advance(20_000);
    expect(await world.isIndexed(lost.jid)).toBe(false);
    mend();
    await world.until(() => world.isIndexed(lost.jid), 'the sweep', 10_000);
  });

  it('tells a master that a job it watches is another’s', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const [peel] = await world.peels(1, { returns: false });
    const job = world.job(['web-0'], { timeout: 3_600n * SECOND });
    await world.dispatch(job);
    const other = new Ghost(world);
    await world.settled(other.beat(), 'another master');
    const jobs = (await world.hand()).bucket(BUCKETS.jobs.name);
    const read = await world.settled(jobs.getLatest(jobKey(job.jid)), 'the record');
    if (!read.found) throw new Error('no record');
    world.observer.stored = () => undefined;
    const taken = jobCodec.encode({ ...jobCodec.decode(read.value), owner: other.id });
    await world.settled(jobs.update(jobKey(job.jid), taken, read.revision), 'the takeover');
    await put(world, { ...job, owner: other.id });
    await world.until(() => owner.master.state().jobs === 0, 'the owner to let go', 25_000, 250);
    expect(peel?.heard).toHaveLength(1);
  });
});
