/**
 * Peels that have as much to do as a peel can have are not taken for flooders, on a real nats-server with real flood guards; what they
 * send is printed, and is well below what is taken for a flood.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SENT_BYTES_MAX, SENT_MAX } from '../../src/core/guard/flood-rules.ts';
import { SPOOL_JOBS_MAX } from '../../src/peel/intake/job-book.ts';
import { evilOf } from '../harness/flood/flood-world.ts';
import { type HonestFigures, HonestWorld } from '../harness/flood/honest-world.ts';
import { Line } from '../harness/line.ts';

const world = new HonestWorld();
const LARGEST_BYTES = 1_000_000;
const SLOW_BYTES_PER_SECOND = 1_000_000;
const SOAK_MS = 900_000;
const MIB = 1_048_576;
const small = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`d${i % 50}/f${i}.zy`, `file ${i} of ${count}`]),
  );
const large = (count: number, bytes: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`large/${i}`, `${i % 10}`.repeat(bytes - i)]));

beforeAll(() => world.begin(), 60_000);
afterAll(() => world.close(), 60_000);

describe('an honest peel is not banned', () => {
  it.each<readonly [string, () => Promise<HonestFigures>]>([
    ['a full spool', () => world.spool('spool', SPOOL_JOBS_MAX, 100)],
    ['a full spool of the largest returns', () => world.spool('large-spool', SPOOL_JOBS_MAX, LARGEST_BYTES)],
    ['a tree of many files', () => world.mirror('many', small(10_000))],
    ['a tree of large files', () => world.mirror('large', large(12, 16 * MIB))],
    ['files that just fit into a message', () => world.mirror('values', large(200, 500_000))],
    ['ping after ping', () => world.pings('pings', 3_000, 64)],
    ['a connection that is lost again and again', () => world.reconnects('flaps', 100)],
    ['a spool on a slow line', async () => world.spool('slow-spool', 40, LARGEST_BYTES, await slowUrl())],
    ['a tree on a slow line', async () => world.mirror('slow', large(80, 400_000), await slowUrl())],
  ])(
    'for %s',
    async (_what, work) => {
      const figures = await work();
      process.stderr.write(`${JSON.stringify(figures)}\n`);
      expect(await world.bans()).toEqual([]);
      expect(figures.mostIn5s).toBeLessThan(SENT_MAX / 2);
      expect(figures.mostMebibytesIn5s).toBeLessThan(SENT_BYTES_MAX / MIB / 2);
    },
    SOAK_MS,
  );

  it('for being killed and started again and again', async () => {
    await world.restarts('killed', 20);
    expect(await world.bans()).toEqual([]);
  }, 300_000);

  it('when the server is started again under a whole fleet', async () => {
    await world.fleet(200);
    expect(await world.bans()).toEqual([]);
  }, 300_000);

  it('and the guard was awake: a flooder is', async () => {
    await world.flood('acks', 5);
    expect((await world.bans()).map(({ peelId }) => peelId)).toEqual([evilOf('acks')]);
  }, 120_000);
});

async function slowUrl(): Promise<string> {
  const line = await Line.to(Number(new URL(world.server.url.replace('tls:', 'http:')).port));
  line.slow(SLOW_BYTES_PER_SECOND);
  return line.url;
}
