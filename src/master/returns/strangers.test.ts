import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { STRANGER_RATE } from './strangers.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
const evil = 'evil' as PeelId;
const job = { jid: 'x' };

describe('a stranger', () => {
  it('is told of once, and once more when it floods; its budget comes back with time', async () => {
    const world = makeWorld();
    const { strangers } = await world.context();
    for (let i = 0; i < STRANGER_RATE.burst; i++) {
      expect(strangers.mayAsk(evil)).toBe(true);
      strangers.note(evil, 'no such job', job);
    }
    expect([strangers.mayAsk(evil), strangers.mayAsk(evil)]).toEqual([false, false]);
    expect(world.logged('ack or return dropped').length).toBe(1);
    expect(world.logged('too many acks and returns').length).toBe(1);
    await world.clock.advance(2_000);
    expect(strangers.mayAsk(evil)).toBe(true);
  });

  it('costs the others nothing', async () => {
    const world = makeWorld();
    const { strangers } = await world.context();
    for (let i = 0; i <= STRANGER_RATE.burst; i++) strangers.note(evil, 'no such job', job);
    expect(strangers.mayAsk('web-0' as PeelId)).toBe(true);
  });
});
