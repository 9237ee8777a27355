/**
 * A peel that dies, at every single call it makes to the world outside, and in random schedules of everything that can
 * happen to it. What must hold: no job runs twice; every job that was accepted ends in one return, and that is true.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeelWorld } from '../../test/harness/peel/peel-world.ts';
import type { ExecRequest } from '../wire/records/exec.ts';

/** Once the faults are over: the master sends again what it has heard nothing of, and everything comes to an end. */
async function recover(world: PeelWorld, jobs: readonly ExecRequest[]): Promise<void> {
  await world.advance(3_000);
  const returns = await world.allReturns();
  for (const job of jobs) if (!returns.has(job.jid)) world.send(job);
  await world.advance(100_000);
  // And a copy that was long under way.
  for (const job of jobs) world.send(job);
  await world.advance(5_000);
}

async function checkRows(world: PeelWorld, jobs: readonly ExecRequest[]): Promise<void> {
  const rows = await world.allReturns();
  for (const job of jobs) {
    const runs = world.runsOf(job.jid);
    const returns = rows.get(job.jid) ?? [];
    const distinct = new Set(returns.map((row) => `${row.success} ${row.error} ${row.timestamp}`));
    expect(runs, `${job.jid} ran`).toBeLessThanOrEqual(1);
    expect([...distinct], `rows of ${job.jid}`).toHaveLength(1);
    // A row that says it went well is of a job that ran.
    if (returns[0]?.success) expect(runs).toBe(1);
    if (returns[0]?.outcome === 'expired') expect(runs).toBe(0);
  }
  expect(world.peel.state()).toMatchObject({ phase: 'ready', queued: 0, running: 0, spooled: 0 });
}

/** Two jobs at the worker, one among the readers, one that is cancelled before it comes. */
async function scenario(world: PeelWorld): Promise<ExecRequest[]> {
  const jobs = [
    world.request('test.act', { args: { ms: 200 } }),
    world.request('test.act', { args: { ms: 50 } }),
    world.request('test.look'),
    world.request('test.act'),
  ];
  const [, , , canceled] = jobs;
  if (canceled !== undefined) world.sendCancel(canceled.jid);
  for (const job of jobs) world.send(job);
  await world.advance(5_000);
  return jobs;
}

describe.each(['kill', 'power'] as const)('%s at every port call', (how) => {
  it('leaves no job run twice and none without its row', async () => {
    let calls = Number.POSITIVE_INFINITY;
    const seen = new Set<string>();
    for (let point = 0; point < calls; point++) {
      const world = await PeelWorld.withPeel({ seed: 1_000 + point });
      let count = 0;
      let crashed = false;
      world.crashHook = ({ name }) => {
        if (crashed || count++ !== point) return false;
        crashed = true;
        seen.add(name.split(' ')[0] ?? '');
        world.crash(how);
        return true;
      };
      const jobs = await scenario(world);
      world.crashHook = () => false;
      calls = crashed ? calls : count;
      if (crashed) world.startPeel();
      await recover(world, jobs);
      await checkRows(world, jobs);
    }
    expect(calls).toBeGreaterThan(100);
    for (const name of ['write', 'sync', 'rename', 'unlink', 'append']) expect([...seen]).toContain(name);
  }, 120_000);
});

type Step =
  | { readonly do: 'send'; readonly module: 'test.act' | 'test.look'; readonly ms: number }
  | { readonly do: 'resend' | 'cancel'; readonly job: number }
  | { readonly do: 'crash'; readonly how: 'kill' | 'power'; readonly downMs: number; readonly again: number }
  | { readonly do: 'crash-in'; readonly calls: number }
  | { readonly do: 'stop' }
  | { readonly do: 'away'; readonly ms: number }
  | { readonly do: 'wait'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      module: fc.constantFrom('test.act' as const, 'test.look' as const),
      ms: fc.constantFrom(0, 10, 500, 5_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('resend' as const, 'cancel' as const), job: fc.nat(20) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      how: fc.constantFrom('kill' as const, 'power' as const),
      downMs: fc.constantFrom(0, 1_000),
      again: fc.oneof(fc.constant(0), fc.nat(60)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash-in' as const), calls: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('away' as const), ms: fc.constantFrom(10, 3_000) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 20, 1_000) }),
  },
);

async function play(world: PeelWorld, steps: readonly Step[]): Promise<ExecRequest[]> {
  const jobs: ExecRequest[] = [];
  let dead = false;
  /** Dies with its next calls; 0: lives on. */
  const dieAfter = (calls: number) => {
    let left = calls;
    world.crashHook = () => {
      if (calls === 0 || dead || --left > 0) return false;
      dead = true;
      world.crash('power');
      return true;
    };
  };
  const revive = async (dyingAfter = 0) => {
    dieAfter(0);
    if (dead) {
      dead = false;
      dieAfter(dyingAfter);
      world.startPeel();
    }
    await world.advance(500);
  };
  for (const each of steps) {
    const job = 'job' in each ? jobs[each.job % Math.max(1, jobs.length)] : undefined;
    switch (each.do) {
      case 'send': {
        const sent = world.request(each.module, { args: { ms: each.ms } });
        jobs.push(sent);
        world.send(sent);
        break;
      }
      case 'resend':
        if (job !== undefined) world.send(job);
        break;
      case 'cancel':
        if (job !== undefined) world.sendCancel(job.jid);
        break;
      case 'crash':
        await revive();
        world.crash(each.how);
        dead = true;
        await world.advance(each.downMs);
        await revive(each.again);
        break;
      case 'crash-in':
        await revive();
        dieAfter(each.calls + 1);
        break;
      case 'stop': {
        await revive();
        const stopped = world.peel.stop();
        await world.advance(30_000);
        await stopped;
        world.crash('kill');
        world.startPeel();
        await world.advance(500);
        break;
      }
      case 'away':
        world.server.stop();
        await world.advance(each.ms);
        world.server.start();
        await world.advance(10);
        break;
      case 'wait':
        await world.advance(each.ms);
        break;
    }
  }
  await revive();
  return jobs;
}

describe('any schedule of jobs, repeats, cancels, crashes, restarts and disconnects', () => {
  it('runs no job twice, and ends each in one true row', async () => {
    let seed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const world = await PeelWorld.withPeel({ seed: ++seed });
        const jobs = await play(world, steps);
        await recover(world, jobs);
        await checkRows(world, jobs);
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
