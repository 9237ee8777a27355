/** Every kind of flood that a peel's grant allows, one after the other, on a real nats-server; the figures are printed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEEL_STORES } from '../../src/master/guard/peel-queues.ts';
import { ALL_BUCKETS } from '../../src/wire/names/buckets.ts';
import { kvStreamName } from '../../src/wire/names/store-subjects.ts';
import { ALL_STREAMS } from '../../src/wire/names/streams.ts';
import { FLOOD_KINDS } from '../harness/flood/flood-kinds.ts';
import { FloodWorld } from '../harness/flood/flood-world.ts';

const SECONDS = 20;
/** What masters, peels and the test itself write meanwhile. */
const STORE_BYTES_MAX = 512 * 1_048_576;
const world = new FloodWorld();
const KINDS = Object.keys(FLOOD_KINDS).filter(
  (kind) => process.env.FLOOD_KINDS === undefined || process.env.FLOOD_KINDS.split(',').includes(kind),
);

beforeAll(() => world.begin(), 60_000);
afterAll(() => world.close(), 60_000);

describe('a flood', () => {
  it.each(KINDS)(
    'of %s is cut off, and the others are served',
    async (kind) => {
      const figures = await world.flood(kind, SECONDS);
      process.stderr.write(`${JSON.stringify(figures)}\n`);
      expect(figures.bannedMs).toBeLessThanOrEqual(10_000);
      expect(figures.slowestMs).toBeLessThanOrEqual(2_000);
      expect(figures.storeBytes).toBeLessThan(STORE_BYTES_MAX);
      const bounds = new Map<string, number>([
        ...ALL_STREAMS.map(({ name, maxBytes }) => [name, maxBytes] as const),
        ...ALL_BUCKETS.map(({ name, bytesMax }) => [kvStreamName(name), bytesMax] as const),
      ]);
      for (const store of PEEL_STORES) {
        const max = bounds.get(store) ?? 0;
        if (max > 0) expect((await world.messagesIn(store)).bytes, store).toBeLessThanOrEqual(max);
      }
    },
    180_000,
  );
});
