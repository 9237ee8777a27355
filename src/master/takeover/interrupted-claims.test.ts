import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/harness/closed-after-each.ts';
import { MasterWorld } from '../../../test/harness/master/master-world.ts';
import { claimedJob } from '../../core/jobs/job-record.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Claim } from '../dispatch/claim-job.ts';
import type { MasterContext } from '../master-context.ts';
import { InterruptedClaims } from './interrupted-claims.ts';

const makeWorld = closedAfterEach(() => new MasterWorld());
/** A claim of a job for one peel that is there and one that is not. */
async function claim(world: MasterWorld, context: MasterContext): Promise<Claim> {
  const asked = world.job(['web-0', 'web-1'], { timeout: 30_000_000_000n });
  const job = claimedJob(asked, context.identity.masterId, world.now());
  const outcome = await world.settled(context.jobs.create(job.jid, job), 'the claim');
  if (!outcome.won) throw new Error('the id is taken');
  return { job, revision: outcome.revision, isNew: true };
}

describe('an interrupted claim', () => {
  it('is ended at its deadline as failed, with rows that say who was there', async () => {
    const world = makeWorld();
    const context = await world.context();
    await world.settled(context.presence.start(), 'the first reading');
    await world.peel('web-0');
    const claims = new InterruptedClaims(context);
    const interrupted = await claim(world, context);
    claims.keep(interrupted);
    await world.clock.advance(29_000);
    expect([claims.size, (await world.record(interrupted.job.jid))?.status]).toEqual([1, 'claimed']);
    await world.endsAs(interrupted.job, 'failed');
    const ages = (await world.rows(interrupted.job.jid)).map((row) => [row.peelId, row.proof?.heartbeatAge]);
    expect(ages).toEqual([
      ['web-0' as PeelId, expect.any(BigInt)],
      ['web-1' as PeelId, undefined],
    ]);
    expect(claims.size).toBe(0);
    context.presence.stop();
  });

  it('is ended at once when it is canceled, and not at all when its client came again', async () => {
    const world = makeWorld();
    const context = await world.context();
    const claims = new InterruptedClaims(context);
    const [canceled, resumed] = [await claim(world, context), await claim(world, context)];
    claims.keep(canceled);
    claims.keep(resumed);
    claims.cancel(canceled.job.jid);
    claims.forget(resumed.job.jid);
    await world.endsAs(canceled.job, 'canceled');
    await world.clock.advance(60_000);
    expect((await world.record(resumed.job.jid))?.status).toBe('claimed');
  });
});
