/** What keeps a job from running, or ends it: cancels, deadlines, a full queue. In virtual time. */
import { describe, expect, it } from 'vitest';
import { PeelWorld } from '../../../test/harness/peel/peel-world.ts';
import { signCancelAsMaster, signCancelAsOperator } from '../../trust/signed-proof.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { jobCancelSubject } from '../../wire/names/subjects.ts';
import { CANCEL_RATES } from '../intake/check-budget.ts';
import { WAIT_FOR_ROOM_MS } from '../intake/turned-away.ts';

describe('cancel', () => {
  it('ends a running job', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 60_000 } });
    world.send(job);
    await world.advance(1_000);
    world.sendCancel(job.jid);
    await world.advance(100);
    expect(await world.returnsOf(job.jid)).toMatchObject([
      { success: false, error: 'execution canceled', outcome: 'canceled' },
    ]);
  });

  it('ends a waiting job at once, which then never runs', async () => {
    const world = await PeelWorld.withPeel();
    const [slow, waiting] = [world.request('test.act', { args: { ms: 60_000 } }), world.request('test.act')];
    world.send(slow);
    world.send(waiting);
    await world.advance(100);
    world.sendCancel(waiting.jid, signCancelAsOperator(world.keys.operator, waiting.jid));
    await world.advance(100);
    expect(await world.returnsOf(waiting.jid)).toMatchObject([{ outcome: 'canceled' }]);
    await world.advance(120_000);
    expect([world.runsOf(slow.jid), world.runsOf(waiting.jid)]).toEqual([1, 0]);
  });

  it('that overtakes its job wins, also over a power loss', async () => {
    const world = await PeelWorld.withPeel();
    const [now, later] = [world.request('test.act'), world.request('test.act')];
    world.sendCancel(now.jid);
    world.sendCancel(later.jid);
    world.send(now);
    await world.advance(100);
    world.crash('power');
    world.startPeel();
    await world.advance(1_000);
    world.send(later);
    await world.advance(1_000);
    for (const job of [now, later]) {
      expect(world.runsOf(job.jid)).toBe(0);
      expect(await world.returnsOf(job.jid)).toMatchObject([
        { success: false, error: 'execution canceled', outcome: 'canceled' },
      ]);
    }
  });

  it('that is forged, or of another job, changes nothing; one that comes again changes nothing more', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { args: { ms: 60_000 } });
    const other = world.newJid();
    world.send(job);
    await world.advance(100);
    world.master.publish(jobCancelSubject(job.jid), new Uint8Array());
    world.sendCancel(job.jid, signCancelAsMaster(world.newKeys().command, job.jid));
    world.sendCancel(job.jid, signCancelAsMaster(world.keys.command, other));
    await world.advance(10_000);
    expect(await world.returnsOf(job.jid)).toEqual([]);
    world.sendCancel(job.jid);
    world.sendCancel(job.jid);
    await world.advance(10_000);
    world.sendCancel(job.jid);
    await world.advance(60_000);
    expect(await world.returnsOf(job.jid)).toHaveLength(1);
  });

  it('that is forged, fifty thousand times over, costs a bounded number of checks, and a true one is obeyed', async () => {
    const world = await PeelWorld.withPeel();
    const running = world.request('test.act', { args: { ms: 600_000 } });
    world.send(running);
    await world.advance(100);
    const forged = signCancelAsOperator(world.keys.operator, world.newJid());
    for (let i = 0; i < 25_000; i++) world.sendCancel(running.jid, forged);
    for (let i = 0; i < 25_000; i++) world.sendCancel(world.newJid(), forged);
    await world.advance(1_000);
    const { refused, overBudget, canceled } = world.peel.state().counts;
    // One proof at the job that runs, and the budget for jobs that were not seen.
    expect(overBudget).toBeGreaterThanOrEqual(25_000 - CANCEL_RATES['not-seen'].burst - 200);
    expect([refused + overBudget, canceled]).toEqual([50_000, 0]);
    expect(world.logged('refused before').length + world.logged('a message').length).toBeLessThan(70);
    world.sendCancel(running.jid);
    await world.advance(10_000);
    expect(await world.returnsOf(running.jid)).toMatchObject([{ outcome: 'canceled' }]);
    // And what overtakes its request is remembered again as soon as there is budget.
    const overtaken = world.request('test.act');
    world.sendCancel(overtaken.jid);
    await world.advance(100);
    world.send(overtaken);
    await world.advance(1_000);
    expect(world.runsOf(overtaken.jid)).toBe(0);
  });

  it('of a function that does not hear it leaves it behind, and the worker goes on', async () => {
    const world = await PeelWorld.withPeel();
    const [deaf, next] = [world.request('test.deaf'), world.request('test.act')];
    world.send(deaf);
    world.send(next);
    await world.advance(100);
    world.sendCancel(deaf.jid);
    await world.advance(14_000);
    expect(world.runsOf(next.jid)).toBe(0);
    await world.advance(2_000);
    expect((await world.returnsOf(deaf.jid))[0]).toMatchObject({ outcome: 'canceled' });
    expect((await world.returnsOf(deaf.jid))[0]?.error).toMatch(/did not stop within 15 s/);
    expect(world.runsOf(next.jid)).toBe(1);
  });
});

