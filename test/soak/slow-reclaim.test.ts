/**
 * A master dies where nobody can see it: in another pid namespace, or behind a line that has gone deaf. Then only its
 * heartbeat tells: 15 s of life, and two looks that are 20 s apart.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/system-clock.ts';
import type { Job } from '../../src/wire/records/job.ts';
import { Line } from '../harness/line.ts';
import { type FleetMaster, ProcessFleet } from '../harness/programs/process-fleet.ts';
import { until } from '../harness/until.ts';

const PEEL = 'web-01';
/** As the specification has it, and the spread of the looks: each is up to 10 % late. */
const RECLAIM_MS_MAX = 55_000 + 4_000;
const LONG = 600_000_000_000n;
const fleet = new ProcessFleet();
let line: Line;
let elsewhere: FleetMaster;
let behindTheLine: FleetMaster;
let count = 0;

beforeAll(async () => {
  await fleet.open();
  line = await Line.to(fleet.server.port);
  await fleet.master();
  elsewhere = await fleet.master({ through: ['unshare', '--pid', '--fork', '--kill-child'] });
  behindTheLine = await fleet.master({ url: line.url });
  await fleet.peel(PEEL);
});
afterAll(async () => {
  await fleet.close();
  await line.close();
});

/** A job of this master, at work until `go`. */
async function jobOf(master: FleetMaster): Promise<{ job: Job; go: () => void }> {
  for (;;) {
    const gate = join(fleet.dir, `gate-${count++}`);
    const go = () => writeFileSync(gate, '');
    const job = fleet.markingJob([PEEL], `until [ -e ${gate} ]; do sleep 0.1; done`, { timeout: LONG });
    await fleet.dispatch(job);
    await until(() => fleet.effects(PEEL).get(job.jid) === 1, 'the work to begin');
    if ((await fleet.record(job))?.owner === master.masterId) return { job, go };
    go();
    await fleet.ended(job);
  }
}

describe('a master that dies where nobody sees it', () => {
  it.each<[string, () => FleetMaster, (master: FleetMaster) => Promise<void> | void]>([
    ['killed in another pid namespace', () => elsewhere, (master) => master.kill9()],
    ['behind a line that is deaf', () => behindTheLine, () => line.swallow('both ways')],
  ])('%s: its job is adopted within 55 s, and done once', async (_how, which, dies) => {
    const master = which();
    const { masterId } = master;
    const { job, go } = await jobOf(master);
    const begunMs = systemClock.monotonicMs();
    await dies(master);
    const isAdopted = async () => (await fleet.record(job))?.owner !== masterId;
    await until(isAdopted, 'the adoption', 2 * RECLAIM_MS_MAX);
    const tookMs = systemClock.monotonicMs() - begunMs;
    console.log(`adopted after ${Math.round(tookMs)} ms`);
    expect(tookMs).toBeLessThan(RECLAIM_MS_MAX);
    go();
    expect(await fleet.ended(job)).toMatchObject({ status: 'complete', returnCount: 1, reclaimCount: 1 });
    expect(await fleet.outcomes(job)).toEqual({ [PEEL]: 'returned' });
    expect(fleet.effects(PEEL).get(job.jid)).toBe(1);
  });
});
