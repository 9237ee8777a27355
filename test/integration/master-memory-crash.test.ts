/**
 * A master that dies at every single call to its bus, before the effect and after it but before the answer; then another
 * one starts and the client asks again. Adoption comes with the next issue: until then a claim or a running job of the
 * dead one stays what it is, but nothing may be lost, doubled or untrue.
 */
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../src/core/jobs/job-lifecycle.ts';
import { isRealReturn } from '../../src/core/jobs/job-tally.ts';
import { dispatchReplyCodec } from '../../src/wire/dispatch-reply.ts';
import { type Job, jobCodec } from '../../src/wire/job.ts';
import { DISPATCH_SUBJECT } from '../../src/wire/subjects.ts';
import { dyingBus } from './master-bus.ts';
import type { ScriptedPeel } from './master-scripted-peel.ts';
import { MasterWorld } from './master-world.ts';

const NEVER = Number.MAX_SAFE_INTEGER;

/** One job on three peels: one returns at once, one after a while, one hears nothing. */
async function runUntil(diesAt: number, when: 'before' | 'after') {
  const world = new MasterWorld();
  let isArmed = false;
  const dying = dyingBus(world.connectMaster(), diesAt, when, () => isArmed);
  await world.master({}, dying.bus);
  const peels = [
    await world.peel('web-0'),
    await world.peel('web-1', { runMs: 2_000 }),
    await world.peel('web-2', { deaf: 100 }),
  ];
  isArmed = true;
  const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 7_000_000_000n });
  const asked = askUntilAnswered(world, job);
  let hasSecond = false;
  await world.until(async () => {
    if (dying.isDead() && !hasSecond) {
      hasSecond = true;
      world.startMaster();
    }
    return world.clock.monotonicMs() > 40_000;
  }, 'the end of time');
  return { world, peels, job, answer: await world.settled(asked, 'an answer'), calls: dying.calls };
}

/** As the CLI does it: again and again until somebody answers; a pending claim is asked for a while longer. */
async function askUntilAnswered(world: MasterWorld, job: Job): Promise<object> {
  const data = jobCodec.encode(job);
  let last: object = {};
  for (let i = 0; i < 8; i++) {
    try {
      last = dispatchReplyCodec.decode(
        (await world.admin.request(DISPATCH_SUBJECT, data, { timeoutMs: 2_000 })).data,
      );
      if ('jid' in last) return last;
    } catch {
      // Nobody there, or it died over it.
    }
    await new Promise<void>((resolve) => world.clock.after(1_000, resolve));
  }
  return last;
}

async function expectHonest(world: MasterWorld, peels: readonly ScriptedPeel[], job: Job): Promise<void> {
  const record = await world.record(job.jid);
  const rows = await world.rows(job.jid);
  expect(record, 'after the client asked again there is a record').toBeDefined();
  if (record === undefined) return;
  const requests = peels.flatMap((peel) => peel.heard.map(({ data }) => Buffer.from(data).toString('hex')));
  expect(new Set(requests).size, 'all requests are the same bytes').toBeLessThanOrEqual(1);
  if (record.status === 'claimed') {
    expect(requests, 'a claimed job was never sent').toEqual([]);
    expect(await world.isIndexed(job.jid), 'a claimed job can be found').toBe(true);
  }
  const returned = peels.filter((peel) => peel.ran.includes(job.jid)).map((peel) => peel.id);
  const real = rows.filter(isRealReturn).map((row) => row.peelId);
  expect(real, 'every return has its row').toEqual(returned);
  if (isTerminal(record.status)) {
    expect(
      rows.map((row) => row.peelId),
      'one row for each target',
    ).toEqual(job.targets);
    expect(record.returnCount, 'the record counts what the rows say').toBe(real.length);
    expect(record.status).toBe(real.length === 0 ? 'timeout' : 'partial');
  }
}

describe('a master that dies', () => {
  it.each(['before', 'after'] as const)(
    '%s the effect of any call leaves an honest record',
    async (when) => {
      const whole = await runUntil(NEVER, when);
      expect(whole.answer).toEqual({ jid: whole.job.jid });
      expect((await whole.world.record(whole.job.jid))?.status).toBe('partial');
      await expectHonest(whole.world, whole.peels, whole.job);
      const interesting = whole.calls.findLastIndex((call) => call.on.includes(whole.job.jid)) + 1;
      expect(interesting).toBeGreaterThan(15);
      for (let diesAt = 1; diesAt <= interesting; diesAt++) {
        const { world, peels, job, answer, calls } = await runUntil(diesAt, when);
        const last = calls[diesAt - 1];
        try {
          await expectHonest(world, peels, job);
          const status = (await world.record(job.jid))?.status;
          if (status === 'claimed')
            expect(answer).toMatchObject({ error: expect.stringMatching(/^claim pending/) });
          else expect(answer).toEqual({ jid: job.jid });
        } catch (error) {
          throw new Error(`died at call ${diesAt}, ${when} ${last?.op} ${last?.on}`, { cause: error });
        }
      }
    },
    120_000,
  );
});