describe('deadlines', () => {
  const inMs = (world: PeelWorld, ms: number) => nanosFromMs(world.clock.nowMs() + ms);

  it('a job that comes too late is not started, and stays unstarted when the clock goes back', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { deadline: inMs(world, -1) });
    world.send(job);
    await world.advance(1_000);
    world.clock.jumpWall(-3_600_000);
    world.send(job);
    await world.advance(1_000);
    expect(world.runsOf(job.jid)).toBe(0);
    const returns = await world.returnsOf(job.jid);
    expect(returns).toMatchObject([{ success: false, outcome: 'expired' }]);
    expect(returns[0]?.error).toMatch(
      /^expired: not started, its deadline was 2026-.*Z and the clock here says/,
    );
  });

  it('a job that waited too long is not started', async () => {
    const world = await PeelWorld.withPeel();
    const slow = world.request('test.act', { args: { ms: 20_000 } });
    const waiting = world.request('test.act', { deadline: inMs(world, 10_000) });
    world.send(slow);
    world.send(waiting);
    await world.advance(30_000);
    expect(world.runsOf(waiting.jid)).toBe(0);
    expect(await world.returnsOf(waiting.jid)).toMatchObject([{ outcome: 'expired' }]);
  });

  it('a job that runs into it is cancelled', async () => {
    const world = await PeelWorld.withPeel();
    const job = world.request('test.act', { deadline: inMs(world, 10_000), args: { ms: 60_000 } });
    world.send(job);
    await world.advance(11_000);
    expect(await world.returnsOf(job.jid)).toMatchObject([
      { success: false, error: 'execution canceled: the deadline passed', outcome: undefined },
    ]);
  });
});

describe('a full queue', () => {
  const settings = { queueSlots: 2 };

  it('turns a job away without a word, and takes it when it comes again and there is room', async () => {
    const world = await PeelWorld.withPeel({ settings });
    const jobs = Array.from({ length: 4 }, () => world.request('test.act', { args: { ms: 4_000 } }));
    for (const job of jobs) world.send(job);
    await world.advance(100);
    const last = jobs[3] ?? jobs[0];
    if (last === undefined) throw new Error('no job');
    expect([await world.acksOf(last.jid), await world.returnsOf(last.jid)]).toEqual([0, []]);
    expect(world.logged('peel busy: execution queue full')).toHaveLength(1);
    await world.advance(5_000);
    world.send(last);
    await world.advance(20_000);
    for (const job of jobs) expect(await world.returnsOf(job.jid)).toMatchObject([{ success: true }]);
    expect(jobs.map((job) => world.runsOf(job.jid))).toEqual([1, 1, 1, 1]);
  });

  it('answers busy when there is still no room after a while, and then never runs it', async () => {
    const world = await PeelWorld.withPeel({ settings });
    const slow = Array.from({ length: 3 }, () => world.request('test.act', { args: { ms: 60_000 } }));
    const late = world.request('test.act');
    for (const job of [...slow, late]) world.send(job);
    await world.advance(WAIT_FOR_ROOM_MS + 1_000);
    const busy = { success: false, error: 'peel busy: execution queue full', outcome: undefined };
    expect(await world.returnsOf(late.jid)).toMatchObject([busy]);
    await world.advance(70_000);
    world.send(late);
    await world.advance(1_000);
    expect(world.runsOf(late.jid)).toBe(0);
    expect(await world.returnsOf(late.jid)).toMatchObject([busy]);
  });

  it('a job that was turned away can be cancelled', async () => {
    const world = await PeelWorld.withPeel({ settings });
    const slow = Array.from({ length: 3 }, () => world.request('test.act', { args: { ms: 60_000 } }));
    const late = world.request('test.act');
    for (const job of [...slow, late]) world.send(job);
    world.sendCancel(late.jid);
    await world.advance(1_000);
    expect(await world.returnsOf(late.jid)).toMatchObject([{ outcome: 'canceled' }]);
  });

  it('200 jobs at once each end in one row: those that found room ran, the others say busy', async () => {
    const world = await PeelWorld.withPeel();
    const jobs = Array.from({ length: 200 }, () => world.request('test.act', { args: { ms: 100 } }));
    for (const job of jobs) world.send(job);
    await world.advance(5_000);
    for (const job of jobs) if (world.acksHeard(job.jid) === 0) world.send(job);
    await world.advance(120_000);
    let ran = 0;
    const rows = await world.allReturns();
    for (const job of jobs) {
      const [row, ...others] = rows.get(job.jid) ?? [];
      expect(others).toEqual([]);
      expect(row?.success).toBe(world.runsOf(job.jid) === 1);
      ran += world.runsOf(job.jid);
    }
    // 65 at first, as many as left their slot within 5 s when they came again, and those at the last look.
    expect(ran).toBeGreaterThan(110);
  });
});
