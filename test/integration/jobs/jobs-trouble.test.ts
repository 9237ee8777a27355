/** A bad day of a job on a real nats-server: peels that are away, acks that are lost, no room, too much, wrong clocks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Peel } from '../../../src/peel/peel-ports.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { msFromNanos, nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid } from '../../../src/wire/names/ids.ts';
import { activeJobKey, jobKey } from '../../../src/wire/names/keys.ts';
import { ANY, DISPATCH_SUBJECT, jobAckSubject } from '../../../src/wire/names/subjects.ts';
import { execResponseCodec } from '../../../src/wire/records/exec.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { effectsIn, JobsWorld, type PeelProgram } from '../../harness/jobs-world.ts';
import { Line } from '../../harness/line.ts';
import { countingFunctions } from '../../harness/peel/peel-functions.ts';
import { until } from '../../harness/until.ts';

const ACK_WINDOW_MS = 1_000;
const HOUR_MS = 3_600_000;
const world = new JobsWorld();
/** How often each job ran on `small`, which has a queue of one. */
const runs = new Map<string, number>();
let line: Line;
let peel: PeelProgram;
let small: Peel;
let count = 0;

beforeAll(async () => {
  await world.open(1, { ackWindowMs: ACK_WINDOW_MS });
  line = await Line.to(world.server.port);
  peel = await world.program('web-01', line.url);
  const functions = countingFunctions((key) => runs.set(key, (runs.get(key) ?? 0) + 1));
  ({ peel: small } = await world.peel('small', { settings: { queueSlots: 1 }, functions }));
}, 60_000);
afterAll(async () => {
  await world.close();
  await line.close();
});

const run = (stateId: string, given: Partial<Job> = {}): Job =>
  world.job([peel.id], { function: 'cmd.run', stateId, ...given });
const newFile = () => join(world.dir, `effect-${count++}`);
const wasSentAgain = (job: Job) =>
  until(
    () => world.masterLines.some((said) => said.msg.startsWith('re-dispatched job') && said.jid === job.jid),
    'the ack window to pass',
  );

describe('a peel that reboots during the dispatch', () => {
  it('gets the job when it is back, by its heartbeat alone, and runs it once', async () => {
    const file = newFile();
    const job = run(`echo ran >> ${file}`);
    await peel.kill9();
    await world.dispatch(job);
    // From here on nothing but a heartbeat makes the master send again.
    await wasSentAgain(job);
    expect(effectsIn(file)).toBe('');
    await peel.restart();
    expect(await world.ended(job)).toMatchObject({ status: 'complete', returnCount: 1, successCount: 1 });
    expect(await world.outcomes(job)).toEqual({ [peel.id]: 'returned' });
    expect(effectsIn(file)).toBe('ran\n');
  });
});

describe('a lost ack', () => {
  it('makes the master ask again; the peel acknowledges again and does not run it again', async () => {
    const file = newFile();
    const job = run(`echo ran >> ${file}; until [ -e ${file}.go ]; do sleep 0.02; done`);
    line.swallow('to the server');
    await world.dispatch(job);
    await until(() => effectsIn(file) === 'ran\n', 'the effect');
    await wasSentAgain(job);
    await until(() => peel.process.err().includes('rejected duplicate dispatch'), 'the repeat to arrive');
    expect(await world.storedOn(jobAckSubject(job.jid, ANY))).toBe(0);
    line.cut();
    await until(async () => (await world.storedOn(jobAckSubject(job.jid, ANY))) === 1, 'the ack');
    expect((await world.record(job))?.status).toBe('running');
    writeFileSync(`${file}.go`, '');
    expect(await world.ended(job)).toMatchObject({ status: 'complete' });
    expect(await world.outcomes(job)).toEqual({ [peel.id]: 'returned' });
    expect(effectsIn(file)).toBe('ran\n');
  });
});

