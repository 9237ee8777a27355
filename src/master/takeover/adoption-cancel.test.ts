/** Cancels of jobs that nobody watches: their owner is dead, got stuck before anything was sent, or did not hear them. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { FleetWorld } from '../../../test/harness/master/master-fleet.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { DISPATCH_SUBJECT, jobCancelSubject } from '../../wire/names/subjects.ts';
import { jobCodec } from '../../wire/records/job.ts';

const makeWorld = closedAfterEach(() => new FleetWorld());

const SECOND = 1_000_000_000n;
const unavailable = zesterError('BUS_STORE_UNAVAILABLE', { what: 'test', reason: 'no leader' });

describe('a cancel that its master could not hear', () => {
  const deafToCancels = (bus: Bus): Bus => ({
    ...bus,
    subscribe: (subject, handle, options) =>
      bus.subscribe(subject, subject.endsWith('.cancel') ? () => undefined : handle, options),
  });

  it('because the line was away between two steps of the dispatch, is found before anything is sent', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const owner = await world.process({ bus: trap.bus });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    const held = trap.hold(callOf('append', /dispatch$/));
    world.admin.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
    await world.until(() => held.waiting() === 1, 'the dispatch event');
    owner.partition();
    await world.clock.advance(15_000);
    world.cancel(job.jid);
    await world.clock.advance(1_000);
    owner.heal();
    await world.clock.advance(5_000);
    held.release();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'canceled', returnCount: 0 });
    expect(owner.commands()).toEqual([]);
  });

  it.each([
    ['claim', callOf('create', /^jobs\/[0-9A-Za-z]{27}$/)],
    ['index', callOf('create', /^jobs\/active/)],
    ['announce', callOf('append', /dispatch$/)],
    ['running', callOf('update', /^jobs\/[0-9A-Za-z]{27}$/)],
  ])('in a bad time of the store at step %s, is found before anything is sent', async (_step, fits) => {
    const world = makeWorld();
    const trap = new Trap();
    // A partition: the line to its own server is good, and what is said elsewhere does not come through.
    const owner = await world.process({ bus: (bus) => trap.bus(deafToCancels(bus)) });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    let isCanceled = false;
    trap.before(fits, async () => {
      if (isCanceled) return;
      isCanceled = true;
      world.cancel(job.jid);
      throw unavailable;
    });
    world.admin.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'canceled', returnCount: 0 });
    expect(owner.commands()).toEqual([]);
  });
});

describe('a cancel of a job that no master has taken yet', () => {
  it('holds for a request that comes late: who asked had given up', async () => {
    const world = makeWorld();
    await world.process();
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { created: nanosFromMs(world.clock.nowMs()) });
    world.cancel(job.jid);
    await world.clock.advance(100);
    // Those who could have heard it are gone.
    for (const master of world.processes) master.kill();
    await world.process();
    await world.clock.advance(28_000);
    await world.dispatch(job);
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'canceled', returnCount: 0 });
    expect(world.commands).toEqual([]);
  });
});

describe('a cancel of a job whose owner is dead', () => {
  it('is honoured by its adopter: at work, queued and unreachable targets', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = [
      await world.peel('done'),
      // A queued job is acked and does not return, like one at work.
      await world.peel('queued', { returns: false }),
      await world.peel('deaf', { deaf: 99 }),
    ];
    const job = world.job(['done', 'queued', 'deaf'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    await world.clock.advance(6_000);
    owner.kill();
    await world.clock.advance(2_000);
    world.cancel(job.jid);
    await world.clock.advance(100);
    const survivor = await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'canceled', returnCount: 1 });
    expect(await world.outcomes(job)).toEqual({ done: 'returned', queued: 'canceled', deaf: 'canceled' });
    expect(survivor.commands()).toEqual([]);
    expect(peels[1]?.canceled).toEqual([job.jid]);
  });

  it('ends it as canceled, also when every target has stopped and said so before the adoption', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = await world.peels(2, { returns: false });
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    await world.until(() => peels.every((peel) => peel.acked.has(job.jid)), 'the acks');
    owner.kill();
    world.cancel(job.jid);
    const stopped = { success: false, error: 'execution canceled', outcome: 'canceled' } as const;
    for (const peel of peels) await world.settled(peel.returnNow(job.jid, stopped), 'its return');
    await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'canceled', returnCount: 2 });
  });

  it('that was only claimed is honoured too, and nothing is ever sent', async () => {
    const world = makeWorld();
    const trap = new Trap();
    const owner = await world.process({ bus: trap.bus });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    trap.kill(() => owner.kill(), callOf('append', /dispatch$/), 'after');
    world.admin.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
    await world.until(() => !owner.life.alive, 'the death');
    world.cancel(job.jid);
    await world.clock.advance(100);
    await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'canceled', returnCount: 0 });
    expect(world.commands).toEqual([]);
  });

  it('is ignored where it carries no signature, by adopter and peels', async () => {
    const world = makeWorld();
    const owner = await world.process();
    const peels = await world.peels(1, { returns: false });
    const job = world.job(['web-0'], { timeout: 60n * SECOND });
    await world.dispatch(job);
    owner.kill();
    world.admin.publish(jobCancelSubject(job.jid), new Uint8Array(0));
    const adopter = await world.process();
    await world.ends(job);
    expect(await world.expectHonest(job, peels)).toMatchObject({ status: 'timeout', returnCount: 0 });
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'running' });
    const refusals = adopter.lines.filter((line) => line.msg === 'cancel refused');
    expect(refusals.map((line) => line.reason)).toContain('no proof');
  });

  it('that comes while it is being adopted is not lost', async () => {
    const world = makeWorld();
    const [first, trap] = [await world.process(), new Trap()];
    const peels = await world.peels(2, { returns: false });
    const job = world.job(['web-0', 'web-1'], { timeout: 300n * SECOND });
    await world.dispatch(job);
    first.kill();
    await world.process({ bus: trap.bus });
    const held = trap.hold(callOf('put', /^jobs\/active/));
    await world.until(() => held.waiting() > 0, 'the adoption', 60_000, 250);
    world.cancel(job.jid);
    await world.clock.advance(1_000);
    held.release();
    await world.until(() => world.observer.records.get(job.jid)?.status === 'canceled', 'the end', 2_000);
    await world.expectHonest(job, peels);
  });
});

describe('a cancel of a dispatch that the store does not take', () => {
  it.each(['after', 'before'] as const)('ends it, %s its client is told to wait', async (when) => {
    const world = makeWorld();
    const trap = new Trap();
    const master = await world.process({ bus: trap.bus });
    const peels = await world.peels(2);
    const job = world.job(['web-0', 'web-1'], { timeout: 3_600n * SECOND });
    const mend = trap.fail(callOf('append', /dispatch$/), unavailable);
    if (when === 'before') world.clock.after(1_000, () => world.cancel(job.jid));
    const code = when === 'before' ? 'MASTER_DISPATCH_FAILED' : 'MASTER_DISPATCH_PENDING';
    expect(await world.dispatch(job)).toMatchObject({ error: expect.stringContaining(code) });
    if (when === 'after') {
      expect(master.master.state().dispatchesRetrying).toBe(1);
      world.cancel(job.jid);
    }
    await world.until(() => world.observer.records.get(job.jid)?.status === 'canceled', 'the end', 10_000);
    await world.expectHonest(job, peels);
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'canceled', 'web-1': 'canceled' });
    mend();
    await world.clock.advance(60_000);
    expect(world.commands).toEqual([]);
    expect(master.master.state()).toMatchObject({ interruptedClaims: 0, dispatchesRetrying: 0 });
  });
});
