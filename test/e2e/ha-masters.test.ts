/** Three masters as real processes: they share the work, and any of them may be killed or stopped while jobs run. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submitJob } from '../../src/client/jobs/submit-job.ts';
import { resolveTargets } from '../../src/client/targets/resolve-targets.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import type { Job } from '../../src/wire/records/job.ts';
import { clientOf } from '../harness/client-of.ts';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';
import { testRuntime } from '../harness/servers/trusted-nats.ts';
import { until } from '../harness/until.ts';

const PEELS = ['web-01', 'web-02'];
const DISPATCHES = 300;
/** A master that died beside us is looked for every second. */
const NEIGHBOUR_MS_MAX = 5_000;
/** 2 s on a machine with nothing else to do, which `npm run soak` and virtual time hold it to. */
const HAND_OVER_MS_MAX = 15_000;
const HELD_JOBS = 12;
const fleet = new ProcessFleet();

beforeAll(async () => {
  await fleet.open();
  await Promise.all([fleet.master(), fleet.master(), fleet.master()]);
  for (const id of PEELS) await fleet.peel(id);
}, 60_000);
afterAll(() => fleet.close(), 60_000);

/** A job that runs on every peel until `go`. */
function heldJob(name: string, given: Partial<Job> = {}) {
  const gate = join(fleet.dir, `${name}.go`);
  const job = fleet.markingJob(PEELS, `until [ -e ${gate} ]; do sleep 0.05; done`, given);
  return { job, go: () => writeFileSync(gate, '') };
}

const hasStarted = (job: Job) => () => PEELS.every((id) => fleet.effects(id).get(job.jid) === 1);

/** Until the record has another owner; resolves to how long that took. */
async function adopted(job: Job, from: string): Promise<number> {
  const begunMs = systemClock.monotonicMs();
  await until(async () => (await fleet.record(job))?.owner !== from, `${job.jid} to be adopted`, 60_000);
  return systemClock.monotonicMs() - begunMs;
}

describe('three masters', () => {
  it(`share ${DISPATCHES} dispatches, each between 20 and 46 %`, async () => {
    const owners = new Map<string, number>();
    for (let i = 0; i < DISPATCHES; i += 10) {
      const jobs = Array.from({ length: 10 }, () => fleet.job(PEELS));
      const replies = await Promise.all(jobs.map((job) => fleet.dispatch(job)));
      expect(replies).toEqual(jobs.map(({ jid }) => ({ jid })));
      for (const job of jobs) {
        const owner = (await fleet.record(job))?.owner ?? 'nobody';
        owners.set(owner, (owners.get(owner) ?? 0) + 1);
      }
    }
    const shares = fleet.masters.map(({ masterId }) => (owners.get(masterId) ?? 0) / DISPATCHES);
    console.log(`shares: ${shares.map((share) => `${Math.round(share * 100)} %`).join(', ')}`);
    for (const share of shares) {
      expect(share).toBeGreaterThanOrEqual(0.2);
      expect(share).toBeLessThanOrEqual(0.46);
    }
  });

  it('kill -9 of the owner of a running job: a neighbour takes it over in seconds, and the work is done once', async () => {
    const { job, go } = heldJob('killed');
    await fleet.dispatch(job);
    await until(hasStarted(job), 'the work to begin');
    const owner = await fleet.ownerOf(job);
    const { masterId } = owner;
    await owner.kill9();
    const tookMs = await adopted(job, masterId);
    console.log(`adopted ${Math.round(tookMs)} ms after kill -9`);
    expect(tookMs).toBeLessThan(NEIGHBOUR_MS_MAX);
    go();
    expect(await fleet.ended(job)).toMatchObject({ status: 'complete', returnCount: 2, reclaimCount: 1 });
    expect(await fleet.outcomes(job)).toEqual({ 'web-01': 'returned', 'web-02': 'returned' });
    expect(hasStarted(job)()).toBe(true);
    await owner.start();
  }, 60_000);

  it('a cancel while the owner is frozen stops the work at once, and tells how to wait for the rest', async () => {
    const { job } = heldJob('canceled');
    await fleet.dispatch(job);
    await until(hasStarted(job), 'the work to begin');
    const owner = await fleet.ownerOf(job);
    owner.freeze();
    const killed = await fleet.cli('job', 'kill', job.jid);
    expect([killed.code, killed.out]).toEqual([3, `Job ${job.jid} is running\n`]);
    expect(killed.err).toContain('The cancel is stored');
    expect(killed.err).toContain(`job attach ${job.jid} `);
    owner.thaw();
    expect(await fleet.ended(job)).toMatchObject({ status: 'canceled' });
    await until(
      async () => Object.values(await fleet.outcomes(job)).every((outcome) => outcome === 'canceled'),
      'a row of each target',
    );
    expect(hasStarted(job)()).toBe(true);
  }, 60_000);

  it('a graceful stop hands everything over at once, and nothing is lost or done twice', async () => {
    const held = Array.from({ length: HELD_JOBS }, (_, i) => heldJob(`left-${i}`));
    for (const { job } of held) await fleet.dispatch(job);
    const jobs = held.map(({ job }) => job);
    const leaver = await fleet.ownerOf(held[0]?.job ?? fleet.job([]));
    const { masterId } = leaver;
    const owned = async () => {
      const records = await Promise.all(jobs.map((job) => fleet.record(job)));
      return records.filter((record) => record?.owner === masterId).length;
    };
    const before = await owned();
    expect(before).toBeGreaterThan(0);
    const begunMs = systemClock.monotonicMs();
    const stopping = leaver.stop();
    await until(async () => (await owned()) === 0, 'everything to be handed over');
    const tookMs = systemClock.monotonicMs() - begunMs;
    console.log(`${before} jobs handed over ${Math.round(tookMs)} ms after SIGTERM`);
    expect(tookMs).toBeLessThan(HAND_OVER_MS_MAX);
    await stopping;
    for (const { go } of held) go();
    for (const job of jobs)
      expect(await fleet.ended(job)).toMatchObject({ status: 'complete', returnCount: 2 });
    expect(jobs.filter((job) => !hasStarted(job)())).toEqual([]);
    await leaver.start();
  }, 60_000);

  it('a rolling restart under load: no command shows an error, and every one is done once', async () => {
    const load = new Load();
    const stops: number[] = [];
    await load.goesOn();
    for (const master of fleet.masters) {
      stops.push(await master.stop());
      await load.goesOn();
      await master.start();
    }
    await load.goesOn();
    await load.end();
    const took = stops.map((ms) => `${Math.round(ms)} ms`).join(', ');
    console.log(`${load.commands} commands, ${load.jobs.length} jobs beside; stops took ${took}`);
    expect(load.complaints).toEqual([]);
    for (const job of load.jobs) expect(await fleet.ended(job)).toMatchObject({ status: 'complete' });
    for (const file of load.marks) expect(readFileSync(file, 'utf8')).toBe('ran\nran\n');
    expect(load.marks.length).toBeGreaterThan(2);
  }, 180_000);

  it('no program has ended by itself', () => {
    expect([...fleet.masters, ...fleet.peels].flatMap(({ surprises }) => surprises)).toEqual([]);
  });
});

