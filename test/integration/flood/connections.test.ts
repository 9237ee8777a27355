/**
 * One peel opens a thousand connections, on a real nats-server with real masters. No server limits the connections of one user, so the
 * guard has to: the peel is named and cut off within ten seconds, all its connections end, and the others are served.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CONNECTIONS_MAX } from '../../../src/core/guard/flood-rules.ts';
import { evilOf, FloodWorld } from '../../harness/flood/flood-world.ts';
import { until } from '../../harness/until.ts';

const world = new FloodWorld();
const HONEST = 2;
const SECONDS = 11;

beforeAll(() => world.begin(), 60_000);
afterAll(() => world.close(), 60_000);

it('a peel that opens a thousand connections loses them all, and the others are served', async () => {
  const figures = await world.flood('connections', SECONDS);
  const had = Number(/^had (\d+) connections at the same time$/.exec(figures.reason)?.[1]);
  expect(had).toBeGreaterThan(CONNECTIONS_MAX);
  expect(figures.bannedMs).toBeLessThanOrEqual(10_000);
  expect(figures.slowestMs).toBeLessThanOrEqual(2_000);
  expect((await world.bans()).map(({ peelId }) => peelId)).toEqual([evilOf('connections')]);
  await until(async () => (await world.connectedPeels()) === HONEST, 'only the honest to be connected');
}, 120_000);
