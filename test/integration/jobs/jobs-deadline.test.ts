/**
 * Deadlines on a real nats-server, with the built peel: what is cut off says so before its job is counted, and a peel
 * that slept through a deadline (SIGSTOP, a suspended machine) does not do afterwards what it should have done before.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askPeel } from '../../../src/client/direct/ask-peel.ts';
import { exitCodeOf } from '../../../src/core/jobs/exit-code.ts';
import { deadlineOf } from '../../../src/core/jobs/job-record.ts';
import { outcomeOf } from '../../../src/core/jobs/target-row.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { newOperatorKey } from '../../../src/trust/operator-key.ts';
import { msFromNanos, nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { ANY, jobAckSubject } from '../../../src/wire/names/subjects.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { clientOf } from '../../harness/client-of.ts';
import { effectsIn, JobsWorld, type PeelProgram } from '../../harness/jobs-world.ts';
import { testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEEL = 'web-01';
const world = new JobsWorld();
let peel: PeelProgram;
let count = 0;
let file = '';

beforeAll(async () => {
  await world.open();
  peel = await world.program(PEEL);
}, 60_000);
beforeEach(() => {
  file = join(world.dir, `effect-${count++}`);
});
afterAll(() => world.close());

const run = (command: string, timeoutMs: number): Job =>
  world.job([PEEL], { function: 'cmd.run', stateId: command, timeout: BigInt(timeoutMs) * 1_000_000n });
const accepted = (job: Job) =>
  until(async () => (await world.storedOn(jobAckSubject(job.jid, ANY))) === 1, 'the job to be accepted');
const passed = async (job: Job) => {
  const record = await world.record(job);
  if (record === undefined) throw new Error('no record');
  await until(() => systemClock.nowMs() > msFromNanos(deadlineOf(record)), 'the deadline to pass');
};
const recounts = (job: Job) =>
  world.masterLines.filter((line) => line.msg.startsWith('job recounted') && line.jid === job.jid);

/** The peel is awake and has worked off all that came before: so what has not run by now never will. */
async function worksOn(): Promise<void> {
  const probe = join(world.dir, `probe-${count++}`);
  const job = run(`touch ${probe}`, 30_000);
  await world.dispatch(job);
  expect(await world.ended(job)).toMatchObject({ status: 'complete' });
  expect(existsSync(probe)).toBe(true);
}

describe('a command that runs into its deadline', () => {
  it.each([
    ['ends at SIGTERM', 'sleep 100'],
    ['ignores SIGTERM', 'trap "" TERM; while :; do sleep 0.1; done'],
  ])('and %s has its true row when the job ends, and no other before', async (_what, command) => {
    const job = run(`echo ran >> ${file}; ${command}`, 2_000);
    await world.dispatch(job);
    expect(await world.ended(job)).toMatchObject({ status: 'failed', returnCount: 1, successCount: 0 });
    expect(await world.rows(job)).toMatchObject([
      { outcome: 'failed', error: 'execution canceled: the deadline passed' },
    ]);
    await worksOn();
    expect(recounts(job)).toEqual([]);
    expect(effectsIn(file)).toBe('ran\n');
  });
});

describe('a direct request that runs into its deadline', () => {
  it('is answered with that, and is not called unreachable', async () => {
    const { control } = world.trust.topology;
    const issued = nanosFromMs(systemClock.nowMs());
    const key = newOperatorKey(systemRandom, commandKeyOf(control), {
      name: 'ann',
      issued,
      expires: undefined,
    });
    const client = clientOf(world.admin, testRuntime, { operatorKey: () => key });
    const call = { functionName: 'cmd.run', id: 'sleep 100', args: {}, timeoutMs: 1_000 };
    const answer = await askPeel(client, call, peel.id);
    const code = exitCodeOf([outcomeOf(answer)]);
    expect([code, answer.error]).toEqual([2, expect.stringContaining('the deadline passed')]);
  });
});

describe('a peel that is stopped (SIGSTOP) until a deadline has passed', () => {
  it('does not run what came meanwhile: unreachable at first, expired when it is awake', async () => {
    const job = run(`echo ran >> ${file}`, 1_500);
    peel.process.child.kill('SIGSTOP');
    try {
      await world.dispatch(job);
      expect(await world.ended(job)).toMatchObject({ status: 'timeout', returnCount: 0 });
      expect(await world.rows(job)).toMatchObject([{ outcome: 'unreachable', proof: { acked: undefined } }]);
    } finally {
      peel.process.child.kill('SIGCONT');
    }
    await until(async () => (await world.outcomes(job))[PEEL] === 'expired', 'the true row');
    expect((await world.rows(job))[0]?.error).toMatch(/^expired: not started, its deadline was /);
    await until(async () => (await world.record(job))?.status === 'failed', 'the recount');
    await worksOn();
    expect(effectsIn(file)).toBe('');
    expect(await world.outcomes(job)).toEqual({ [PEEL]: 'expired' });
    expect(await world.record(job)).toMatchObject({ status: 'failed', returnCount: 1, successCount: 0 });
  });

  it('does not start what it had accepted and not begun', async () => {
    const before = join(world.dir, `effect-${count++}`);
    const first = run(`echo ran >> ${before}; until [ -e ${before}.go ]; do sleep 0.05; done`, 30_000);
    await world.dispatch(first);
    await until(() => effectsIn(before) === 'ran\n', 'the worker to be busy');
    const job = run(`echo ran >> ${file}`, 2_000);
    await world.dispatch(job);
    await accepted(job);
    peel.process.child.kill('SIGSTOP');
    try {
      // The worker would be free long before the deadline.
      writeFileSync(`${before}.go`, '');
      await passed(job);
    } finally {
      peel.process.child.kill('SIGCONT');
    }
    expect(await world.ended(job)).toMatchObject({ status: 'failed', returnCount: 1 });
    expect(await world.outcomes(job)).toEqual({ [PEEL]: 'expired' });
    expect(await world.ended(first)).toMatchObject({ status: 'complete' });
    await worksOn();
    expect([effectsIn(before), effectsIn(file)]).toEqual(['ran\n', '']);
    expect(recounts(job)).toEqual([]);
  });

  it('cuts off what it had begun as soon as it is awake', async () => {
    const job = run(`echo ran >> ${file}; sleep 100; echo late >> ${file}`, 2_000);
    await world.dispatch(job);
    await until(() => effectsIn(file) === 'ran\n', 'the command to run');
    await accepted(job);
    peel.process.child.kill('SIGSTOP');
    try {
      await passed(job);
    } finally {
      peel.process.child.kill('SIGCONT');
    }
    expect(await world.ended(job)).toMatchObject({ status: 'failed', returnCount: 1 });
    await worksOn();
    expect(effectsIn(file)).toBe('ran\n');
  });

  it('runs what came meanwhile, once, when it is awake before the deadline', async () => {
    const job = run(`echo ran >> ${file}`, 30_000);
    peel.process.child.kill('SIGSTOP');
    try {
      await world.dispatch(job);
    } finally {
      peel.process.child.kill('SIGCONT');
    }
    expect(await world.ended(job)).toMatchObject({ status: 'complete' });
    expect(effectsIn(file)).toBe('ran\n');
  });
});
