/** The deadline of a job, on both sides of the wire: a real master and real peels, in virtual time. */

import { afterEach, describe, expect, it } from 'vitest';
import { openAgentBus } from '../../../src/bus/bus.ts';
import { JobFollower } from '../../../src/client/jobs/job-follower.ts';
import { exitCodeOf } from '../../../src/core/jobs/exit-code.ts';
import { LAST_WORD_MS } from '../../../src/core/jobs/watch-times.ts';
import { startPeel } from '../../../src/peel/start-peel.ts';
import { memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import { curveKeyOf, newSigningKey } from '../../../src/trust/nkeys.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { clientOf } from '../../harness/client-of.ts';
import { MasterWorld } from '../../harness/master/master-world.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';

const TIMEOUT_MS = 3_000;
const timeout = BigInt(TIMEOUT_MS) * 1_000_000n;
const worlds: MasterWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function makeWorld(): Promise<{ world: MasterWorld; runs: Map<string, number> }> {
  const world = new MasterWorld();
  worlds.push(world);
  await world.master();
  return { world, runs: new Map() };
}

async function realPeel(world: MasterWorld, id: string, runs: Map<string, number>): Promise<void> {
  const { clock, random, runtime } = world;
  const peel = startPeel({
    bus: openAgentBus(world.server.connect({ role: 'peel', name: id }), runtime),
    system: memoryMachine({ clock, random }).boot(),
    runtime,
    identity: { peelId: id as PeelId, curveKey: curveKeyOf(newSigningKey('user', random)) },
    dataDir: '/var/lib/zester',
    version: '0',
    functions: countingFunctions((run) => runs.set(run, (runs.get(run) ?? 0) + 1)),
  });
  await world.settled(peel.ready, 'the peel');
  await world.clock.advance(1_000);
}

const ends = (world: MasterWorld, job: Job) =>
  world.until(
    async () => !['claimed', 'running'].includes((await world.record(job.jid))?.status ?? ''),
    'the end',
  );
const outcomes = async (world: MasterWorld, job: Job) =>
  Object.fromEntries((await world.rows(job.jid)).map((row) => [row.peelId, row.outcome]));

/** What a person at the command line sees, from the dispatch to the end of the job. */
async function seenByClient(world: MasterWorld, job: Job) {
  const { jid, targets } = job;
  const follower = new JobFollower(clientOf(world.admin, world.runtime), { jid, targets });
  await world.settled(follower.start(), 'the follower');
  await world.dispatch(job);
  await world.settled(follower.untilEnd(45_000), 'the end');
  follower.stop();
  const seen = follower.outcomes();
  return {
    outcomes: Object.fromEntries(seen),
    exit: exitCodeOf(seen.values()),
    status: follower.job?.status,
  };
}

describe('the deadline of a job', () => {
  it('cuts off what runs, and the first word on it is the last: failed, with exit code 2', async () => {
    const { world, runs } = await makeWorld();
    await realPeel(world, 'web-0', runs);
    const job = world.job(['web-0'], { function: 'test.act', args: { run: 'a', ms: 60_000 }, timeout });
    const startMs = world.clock.monotonicMs();
    expect(await seenByClient(world, job)).toEqual({
      outcomes: { 'web-0': 'failed' },
      exit: 2,
      status: 'failed',
    });
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(TIMEOUT_MS + 1_000);
    expect(await world.rows(job.jid)).toMatchObject([{ error: 'execution canceled: the deadline passed' }]);
    await world.clock.advance(20_000);
    expect(world.logged('job recounted')).toEqual([]);
    expect(runs.get('a')).toBe(1);
  });

  it('takes what waits out of the queue: expired then, not when the worker is free', async () => {
    const { world, runs } = await makeWorld();
    await realPeel(world, 'web-0', runs);
    const long = world.job(['web-0'], { function: 'test.act', args: { run: 'long', ms: 30_000 } });
    await world.dispatch(long);
    await world.until(() => runs.get('long') === 1, 'the worker to be busy');
    const job = world.job(['web-0'], { function: 'test.act', args: { run: 'b' }, timeout });
    const startMs = world.clock.monotonicMs();
    expect(await seenByClient(world, job)).toEqual({
      outcomes: { 'web-0': 'expired' },
      exit: 2,
      status: 'failed',
    });
    expect(world.clock.monotonicMs() - startMs).toBeLessThan(TIMEOUT_MS + 1_000);
    await world.clock.advance(60_000);
    expect(runs.get('b')).toBeUndefined();
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'expired' });
    expect(await outcomes(world, long)).toEqual({ 'web-0': 'returned' });
  });

  it('closes a bounded time later over a target that will not stop, and the row is corrected when it has', async () => {
    const { world, runs } = await makeWorld();
    await realPeel(world, 'web-0', runs);
    const job = world.job(['web-0'], { function: 'test.deaf', args: { run: 'c' }, timeout });
    const startMs = world.clock.monotonicMs();
    expect(await seenByClient(world, job)).toEqual({
      outcomes: { 'web-0': 'running' },
      exit: 3,
      status: 'timeout',
    });
    const tookMs = world.clock.monotonicMs() - startMs;
    expect(tookMs).toBeGreaterThanOrEqual(TIMEOUT_MS + LAST_WORD_MS);
    expect(tookMs).toBeLessThan(TIMEOUT_MS + LAST_WORD_MS + 1_000);
    await world.until(async () => (await world.record(job.jid))?.status === 'failed', 'the correction');
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'failed' });
  });

  it('is kept to the moment when nobody is at work, or as soon as the last one has returned', async () => {
    const { world } = await makeWorld();
    const atWork = await world.peel('web-0', { returns: false });
    const away = world.job(['web-7'], { timeout });
    const job = world.job(['web-0', 'web-7'], { timeout });
    await world.dispatch(away);
    await world.dispatch(job);
    await world.clock.advance(TIMEOUT_MS + 500);
    expect((await world.record(away.jid))?.status).toBe('timeout');
    expect((await world.record(job.jid))?.status).toBe('running');
    await world.settled(atWork.returnNow(job.jid, { success: false, error: 'cut off' }), 'the last word');
    await world.clock.advance(100);
    expect((await world.record(job.jid))?.status).toBe('partial');
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'failed', 'web-7': 'unreachable' });
  });

  it('ends the sending: a silent target that comes back while others have their last word gets nothing', async () => {
    const { world } = await makeWorld();
    await world.peel('web-0', { returns: false });
    const late = await world.peel('web-1', { deaf: 1 });
    const job = world.job(['web-0', 'web-1'], { timeout });
    await world.dispatch(job);
    await world.clock.advance(TIMEOUT_MS + 500);
    await world.settled(late.beat(2n), 'a heartbeat of its next life');
    await world.clock.advance(500);
    world.server.stop();
    await world.clock.advance(200);
    world.server.start();
    await ends(world, job);
    expect(late.heard).toEqual([]);
    expect(await outcomes(world, job)).toEqual({ 'web-0': 'running', 'web-1': 'unreachable' });
  });

  it('leaves room for a cancel: it ends the job at once', async () => {
    const { world } = await makeWorld();
    await world.peel('web-0', { returns: false });
    const job = world.job(['web-0'], { timeout });
    await world.dispatch(job);
    await world.clock.advance(TIMEOUT_MS + 500);
    expect((await world.record(job.jid))?.status).toBe('running');
    world.cancel(job.jid);
    await world.clock.advance(200);
    expect((await world.record(job.jid))?.status).toBe('canceled');
  });

  it('does not move when the wall clock is set', async () => {
    const { world } = await makeWorld();
    const job = world.job(['web-7'], { timeout });
    await world.dispatch(job);
    world.clock.jumpWall(-3_600_000);
    await world.clock.advance(TIMEOUT_MS + 100);
    expect((await world.record(job.jid))?.status).toBe('timeout');
  });
});
