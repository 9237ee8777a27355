/** Returns that come when their job is over. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { dyingBus, failingBus } from '../../../test/harness/master/master-bus.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { zesterError } from '../../core/errors/zester-error.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());

describe('late returns', () => {
  it('replace the row and correct the record of a job that is over', async () => {
    const world = makeWorld();
    await world.master();
    await world.master();
    await world.peel('web-0');
    const late = await world.peel('web-1', { returns: false });
    const later = await world.peel('web-2', { returns: false });
    const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 5_000_000_000n });
    await world.dispatch(job);
    await world.endsAs(job, 'partial');
    await world.settled(late.returnNow(job.jid), 'the return');
    await world.until(async () => (await world.record(job.jid))?.returnCount === 2, 'the recount');
    await world.settled(later.returnNow(job.jid, { success: false, error: 'boom' }), 'the return');
    await world.endsAs(job, 'failed');
    expect(await world.record(job.jid)).toMatchObject({ returnCount: 3, successCount: 2 });
    expect(await world.outcomes(job)).toEqual({
      'web-0': 'returned',
      'web-1': 'returned',
      'web-2': 'failed',
    });
  });

  it('by the hundred, with a store that fails now and then, are all counted', async () => {
    const world = makeWorld();
    const error = zesterError('BUS_TIMEOUT', { what: 'test', ms: 1 });
    let isOver = false;
    const faults = { op: 'update', on: /./, error, times: 20, effect: true, armed: () => isOver };
    await world.master({}, failingBus(world.connectMaster(), faults).bus);
    await world.master();
    const peels = await world.peels(100, { returns: false });
    const job = world.job(
      peels.map((peel) => peel.id),
      { timeout: 3_000_000_000n },
    );
    await world.dispatch(job);
    await world.endsAs(job, 'timeout');
    isOver = true;
    await world.settled(Promise.all(peels.map((peel) => peel.returnNow(job.jid))), 'the returns');
    await world.endsAs(job, 'complete');
    expect(await world.record(job.jid)).toMatchObject({ returnCount: 100, successCount: 100 });
  });

  it('of a job nobody watches any more are stored all the same', async () => {
    const world = makeWorld();
    let isDying = false;
    const first = dyingBus(world.connectMaster(), 1, 'before', () => isDying);
    await world.master({}, first.bus);
    const peel = await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    isDying = true;
    await world.until(() => first.isDead(), 'the death of the owner');
    await world.master();
    await world.settled(peel.returnNow(job.jid), 'the return');
    await world.until(async () => (await world.rows(job.jid)).length === 1, 'the row');
    expect((await world.record(job.jid))?.status).toBe('running');
  });
});
