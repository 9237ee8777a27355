/** The life of a master: what it does when it starts, and what it leaves when it stops. */

import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../test/harness/master/master-world.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../wire/names/keys.ts';
import { masterHeartbeatCodec } from '../wire/records/heartbeat.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());

describe('a master', () => {
  it('publishes its keys once, beats, and says when it leaves', async () => {
    const world = makeWorld();
    const { master, masterId } = await world.master();
    const secrets = world.admin.bucket(BUCKETS.secrets.name);
    const keys = await world.settled(secrets.entries(), 'the keys');
    expect(keys.map((entry) => entry.key)).toEqual(['_command_pub', '_fleet_keys', '_master_curve_pub']);
    expect(keys.map((entry) => entry.value.length)).toEqual([43, expect.any(Number), 56]);
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

  it.each([MASTER_CURVE_KEY, COMMAND_KEY])(
    'does not start where %s is not its own, and leaves it alone',
    async (key) => {
      const world = makeWorld();
      const { master: first } = await world.master();
      await world.settled(first.stop(), 'the stop');
      const secrets = world.admin.bucket(BUCKETS.secrets.name);
      await world.settled(secrets.put(key, Buffer.from('another')), 'another key');
      const before = await world.settled(secrets.entries(), 'the keys');

      const { master } = world.startMaster();
      await expect(world.settled(master.ready, 'the end of the start')).rejects.toMatchObject({
        code: 'MASTER_OTHER_KEYS',
        message: expect.stringContaining(`secrets/${key}`),
      });
      await world.until(() => master.state().phase === 'stopped', 'the end of what it had started');
      expect(await world.settled(secrets.entries(), 'the keys')).toEqual(before);
      expect(world.logged('the master could not start')).toHaveLength(1);
    },
  );

  it('puts a key there that a master which died had not written yet', async () => {
    const world = makeWorld();
    const { master: first } = await world.master();
    await world.settled(first.stop(), 'the stop');
    const secrets = world.admin.bucket(BUCKETS.secrets.name);
    await world.settled(secrets.remove(COMMAND_KEY), 'the loss of a key');
    await world.master();
    expect((await world.settled(secrets.getLatest(COMMAND_KEY), 'the key')).found).toBe(true);
  });

  it('starts beside others at the same moment', async () => {
    const world = makeWorld();
    const started = Array.from({ length: 4 }, () => world.startMaster().master);
    await world.settled(Promise.all(started.map(({ ready }) => ready)), 'all of them');
    expect(world.logged('public key published')).toHaveLength(3);
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
