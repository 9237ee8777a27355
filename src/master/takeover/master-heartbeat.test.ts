import { afterEach, describe, expect, it } from 'vitest';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';

const BEAT_MS = 5_000;
const worlds: MasterWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

describe('the heartbeat of a master', () => {
  it('comes every five seconds under its id, with the jobs that it watches', async () => {
    const world = new MasterWorld();
    worlds.push(world);
    const { masterId } = await world.master();
    await world.peel('web-0', { returns: false });
    const job = world.job(['web-0'], { timeout: 600_000_000_000n });
    await world.dispatch(job);
    await world.clock.advance(2 * BEAT_MS);
    const beats = world.admin.bucket(BUCKETS.masterHeartbeat.name);
    const seen = new Map<number, ReturnType<typeof masterHeartbeatCodec.decode>>();
    for (let look = 0; look < 60; look++) {
      const read = await world.settled(beats.getLatest(masterId), 'the heartbeat');
      if (read.found) seen.set(read.revision, masterHeartbeatCodec.decode(read.value));
      await world.clock.advance(1_000);
    }
    const times = [...seen.values()].map(({ timestamp }) => msFromNanos(timestamp));
    expect(times.length).toBeGreaterThanOrEqual(12);
    for (const [index, time] of times.entries())
      if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeCloseTo(BEAT_MS, -3);
    for (const beat of seen.values())
      expect(beat).toMatchObject({ masterId, activeJobs: [job.jid], jobs: 1, leaving: false });
  });
});
