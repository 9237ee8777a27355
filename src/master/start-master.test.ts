/** The life of a master: what it does when it starts, and what it leaves when it stops. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../test/harness/master/master-world.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { masterHeartbeatCodec } from '../wire/records/heartbeat.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());

describe('a master', () => {
  it('publishes its keys once, beats, and says when it leaves', async () => {
    const world = makeWorld();
    const { master, masterId } = await world.master();
    const secrets = world.admin.bucket(BUCKETS.secrets.name);
    const keys = await world.settled(secrets.entries(), 'the keys');
    expect(keys.map((entry) => entry.key)).toEqual(['_command_pub', '_master_curve_pub']);
    expect(keys.map((entry) => entry.value.length)).toEqual([43, 56]);
    await world.master();
    const again = await world.settled(secrets.entries(), 'the keys');
    expect(again.map((entry) => entry.revision)).toEqual(keys.map((entry) => entry.revision));
    await world.peel('web-0', { returns: false });
    await world.clock.advance(20_000);
    await world.settled(master.stop(), 'the stop');
    const beats = world.admin.bucket(BUCKETS.masterHeartbeat.name);
    const last = await world.settled(beats.getLatest(masterId), 'the last beat');
    expect(last.found && masterHeartbeatCodec.decode(last.value)).toMatchObject({
      masterId,
      leaving: true,
      host: 'here',
      pid: 1,
      bootId: 'boot',
    });
    expect(master.state().phase).toBe('stopped');
  });

  it('that stops ends what is complete and leaves what runs to others', async () => {
    const world = makeWorld();
    const { master } = await world.master();
    await world.peel('web-0', { returns: false });
    const job = world.job(['web-0']);
    await world.dispatch(job);
    await world.settled(master.stop(), 'the stop');
    expect((await world.record(job.jid))?.status).toBe('running');
    expect(await world.isIndexed(job.jid)).toBe(true);
    expect(await world.rows(job.jid)).toEqual([]);
  });

  it('can be stopped before it is ready, and when the store is silent', async () => {
    const world = makeWorld();
    world.server.stop();
    const { master } = world.startMaster();
    await world.clock.advance(1_000);
    await world.settled(master.stop(), 'the stop');
    expect(master.state().phase).toBe('stopped');
    await expect(master.ready).rejects.toThrow();
  });
});
