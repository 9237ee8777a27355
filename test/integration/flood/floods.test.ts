/**
 * One peel floods, on a real nats-server with real masters and peels: it is named and cut off within ten seconds, and the others
 * are served all the time, with nothing of theirs lost. Here a few kinds for a short time; all of them are in test/soak.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STREAMS } from '../../../src/wire/names/streams.ts';
import { grantsWithoutKind } from '../../harness/flood/flood-kinds.ts';
import { evilOf, FloodWorld } from '../../harness/flood/flood-world.ts';

const world = new FloodWorld();
const KINDS = ['acks', 'heartbeats', 'large returns'];
const SECONDS = 11;

beforeAll(() => world.begin(), 60_000);
afterAll(() => world.close(), 60_000);

describe('a flood', () => {
  it('of every kind that a grant allows has a case', () => {
    expect(grantsWithoutKind()).toEqual([]);
  });

  it.each(KINDS)(
    'of %s is cut off, and the others are served',
    async (kind) => {
      const figures = await world.flood(kind, SECONDS);
      expect(figures.bannedMs).toBeLessThanOrEqual(10_000);
      expect(figures.slowestMs).toBeLessThanOrEqual(2_000);
      expect((await world.bans()).map(({ peelId }) => peelId)).toContain(evilOf(kind));
      expect(await world.eventsOn(`zester.event._master.guard.banned.${evilOf(kind)}`)).toBe(1);
      const words = await world.messagesIn(STREAMS.jobWords.name);
      expect(words.messages).toBeLessThan(5_000);
    },
    180_000,
  );
});
