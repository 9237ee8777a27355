/**
 * Several peels flood at the same time, each in its way, on a real nats-server with real masters and peels: each is named and cut off within
 * ten seconds, and the others are served all the time, with nothing of theirs lost. All kinds, one after the other, are in test/soak.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STREAMS } from '../../../src/wire/names/streams.ts';
import { grantsWithoutKind } from '../../harness/flood/flood-kinds.ts';
import { evilOf, FloodWorld } from '../../harness/flood/flood-world.ts';

const world = new FloodWorld();
const KINDS = ['acks', 'heartbeats', 'large returns', 'returns on many connections'];
const SECONDS = 12;

beforeAll(() => world.begin(), 60_000);
afterAll(() => world.close(), 60_000);

describe('a flood', () => {
  it('of every kind that a grant allows has a case', () => {
    expect(grantsWithoutKind()).toEqual([]);
  });

  it('is cut off, whoever else floods, and the others are served', async () => {
    const all = await Promise.all(KINDS.map((kind) => world.flood(kind, SECONDS)));
    for (const { kind, bannedMs, slowestMs } of all) {
      expect(bannedMs, kind).toBeLessThanOrEqual(10_000);
      expect(slowestMs, kind).toBeLessThanOrEqual(2_000);
      expect(await world.eventsOn(`zester.event._master.guard.banned.${evilOf(kind)}`), kind).toBe(1);
    }
    expect(new Set((await world.bans()).map(({ peelId }) => peelId))).toEqual(new Set(KINDS.map(evilOf)));
    expect((await world.messagesIn(STREAMS.jobWords.name)).messages).toBeLessThan(5_000);
  }, 180_000);
});
