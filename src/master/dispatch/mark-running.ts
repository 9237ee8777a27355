/**
 * `markRunning` writes into the record that requests may be on the wire. It comes before the first of them, so a record
 * that says `claimed` proves that no peel has seen the job. Its revision is the exec epoch, which every request carries.
 *
 * The answer may be lost: then it is asked again until it is known, because a record that says `running` while nobody
 * sends and watches would stay so for as long as we live. A failure that had no effect is repeated for as long as the
 * retry policy says, and then thrown: the claim stays, to be ended.
 */
import type { TableRead } from '../../bus/kv/table.ts';
import { type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { runningJob } from '../../core/jobs/job-record.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import { type RetryPolicy, untilKnown } from '../retry.ts';
import { type OwnedJob, ownedJob } from '../watch/owned-job.ts';
import type { Claim } from './claim-job.ts';

export function markRunning(
  context: MasterContext,
  claim: Claim,
  retryPolicy: RetryPolicy,
): Promise<OwnedJob> {
  const { jobs, runtime, life } = context;
  const running = runningJob(claim.job, claim.revision, context.now());
  const { jid } = running;
  const write = async () => {
    const written = await jobs.updateOrRead(jid, running, claim.revision);
    if (written.isOurs) return ownedJob(running, written.revision);
    throw claimLost(jid, written.there);
  };
  return untilKnown(runtime, life, write, retryPolicy);
}

/** The record is somebody else's by now, or cannot be read. */
export function claimLost(jid: Jid, there: TableRead<Jid, Job>): ZesterError {
  const owner = there.is === 'found' ? there.value.owner : undefined;
  return zesterError('MASTER_CLAIM_LOST', { jid, owner: owner ?? 'nobody' });
}
