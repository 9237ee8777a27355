import { describe, expect, it } from 'vitest';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { BASKET_SHARE_VALUES, greedyPeels, isHalfFull } from './basket-shares.ts';

const keysOf = (peel: string, count: number) => Array.from({ length: count }, (_, i) => `${peel}.f${i}.x`);

describe('shares of the basket', () => {
  it('are counted by peel, and one value more than a share is too much', () => {
    const keys = [...keysOf('evil', BASKET_SHARE_VALUES + 1), ...keysOf('web-1', BASKET_SHARE_VALUES)];
    expect([...greedyPeels([...keys, '_probe.append.time'])]).toEqual([['evil', BASKET_SHARE_VALUES + 1]]);
  });

  it('matter when half of the bytes or of the values are there', () => {
    const bounds = { bytesMax: 1_000, valuesMax: 100 };
    expect(isHalfFull({ bytes: 499, values: 49 }, bounds)).toBe(false);
    expect(isHalfFull({ bytes: 500, values: 1 }, bounds)).toBe(true);
    expect(isHalfFull({ bytes: 1, values: 50 }, bounds)).toBe(true);
  });

  it('are small enough that a few hostile peels do not fill half of it', () => {
    const { bytesMax, valueBytesMax, valuesMax } = BUCKETS.basket;
    expect((BASKET_SHARE_VALUES * valueBytesMax * 15) / bytesMax).toBeLessThan(0.5);
    expect((BASKET_SHARE_VALUES * 15) / valuesMax).toBeLessThan(0.5);
  });
});
