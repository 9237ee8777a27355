import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import type { Presence } from './presence.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
const web = 'web-0' as PeelId;
const db = 'db-0' as PeelId;
const SECOND = 1_000_000_000n;

async function beat(world: MasterWorld, peel: PeelId, since = 1n): Promise<void> {
  const value = peelHeartbeatCodec.encode(peelHeartbeatCodec.create({ since, timestamp: world.now() }));
  const bucket = world.admin.bucket(BUCKETS.peelHeartbeat.name);
  await world.settled(bucket.put(peel, value), 'a heartbeat');
  await world.clock.advance(100);
}

/** Started, with the peels that appeared. */
async function started(world: MasterWorld): Promise<{ presence: Presence; appeared: PeelId[] }> {
  const appeared: PeelId[] = [];
  const { presence } = await world.context({ appeared: (peel) => appeared.push(peel) });
  expect(presence.offline([web])).toEqual([]);
  await world.settled(presence.start(), 'the first reading');
  return { presence, appeared };
}

describe('the presence of a peel', () => {
  it('is as old as its newest heartbeat, and ends when that has expired', async () => {
    const world = makeWorld();
    const { presence } = await started(world);
    expect([presence.offline([web, db]), presence.ageOf(web)]).toEqual([[web, db], undefined]);
    await beat(world, web);
    await world.clock.advance(9_900);
    expect([presence.offline([web, db]), presence.online(), presence.ageOf(web)]).toEqual([
      [db],
      1,
      10n * SECOND,
    ]);
    await world.clock.advance(BUCKETS.peelHeartbeat.ttlMs);
    expect([presence.offline([web, db]), presence.online()]).toEqual([[web, db], 0]);
    presence.stop();
  });

  it('counts from when the heartbeat was written, also when it is read later', async () => {
    const world = makeWorld();
    await world.master();
    await beat(world, web);
    await world.clock.advance(19_900);
    const { presence } = await started(world);
    expect(presence.ageOf(web)).toBeGreaterThanOrEqual(20n * SECOND);
    presence.stop();
  });

  it('begins anew when it was started again or away for more than two beats, and not with each beat', async () => {
    const world = makeWorld();
    const { presence, appeared } = await started(world);
    await beat(world, web);
    expect(appeared).toEqual([web]);
    for (const waitMs of [10_000, 20_000]) {
      await world.clock.advance(waitMs);
      await beat(world, web);
    }
    expect(appeared).toEqual([web]);
    await beat(world, web, 2n);
    expect(appeared).toEqual([web, web]);
    await world.clock.advance(26_000);
    await beat(world, web, 2n);
    expect(appeared).toEqual([web, web, web]);
    presence.stop();
  });

  it('is not proven by bytes that are no heartbeat', async () => {
    const world = makeWorld();
    const { presence, appeared } = await started(world);
    const bucket = world.admin.bucket(BUCKETS.peelHeartbeat.name);
    await world.settled(bucket.put(web, Uint8Array.of(0xc1)), 'nonsense');
    await world.clock.advance(100);
    expect([presence.offline([web]), appeared]).toEqual([[web], []]);
    presence.stop();
  });
});
