/**
 * Random schedules of deaths, freezes, cuts and restarts over three masters while a few jobs run. The observer at the
 * server sees at every moment that a record is written only by its owner or by an adopter who may, that all requests of
 * a job are the same bytes, and that no real return is replaced; at the end every job has ended, honestly.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { FleetWorld, type MasterProcess } from '../../../test/harness/master/master-fleet.ts';
import type { PeelScript } from '../../../test/harness/master/master-scripted-peel.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';
import { isRealReturn } from '../../core/jobs/target-row.ts';
import type { Job } from '../../wire/records/job.ts';

/** Change it to see other schedules; fast-check prints what to change when one fails. */
const SEED = 20_260_104;
const RUNS = 20;
const SLOTS = 3;
const SECOND = 1_000_000_000n;

const trouble = fc.record({
  waitMs: fc.integer({ min: 0, max: 15_000 }),
  kind: fc.constantFrom('kill', 'freeze', 'partition', 'stop' as const),
  slot: fc.nat(SLOTS - 1),
  forMs: fc.integer({ min: 500, max: 70_000 }),
});
const script: fc.Arbitrary<PeelScript> = fc.oneof(
  fc.constant({}),
  fc.record({ runMs: fc.integer({ min: 100, max: 60_000 }) }),
  fc.record({ runMs: fc.integer({ min: 100, max: 20_000 }), ackless: fc.constant(true) }),
  fc.record({ deaf: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ returns: false }),
);
const asked = fc.record({
  atMs: fc.nat(40_000),
  timeoutS: fc.constantFrom(20, 60, 150),
  targets: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 4 }),
  canceledAfterMs: fc.option(fc.nat(60_000), { freq: 4 }),
});
const schedule = fc.record({
  oneHost: fc.boolean(),
  troubles: fc.array(trouble, { minLength: 2, maxLength: 7 }),
  scripts: fc.tuple(script, script, script, script),
  jobs: fc.array(asked, { minLength: 2, maxLength: 4 }),
});
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

/** A place for a master; another process after each death. */
class Slot {
  private readonly world: FleetWorld;
  private readonly host: string;
  private now: MasterProcess | undefined;

  constructor(world: FleetWorld, host: string) {
    this.world = world;
    this.host = host;
  }

  get running(): MasterProcess | undefined {
    return this.now;
  }

  async start(): Promise<void> {
    if (this.now?.life.alive) return;
    this.now = this.world.startProcess({ host: this.host });
    await this.now.master.ready.catch(() => undefined);
  }

  suffer(kind: Schedule['troubles'][number]['kind']): void {
    const { now } = this;
    if (kind === 'kill') now?.kill();
    else if (kind === 'freeze') now?.freeze();
    else if (kind === 'partition') now?.partition();
    else void now?.master.stop().then(() => now.kill());
  }

  recover(): void {
    this.now?.thaw();
    this.now?.heal();
    void this.start();
  }
}

async function run(plan: Schedule): Promise<void> {
  const world = new FleetWorld();
  try {
    const slots = Array.from(
      { length: SLOTS },
      (_, i) => new Slot(world, plan.oneHost ? 'here' : `host-${i}`),
    );
    await world.settled(Promise.all(slots.map((slot) => slot.start())), 'the masters');
    const peels = await Promise.all(plan.scripts.map((each, i) => world.peel(`web-${i}`, each)));
    const jobs: Job[] = [];
    const answers: Promise<unknown>[] = [];
    for (const { atMs, timeoutS, targets, canceledAfterMs } of plan.jobs) {
      world.clock.after(atMs, () => {
        const ids = targets.map((i) => `web-${i}`);
        const job = world.job(ids, { timeout: BigInt(timeoutS) * SECOND });
        jobs.push(job);
        answers.push(submitJob(clientOf(world.admin, world.runtime), job).catch((error: unknown) => error));
        if (canceledAfterMs !== null) world.clock.after(canceledAfterMs, () => world.cancel(job.jid));
      });
    }
    for (const { waitMs, kind, slot, forMs } of plan.troubles) {
      await world.clock.advance(waitMs);
      slots[slot]?.suffer(kind);
      world.clock.after(forMs, () => slots[slot]?.recover());
    }
    await world.clock.advance(45_000);
    await recoverAll(world, slots);
    await world.settled(Promise.all(answers), 'every client to know');
    await expectAllEnded(world, jobs, peels);
  } finally {
    await world.close();
  }
}

/** From here on nothing goes wrong any more. */
async function recoverAll(world: FleetWorld, slots: readonly Slot[]): Promise<void> {
  const isUp = ({ running }: Slot) =>
    running?.life.alive === true && !running.life.frozen && running.master.state().phase === 'ready';
  await world.until(
    () => {
      for (const slot of slots) slot.recover();
      return slots.every(isUp);
    },
    'all masters to be up again',
    120_000,
    1_000,
  );
}

async function expectAllEnded(
  world: FleetWorld,
  jobs: readonly Job[],
  peels: Awaited<ReturnType<FleetWorld['peel']>>[],
): Promise<void> {
  const known = jobs.filter(({ jid }) => world.observer.records.has(jid));
  for (const job of known) await world.ends(job, 300_000);
  // What peels still return after the end is counted too.
  await world.clock.advance(70_000);
  for (const job of known) await world.expectHonest(job, peels);
  for (const key of world.observer.returns.keys()) {
    const row = world.observer.rows.get(key);
    expect(row !== undefined && isRealReturn(row), `the return ${key} has its row`).toBe(true);
  }
  const watched = world.processes.filter(({ life }) => life.alive).map(({ master }) => master.state().jobs);
  expect(watched).toEqual(watched.map(() => 0));
}

describe('whatever happens to masters', () => {
  it('every job ends as it should', async () => {
    await fc.assert(fc.asyncProperty(schedule, run), { seed: SEED, numRuns: RUNS, endOnFailure: true });
  }, 120_000);
});
