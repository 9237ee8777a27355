import { afterEach, describe, expect, it } from 'vitest';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';

const worlds: MasterWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

describe('a row that the store is slow with', () => {
  it('holds up neither the rows of others nor the next job', async () => {
    const world = new MasterWorld();
    worlds.push(world);
    const trap = new Trap();
    await world.master({}, trap.bus(world.connectMaster()));
    await world.peels(3);
    const [job, next] = [world.job(['web-0', 'web-1', 'web-2']), world.job(['web-1'])];
    const slow = trap.hold(callOf('create', new RegExp(`^job-returns/${job.jid}.web-0$`)));
    await world.dispatch(job);
    const stored = async () => (await world.rows(job.jid)).map(({ peelId }) => peelId);
    await world.until(async () => (await stored()).length === 2, 'the other rows');
    expect([await stored(), slow.waiting()]).toEqual([['web-1', 'web-2'], 1]);
    await world.dispatch(next);
    await world.until(async () => (await world.record(next.jid))?.status === 'complete', 'the next job');
    expect((await world.record(job.jid))?.status).toBe('running');
    slow.release();
    await world.until(async () => (await world.record(job.jid))?.status === 'complete', 'the end');
  });
});
