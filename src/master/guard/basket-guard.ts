/**
 * The basket guard keeps one peel from filling the basket for all (core/guard/basket-shares.ts). Asked about twice a minute by the flood
 * guard: how much there is costs one question; only when it is half full the keys are read and counted.
 *
 * Who has more than its share is banned like any flooder, and what it has there is purged with the ban. A peel that never enrolled has no
 * key that a ban could name: then only its values go, and the log says so. Twice or late changes nothing.
 */
import { BASKET_SHARE_VALUES, greedyPeels, isHalfFull } from '../../core/guard/basket-shares.ts';
import { BUCKETS, type BucketSpec } from '../../wire/names/buckets.ts';
import { streamInfoSubject, streamPurgeSubject } from '../../wire/names/jetstream.ts';
import { basketPattern } from '../../wire/names/keys.ts';
import { kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import type { MasterContext } from '../master-context.ts';
import type { Flooder } from './ban-book.ts';

type Ground = Pick<MasterContext, 'bus' | 'runtime' | 'enrollments'>;

/** Those that are to be banned. */
export async function findGreedy(
  { bus, runtime, enrollments }: Ground,
  basket: Pick<BucketSpec, 'bytesMax' | 'valuesMax'> = BUCKETS.basket,
): Promise<Flooder[]> {
  const { name } = BUCKETS.basket;
  const stream = kvStreamName(name);
  const { state } = await bus.api(streamInfoSubject(stream), {});
  const { bytes = 0, messages: values = 0 } = state as {
    readonly bytes?: number;
    readonly messages?: number;
  };
  if (!isHalfFull({ bytes, values }, basket)) return [];
  const flooders: Flooder[] = [];
  for (const [peel, count] of greedyPeels(await bus.bucket(name).keys())) {
    const reason = `put ${count} values into the basket, where a peel has ${BASKET_SHARE_VALUES}`;
    const publicKey = enrollments.currentOf(peel)?.publicKey;
    if (publicKey !== undefined) flooders.push({ peel, publicKey, reason });
    else {
      await bus.api(streamPurgeSubject(stream), { filter: kvSubject(name, basketPattern(peel)) });
      runtime.log.warn('a peel without an enrollment filled the basket; its values are gone', {
        peel,
        reason,
      });
    }
  }
  return flooders;
}
