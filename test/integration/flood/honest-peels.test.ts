/**
 * Peels that have much to do are not taken for flooders: the real code of a peel, on a real nats-server, under the eyes of real flood guards.
 * All of it at the same time; one after the other, longer and over slow lines in test/soak.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evilOf } from '../../harness/flood/flood-world.ts';
import { HonestWorld } from '../../harness/flood/honest-world.ts';

const world = new HonestWorld();
const RETURN_BYTES = 1_000_000;
const tree = Object.fromEntries([
  ...Array.from({ length: 1_000 }, (_, i) => [`d${i % 20}/f${i}.zy`, `file ${i}`]),
  ...Array.from({ length: 8 }, (_, i) => [`large/${i}`, `${i}`.repeat(500_000)]),
  ['huge', 'x'.repeat(8 * 1_048_576)],
]);

beforeAll(() => world.begin(), 60_000);
afterAll(() => world.close(), 60_000);

it('nobody is banned for a spool, a tree, pings or reconnects, and a flooder among them is', async () => {
  const figures = await Promise.all([
    world.spool('spool', 64, RETURN_BYTES),
    world.mirror('mirror', tree),
    world.pings('pings', 100, 16),
    world.reconnects('flaps', 20),
    world.flood('acks', 2),
  ]);
  process.stderr.write(`${figures.map((each) => JSON.stringify(each)).join('\n')}\n`);
  expect((await world.bans()).map(({ peelId }) => peelId)).toEqual([evilOf('acks')]);
}, 120_000);
