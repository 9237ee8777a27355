/** Peels that fill the basket slowly, on a memory server: who has more than its share is named, and nobody else. */
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { EnrollWorld } from '../../../test/harness/enroll/enroll-world.ts';
import { BASKET_SHARE_VALUES } from '../../core/guard/basket-shares.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { basketKey, basketPattern } from '../../wire/names/keys.ts';
import { findGreedy } from './basket-guard.ts';

const makeWorld = closedAfterEach(() => new EnrollWorld());
const TINY = { bytesMax: 1_000, valuesMax: 100 };

async function filled(enrolled: boolean) {
  const world = makeWorld();
  const desk = await world.desk();
  const machine = world.machine('evil');
  if (enrolled) await world.join(desk, machine);
  const evil = await world.peel('evil', enrolled ? { key: machine.key } : {});
  const good = await world.peel('good');
  const put = (peel: typeof evil, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        peel.bus.bucket(BUCKETS.basket.name).put(basketKey(peel.id, `test.f${i}`), Buffer.from('x')),
      ),
    );
  await world.settled(put(evil, BASKET_SHARE_VALUES + 1), 'a basket');
  await world.settled(put(good, 3), 'another basket');
  const context = {
    bus: world.admin,
    runtime: world.runtime,
    enrollments: { currentOf: () => (enrolled ? { publicKey: machine.publicKey } : undefined) } as never,
  };
  const keysOf = (peel: PeelId) =>
    world.settled(world.admin.bucket(BUCKETS.basket.name).keys(basketPattern(peel)), 'its keys');
  const greedy = (bounds?: typeof TINY) => world.settled(findGreedy(context, bounds), 'a look');
  return { world, evil, good, machine, greedy, keysOf };
}

describe('a peel with more values in the basket than its share', () => {
  it('is let be while there is room for all, and is to be banned when half is full', async () => {
    const { machine, greedy, keysOf, good } = await filled(true);
    expect(await greedy()).toEqual([]);
    expect(await greedy(TINY)).toEqual([
      {
        peel: 'evil',
        publicKey: machine.publicKey,
        reason: `put ${BASKET_SHARE_VALUES + 1} values into the basket, where a peel has ${BASKET_SHARE_VALUES}`,
      },
    ]);
    expect(await keysOf(good.id)).toHaveLength(3);
  });

  it('and no enrollment that could be banned loses its values, and nobody else loses any', async () => {
    const { greedy, keysOf, evil, good, world } = await filled(false);
    expect(await greedy(TINY)).toEqual([]);
    expect(await keysOf(evil.id)).toEqual([]);
    expect(await keysOf(good.id)).toHaveLength(3);
    expect(world.logged('filled the basket')).toHaveLength(1);
  });
});
