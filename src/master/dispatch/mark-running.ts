/**
 * The step that everything hangs on: the record says `running` before anything is on the wire, so `claimed` proves that
 * no peel has seen the job. Its revision is the exec epoch, which every request carries.
 *
 * The answer may be lost: then it is asked again until it is known, because a record that says `running` while nobody
 * sends and watches would stay so for as long as we live. A failure that had no effect is repeated for as long as there is
 * patience, and then thrown: the claim stays, to be ended.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { runningJob } from '../../core/jobs/job-record.ts';
import { jobKey } from '../../wire/names/keys.ts';
import { jobCodec } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import { type Patience, untilKnown } from '../retry.ts';
import { storedJob } from '../returns/stored-job.ts';
import { sameBytes } from '../same-bytes.ts';
import { type OwnedJob, ownedJob } from '../watch/owned-job.ts';
import type { Claim } from './claim-job.ts';

export function markRunning(context: MasterContext, claim: Claim, patience: Patience): Promise<OwnedJob> {
  const { jobs, runtime, life } = context;
  const running = runningJob(claim.job, claim.revision, context.now());
  const { jid } = running;
  const key = jobKey(jid);
  const value = jobCodec.encode(running);
  const write = async () => {
    const outcome = await jobs.update(key, value, claim.revision);
    if (outcome.won) return ownedJob(running, outcome.revision);
    const there = await jobs.getLatest(key);
    if (there.found && sameBytes(there.value, value)) return ownedJob(running, there.revision);
    const owner = (there.found ? storedJob(there)?.owner : undefined) ?? 'nobody';
    throw zesterError('MASTER_CLAIM_LOST', { jid, owner });
  };
  return untilKnown(runtime, life, write, patience);
}