describe('a full queue', () => {
  const act = (key: string, ms: number, given: Partial<Job> = {}): Job =>
    world.job(['small'], { function: 'test.act', args: { run: key, ms }, ...given });
  it('is no refusal: what finds no room runs when it is sent again, once', async () => {
    const jobs = [act('first', 900), act('second', 0), act('third', 0)];
    for (const job of jobs) await world.dispatch(job);
    await until(() => small.state().counts.turnedAway > 0, 'one to find no room');
    for (const job of jobs) expect(await world.ended(job)).toMatchObject({ status: 'complete' });
    expect(Object.fromEntries(runs)).toEqual({ first: 1, second: 1, third: 1 });
  });

  it('that stays full is a row that says so before the deadline, and the job never runs', async () => {
    const [long, waiting] = [act('long', 3_500), act('waiting', 0)];
    const job = act('refused', 0, { timeout: nanosFromMs(3_000) });
    for (const each of [long, waiting, job]) await world.dispatch(each);
    expect(await world.ended(job)).toMatchObject({ status: 'failed', returnCount: 1 });
    expect(await world.rows(job)).toMatchObject([
      { outcome: 'failed', error: 'peel busy: execution queue full' },
    ]);
    for (const each of [long, waiting]) expect(await world.ended(each)).toMatchObject({ status: 'complete' });
    const after = act('after', 0);
    await world.dispatch(after);
    await world.ended(after);
    expect([runs.get('refused'), runs.get('after')]).toEqual([undefined, 1]);
  });
});

describe('too large', () => {
  it('a job that fits no message is refused by its client, or by the master before anything is written', async () => {
    const max = world.admin.server()?.payloadBytesMax ?? 0;
    expect(max).toBeGreaterThan(100_000);
    const huge = run('x'.repeat(max));
    await expect(
      world.admin.request(DISPATCH_SUBJECT, jobCodec.encode(huge), { timeoutMs: 5_000 }),
    ).rejects.toThrow('limit');
    const nearly = run('x'.repeat(max - 800));
    expect(await world.dispatch(nearly)).toEqual({
      error: expect.stringContaining('MASTER_JOB_TOO_LARGE'),
      code: 'MASTER_JOB_TOO_LARGE',
    });
    const jobs = world.admin.bucket(BUCKETS.jobs.name);
    for (const key of [jobKey(nearly.jid), activeJobKey(nearly.jid)])
      expect((await jobs.getLatest(key)).found).toBe(false);
  });

  it('a return is shortened, with a mark, and costs nobody the connection', async () => {
    const job = world.job(['small'], { function: 'test.big', args: { run: 'big', chars: 3_000_000 } });
    await world.dispatch(job);
    expect(await world.ended(job)).toMatchObject({ status: 'complete', successCount: 1 });
    const [row] = await world.rows(job);
    const response = execResponseCodec.decode(row?.returnData ?? new Uint8Array());
    expect(response.results[0]?.details.result).toMatch(
      /^x{500000,}… \[shortened by zester: \d+ of 3000000 /,
    );
    expect(world.server.log()).not.toMatch(/maximum payload/i);
    const next = world.job(['small'], { function: 'test.act', args: { run: 'next' } });
    await world.dispatch(next);
    expect(await world.ended(next)).toMatchObject({ status: 'complete' });
  });
});

describe('a client whose clock is wrong', () => {
  it.each([
    ['an hour behind', -HOUR_MS],
    ['an hour ahead', HOUR_MS],
  ])('by %s gets its whole timeout, on the clock of the master', async (_what, offMs) => {
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + offMs };
    const wrong = nanosFromMs(clock.nowMs());
    const timeoutMs = 20_000;
    const job = run('sleep 0.3', {
      jid: newKsuid(clock, systemRandom) as Jid,
      created: wrong,
      updated: wrong,
      deadline: wrong + nanosFromMs(timeoutMs),
      timeout: nanosFromMs(timeoutMs),
    });
    const beforeMs = systemClock.nowMs();
    await world.dispatch(job);
    const ended = await world.ended(job);
    expect(ended).toMatchObject({ status: 'complete', returnCount: 1 });
    const deadlineMs = msFromNanos(ended.deadline ?? 0n);
    expect(deadlineMs).toBeGreaterThanOrEqual(beforeMs + timeoutMs);
    expect(deadlineMs).toBeLessThan(systemClock.nowMs() + timeoutMs);
  });
});
