/**
 * kill -9 of NATS at the moment of a return, with the built peel: the work is done, and whether the store has heard of
 * it nobody can say. The row must say `returned`, the effect must be there once, and the peel must owe nothing any more.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY, jobReturnSubject } from '../../../src/wire/names/subjects.ts';
import { effectsIn, JobsWorld, type PeelProgram } from '../../harness/jobs-world.ts';
import { Line } from '../../harness/line.ts';
import { until } from '../../harness/until.ts';

const PEEL = 'web-01';
const world = new JobsWorld();
let line: Line;
let peel: PeelProgram;
let count = 0;

beforeAll(async () => {
  await world.open();
  line = await Line.to(world.server.port);
  peel = await world.program(PEEL, line.url);
}, 60_000);
afterAll(async () => {
  await world.close();
  await line.close();
});

/** A command that has its effect and then waits for the test. */
function heldJob() {
  const file = join(world.dir, `effect-${count++}`);
  const stateId = `echo ran >> ${file}; until [ -e ${file}.go ]; do sleep 0.02; done`;
  const job = world.job([PEEL], { function: 'cmd.run', stateId });
  const returns = jobReturnSubject(job.jid, ANY);
  return {
    job,
    file,
    returns,
    go: () => writeFileSync(`${file}.go`, ''),
    hasEnded: () => logged('job ended', job.jid),
  };
}

const logged = (msg: string, jid: string) =>
  peel.process
    .err()
    .split('\n')
    .some((text) => text.includes(`"${msg}"`) && text.includes(jid));

type Held = ReturnType<typeof heldJob>;

describe('NATS is killed (kill -9) and comes back', () => {
  it.each<[string, (held: Held) => Promise<void>]>([
    [
      'while the work is being done',
      async ({ go, hasEnded }) => {
        await world.server.kill9();
        go();
        await until(hasEnded, 'the work to end');
      },
    ],
    [
      'when the peel has the result',
      async ({ go, hasEnded }) => {
        go();
        await until(hasEnded, 'the work to end');
        await world.server.kill9();
      },
    ],
    [
      'after the return was sent and before it has reached the server',
      async ({ go, hasEnded, returns }) => {
        line.swallow('to the server');
        go();
        await until(() => hasEnded() && line.bytesSwallowed > 0, 'the return to be sent');
        expect(await world.storedOn(returns)).toBe(0);
        await world.server.kill9();
      },
    ],
    [
      'after the return was stored and before the peel has heard so',
      async ({ job, go, returns }) => {
        line.swallow('from the server');
        go();
        await until(async () => (await world.storedOn(returns)) === 1, 'the return to be stored');
        expect(peel.spool()).toEqual([job.jid]);
        await world.server.kill9();
      },
    ],
    [
      'at the instant at which the return is heard of',
      async ({ go, returns }) => {
        let killing: Promise<void> | undefined;
        await world.admin.subscribe(returns, () => {
          killing ??= world.server.kill9();
        });
        go();
        await until(() => killing !== undefined, 'the return');
        await killing;
      },
    ],
  ])(
    '%s: one effect, one row, nothing left in the spool',
    async (_when, killAt) => {
      const held = heldJob();
      const { job, file, returns } = held;
      expect(await world.dispatch(job)).toEqual({ jid: job.jid });
      await until(() => effectsIn(file) === 'ran\n', 'the effect');
      expect(peel.spool()).toEqual([job.jid]);
      await killAt(held);
      line.cut();
      await world.server.restart();

      expect(await world.ended(job)).toMatchObject({ status: 'complete', returnCount: 1, successCount: 1 });
      expect(await world.outcomes(job)).toEqual({ [PEEL]: 'returned' });
      await until(() => peel.spool().length === 0, 'the spool to be empty');
      expect(await world.storedOn(returns)).toBe(1);
      expect(effectsIn(file)).toBe('ran\n');
    },
    60_000,
  );

  it('and none of it runs again when the peel has been killed too', async () => {
    const held = heldJob();
    const { job, file, returns } = held;
    await world.dispatch(job);
    await until(() => effectsIn(file) === 'ran\n', 'the effect');
    line.swallow('from the server');
    held.go();
    await until(async () => (await world.storedOn(returns)) === 1, 'the return to be stored');
    await Promise.all([world.server.kill9(), peel.kill9()]);
    expect(existsSync(join(peel.dataDir, 'jobs', job.jid))).toBe(true);
    line.cut();
    await world.server.restart();
    await until(() => world.admin.status() === 'connected', 'the operator to be back');
    await peel.restart();

    expect(await world.ended(job)).toMatchObject({ status: 'complete' });
    await until(() => peel.spool().length === 0, 'the spool to be empty');
    expect(await world.storedOn(returns)).toBe(1);
    expect(effectsIn(file)).toBe('ran\n');
  }, 60_000);
});
