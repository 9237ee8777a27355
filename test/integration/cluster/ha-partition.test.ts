/**
 * A master that is cut off while its job runs, on a real nats-server: the others take the job, and when it is back it sees
 * that and lets go without writing anything. Looks are a second apart here; the heartbeat lives its 15 s.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Master } from '../../../src/master/start-master.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { jobKey } from '../../../src/wire/names/keys.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { effectsIn, JobsWorld, type PeelProgram } from '../../harness/jobs-world.ts';
import { Line } from '../../harness/line.ts';
import { until } from '../../harness/until.ts';

const LOOKS = { orphanScanMs: 1_000 };
/** The life of a heartbeat, two looks, and what a busy machine needs. */
const ADOPTED_MS_MAX = 25_000;
const world = new JobsWorld();
let line: Line;
let cutOff: Master;
let peel: PeelProgram;

beforeAll(async () => {
  await world.open(2, LOOKS);
  line = await Line.to(world.server.port);
  cutOff = world.master('cut-off', LOOKS, line.url);
  await cutOff.ready;
  peel = await world.program('web-01');
}, 60_000);
afterAll(async () => {
  await world.close();
  await line.close();
});

const ownerOf = async (job: Job) => (await world.record(job))?.owner;
const revisions = async ({ jid }: Job) =>
  (await world.admin.bucket(BUCKETS.jobs.name).history(jobKey(jid))).map(({ revision }) => revision);
const watchesOf = ({ masterId }: ReturnType<Master['state']>) =>
  world.masterLines.filter(({ msg, master }) => msg.startsWith('job was taken over') && master === masterId);

/** A job that the master which will be cut off owns, running on the peel until `go`. */
async function jobOfTheCutOff(): Promise<{ job: Job; file: string; go: () => void }> {
  for (let i = 0; ; i++) {
    const file = join(world.dir, `effect-${i}`);
    const stateId = `echo ran >> ${file}; until [ -e ${file}.go ]; do sleep 0.05; done`;
    const job = world.job([peel.id], { function: 'cmd.run', stateId, timeout: 120_000_000_000n });
    const go = () => writeFileSync(`${file}.go`, '');
    await world.dispatch(job);
    await until(() => effectsIn(file) === 'ran\n', 'the work to begin');
    if ((await ownerOf(job)) === cutOff.state().masterId) return { job, file, go };
    go();
    await world.ended(job);
  }
}

describe('a master that is cut off', () => {
  it('loses its job to another, sees that when it is back, and writes nothing', async () => {
    const { job, file, go } = await jobOfTheCutOff();
    const { masterId } = cutOff.state();
    line.swallow('both ways');
    const cutMs = systemClock.monotonicMs();
    await until(async () => (await ownerOf(job)) !== masterId, 'the adoption', ADOPTED_MS_MAX);
    console.log(`adopted ${Math.round(systemClock.monotonicMs() - cutMs)} ms after the cut`);
    expect(cutOff.state().jobs).toBe(1);
    const before = await revisions(job);

    line.cut();
    await until(() => cutOff.state().jobs === 0, 'it to let go');
    expect(watchesOf(cutOff.state())).toHaveLength(1);
    expect(await revisions(job)).toEqual(before);
    expect(await world.record(job)).toMatchObject({ status: 'running', reclaimCount: 1 });

    go();
    expect(await world.ended(job)).toMatchObject({ status: 'complete', returnCount: 1, successCount: 1 });
    expect(await ownerOf(job)).not.toBe(masterId);
    expect(await world.outcomes(job)).toEqual({ [peel.id]: 'returned' });
    expect(effectsIn(file)).toBe('ran\n');
  }, 90_000);
});
