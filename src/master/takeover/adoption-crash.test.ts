/**
 * An adopter that dies at every single call that concerns the job: while it takes it over, reads what was said, sends
 * again, watches and ends it. A third master finishes; nothing is doubled, lost or untrue.
 */
import { describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/harness/master/master-fleet.ts';
import { callOf, Trap } from '../../../test/harness/master/master-traps.ts';
import { DISPATCH_SUBJECT, jobDispatchSubject } from '../../wire/names/subjects.ts';
import { jobCodec } from '../../wire/records/job.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
/** On one machine: a dead neighbour is known to be dead, which saves a minute of virtual time in each of many runs. */
const HERE = { host: 'here', bootId: 'boot' };

/** What the first master has done when it dies. */
const STAGES = {
  claimed: callOf('append', /dispatch$/),
  'running, not sent': callOf('subscribe', /\.ack\./),
  'sent to some': callOf('publish', /cmd\.web-1$/),
  'returned by some': callOf('create', /^job-returns\/.*\.web-0$/),
} as const;
type Stage = keyof typeof STAGES;

async function runUntil(stage: Stage, diesAt: number, when: 'before' | 'after') {
  const world = new FleetWorld();
  const [first, second] = [new Trap(), new Trap()];
  const owner = await world.process({ ...HERE, bus: first.bus });
  const peels = [
    await world.peel('web-0'),
    await world.peel('web-1', { runMs: 3_000 }),
    await world.peel('web-2', { deaf: 100 }),
  ];
  const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 10_000_000_000n });
  first.kill(() => owner.kill(), STAGES[stage], 'after');
  world.admin.publish(DISPATCH_SUBJECT, jobCodec.encode(job));
  await world.until(() => !owner.life.alive, 'the first death');
  const concerns = ({ op, on }: { op: string; on: string }) =>
    on.includes(job.jid) || (op === 'publish' && on.includes('.cmd.'));
  const adopter = world.startProcess({ ...HERE, bus: second.bus });
  const calls = second.killAt(
    () => {
      adopter.kill();
      world.startProcess(HERE);
    },
    diesAt,
    when,
    concerns,
  );
  await world.ends(job, 40_000);
  await world.untilNotIndexed(job);
  return { world, peels, job, calls };
}

describe.each(Object.keys(STAGES) as Stage[])('an adopter of a job that is %s', (stage) => {
  it.each(['before', 'after'] as const)(
    'may die %s the effect of any call',
    async (when) => {
      const whole = await runUntil(stage, NEVER, when);
      expect(await whole.world.expectHonest(whole.job, whole.peels)).toMatchObject({
        status: 'partial',
        reclaimCount: 1,
      });
      expect(whole.calls.length).toBeGreaterThan(12);
      for (let diesAt = 1; diesAt <= whole.calls.length; diesAt++) {
        const { world, peels, job, calls } = await runUntil(stage, diesAt, when);
        const last = calls[diesAt - 1];
        expect(last, 'it died').toBeDefined();
        try {
          const record = await world.expectHonest(job, peels);
          expect(record).toMatchObject({ status: 'partial', returnCount: 2 });
          expect(record.reclaimCount).toBeLessThanOrEqual(2);
          expect(await world.eventsOf(jobDispatchSubject(job.jid))).toEqual(['dispatched']);
        } catch (error) {
          throw new Error(`died at call ${diesAt}, ${when} ${last?.op} ${last?.on}`, { cause: error });
        }
        await world.close();
      }
    },
    120_000,
  );
});