/** Commands of real people, and beside them the same two steps by the hundred, without the start of a program. */
class Load {
  readonly complaints: string[] = [];
  readonly marks: string[] = [];
  readonly jobs: Job[] = [];
  commands = 0;
  private isOver = false;
  private readonly loops: Promise<void>[];

  constructor() {
    this.loops = [this.typing(), this.typing(), this.asking(), this.asking(), this.asking()];
  }

  /** Until some more of both kinds have been begun and ended. */
  async goesOn(): Promise<void> {
    const wanted = { commands: this.commands + 2, jobs: this.jobs.length + 20 };
    const hasMoved = () => this.commands >= wanted.commands && this.jobs.length >= wanted.jobs;
    await until(hasMoved, 'the load to go on', 60_000);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  private async typing(): Promise<void> {
    while (!this.isOver) {
      const mark = join(fleet.dir, `mark-${this.marks.length}`);
      const isPing = this.commands % 2 === 0;
      if (!isPing) this.marks.push(mark);
      const words = isPing ? ['test.ping'] : ['cmd.run', `echo ran >> ${mark}`];
      const { code, out, err } = await fleet.cli('*', ...words);
      // How far it is, told every 10 s, is no complaint; nor is a handshake that takes a second on a busy machine.
      const said = err.replace(/^(?:\d+\/2 returned, .*|zester: waiting for NATS at \S+ \(\d+ s\))\n/gm, '');
      const isQuiet = /^Targeting 2 peel\(s\): \[web-01 web-02\]\nJob \w{27} dispatched\n$/.test(said);
      if (code !== 0 || !isQuiet) this.complaints.push(`${words.join(' ')} ended with ${code}: ${out}${err}`);
      this.commands += 1;
    }
  }

  private async asking(): Promise<void> {
    while (!this.isOver) {
      const targets = await resolveTargets(clientOf(fleet.admin, testRuntime), '*', (event) =>
        this.complaints.push(JSON.stringify(event)),
      );
      const job = fleet.job(targets);
      await submitJob(clientOf(fleet.admin, testRuntime), job).catch((error: unknown) =>
        this.complaints.push(String(error)),
      );
      this.jobs.push(job);
    }
  }
}
