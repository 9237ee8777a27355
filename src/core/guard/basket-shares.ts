/**
 * The basket shares say who has put more into the basket than a peel may. The basket is one bucket for all, bounded in bytes and values, and
 * at a bound new keys of everybody are refused. A peel that fills it slowly sends no flood that anybody could see; so once the basket
 * is half full, values are counted by peel. Pure.
 *
 * The share is that of a peel with several hundred functions. With values as long as they may be it is a 32nd of all bytes: fewer than sixteen
 * hostile peels cannot even make anybody count.
 */
import type { BucketSpec } from '../../wire/names/buckets.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';

export const BASKET_SHARE_VALUES = 256;

export interface BasketSize {
  readonly bytes: number;
  readonly values: number;
}

export function isHalfFull(
  { bytes, values }: BasketSize,
  { bytesMax, valuesMax }: Pick<BucketSpec, 'bytesMax' | 'valuesMax'>,
): boolean {
  return bytes * 2 >= bytesMax || values * 2 >= valuesMax;
}

/** Peels with more values than their share, and how many. `keys`: all that there are; the first token is the peel that wrote it. */
export function greedyPeels(keys: readonly string[]): ReadonlyMap<PeelId, number> {
  const counts = new Map<PeelId, number>();
  for (const key of keys) {
    const peel = parsePeelId(key.split('.', 1)[0] ?? '');
    if (peel !== undefined) counts.set(peel, (counts.get(peel) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > BASKET_SHARE_VALUES));
}
