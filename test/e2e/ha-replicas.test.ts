/** Copies on a real cluster of three: masters follow the servers, whatever addresses they were given, and say what is thin. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectAssets } from '../../src/bus/inspect-assets.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { ALL_BUCKETS } from '../../src/wire/names/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../../src/wire/names/streams.ts';
import type { FleetProgram } from '../harness/programs/fleet-program.ts';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const CRITICAL = [...ALL_BUCKETS, ...ALL_STREAMS, ...ALL_OBJECT_STORES].filter(
  ({ tier }) => tier === 'critical',
);
const fleet = new ProcessFleet();

beforeAll(() => fleet.open('cluster'), 90_000);
afterAll(() => fleet.close(), 60_000);

const copies = async () => {
  const states = await inspectAssets(fleet.admin, ASSETS);
  return [...new Set(states.map(({ found }) => found?.replicas))];
};
const warnings = (master: FleetProgram) =>
  master.lines().filter(({ msg }) => msg.startsWith('UNDER-REPLICATED'));

describe('copies on a cluster of three', () => {
  it('a master that was given one address makes three of everything at once, and has nothing to warn of', async () => {
    const begunMs = systemClock.monotonicMs();
    const master = await fleet.master({ url: fleet.server.url });
    console.log(
      `all assets of a fresh cluster are there after ${Math.round(systemClock.monotonicMs() - begunMs)} ms`,
    );
    expect(await copies()).toEqual([3]);
    expect(warnings(master)).toEqual([]);
    await master.stop();
  }, 60_000);

  it('an explicit number wins, and every critical asset that is thin is warned of', async () => {
    const master = await fleet.master({ args: ['--replicas', '1'] });
    expect(await copies()).toEqual([1]);
    expect(warnings(master)).toHaveLength(CRITICAL.length);
    expect(warnings(master)[0]).toMatchObject({ level: 'warn', copies: 1, wanted: 3, servers: 3 });
    await master.stop();
  }, 60_000);

  it('what is thin gets its copies from the next master that follows the cluster', async () => {
    const master = await fleet.master();
    expect(await copies()).toEqual([3]);
    expect(warnings(master)).toEqual([]);
  }, 60_000);
});
