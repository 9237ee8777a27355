/**
 * A master that dies at every single call to its bus, before the effect and after it but before the answer; then another
 * one starts in its place and the client asks again, as the command line does. Whatever the moment: the client gets its
 * job, the job runs once, and it ends with a true row for each target.
 */

import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { FleetWorld } from '../../../test/harness/master/master-fleet.ts';
import { Trap } from '../../../test/harness/master/master-traps.ts';
import { submitJob } from '../../client/jobs/submit-job.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
/** On one machine: a dead neighbour is known to be dead, which saves a minute of virtual time in each of many runs. */
const HERE = { host: 'here', bootId: 'boot' };

/** One job on three peels: one returns at once, one after a while, one hears nothing. */
async function runUntil(diesAt: number, when: 'before' | 'after') {
  const world = new FleetWorld();
  const trap = new Trap();
  const first = await world.process({ ...HERE, bus: trap.bus });
  const peels = [
    await world.peel('web-0'),
    await world.peel('web-1', { runMs: 2_000 }),
    await world.peel('web-2', { deaf: 100 }),
  ];
  const calls = trap.killAt(
    () => {
      first.kill();
      world.startProcess(HERE);
    },
    diesAt,
    when,
    () => true,
  );
  const job = world.job(['web-0', 'web-1', 'web-2'], { timeout: 10_000_000_000n });
  await world.settled(submitJob(clientOf(world.admin, world.runtime), job), 'an answer');
  await world.ends(job, 40_000);
  await world.untilNotIndexed(job);
  return { world, peels, job, calls };
}

describe('a master that dies', () => {
  it.each(['before', 'after'] as const)(
    '%s the effect of any call has its job ended by another, as it should be',
    async (when) => {
      const whole = await runUntil(NEVER, when);
      expect(await whole.world.expectHonest(whole.job, whole.peels)).toMatchObject({ status: 'partial' });
      const interesting = whole.calls.findLastIndex((call) => call.on.includes(whole.job.jid)) + 1;
      expect(interesting).toBeGreaterThan(15);
      for (let diesAt = 1; diesAt <= interesting; diesAt++) {
        const { world, peels, job, calls } = await runUntil(diesAt, when);
        const last = calls[diesAt - 1];
        expect(last, 'it died').toBeDefined();
        try {
          const record = await world.expectHonest(job, peels);
          expect(record).toMatchObject({ status: 'partial', returnCount: 2 });
          expect(record.reclaimCount).toBeLessThanOrEqual(1);
        } catch (error) {
          throw new Error(`died at call ${diesAt}, ${when} ${last?.op} ${last?.on}`, { cause: error });
        }
        await world.close();
      }
    },
    120_000,
  );
});
