/** Cancels, as one master hears them. An adopter finds them in the stream: takeover/adoption-cancel.test.ts. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { jobCancelSubject } from '../../wire/names/subjects.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());

describe('cancel', () => {
  it('ends the job; targets that did not return are canceled', async () => {
    const world = makeWorld();
    await world.master();
    await world.master();
    await world.peel('web-0');
    const busy = await world.peel('web-1', { returns: false });
    const job = world.job(['web-0', 'web-1']);
    await world.dispatch(job);
    await world.clock.advance(1_000);
    world.cancel(job.jid);
    await world.endsAs(job, 'canceled');
    expect(await world.outcomes(job)).toEqual({ 'web-0': 'returned', 'web-1': 'canceled' });
    expect(busy.canceled).toEqual([job.jid]);
    await world.settled(busy.returnNow(job.jid, { success: false, outcome: 'canceled' }), 'its own word');
    await world.until(async () => (await world.record(job.jid))?.returnCount === 2, 'the recount');
    expect((await world.record(job.jid))?.status).toBe('canceled');
  });

  it('without a signature, or with one that does not fit, is refused', async () => {
    const world = makeWorld();
    await world.master();
    await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    const proof = `v1.ed25519.${Buffer.alloc(64, 1).toString('base64url')}`;
    world.admin.publish(jobCancelSubject(job.jid), new Uint8Array(0), {
      headers: new Map([['Zester-Proof', proof]]),
    });
    world.admin.publish(jobCancelSubject(job.jid), new Uint8Array(0));
    await world.clock.advance(2_000);
    expect((await world.record(job.jid))?.status).toBe('running');
    expect(world.logged('cancel refused').map((line) => line.reason)).toEqual([
      'proof does not fit',
      'no proof',
    ]);
  });

  it('that overtakes its job is not lost: nothing is sent', async () => {
    const world = makeWorld();
    await world.master();
    const peel = await world.peel('web-0');
    const job = world.job(['web-0']);
    world.cancel(job.jid);
    await world.clock.advance(10);
    await world.dispatch(job);
    await world.endsAs(job, 'canceled');
    expect(peel.heard).toEqual([]);
  });
});
