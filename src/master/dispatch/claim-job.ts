/**
 * `claimJob` is the first step of a dispatch: whoever creates the record owns the job. The store lets exactly one win, so
 * a job id is dispatched once, whichever masters a client asks and however often.
 *
 * A store that does not take it is asked again for as long as the retry policy says. The answer may be lost: then it is
 * asked again until it is known whether the claim is there, because a claim nobody works on would stand in the way of
 * the client's next try. What we wrote is recognised by its bytes.
 *
 * If we die before the write, nothing happened. If we die after it, the record says `claimed`: no peel has seen the job,
 * and the one who adopts it, or we ourselves when the client asks again, may safely send it.
 */
import type { TableEntry } from '../../bus/kv/table.ts';
import { never } from '../../core/assert.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { judgeCollision } from '../../core/jobs/job-intent.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { jobKey } from '../../wire/names/keys.ts';
import type { Job } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';
import { type RetryPolicy, untilKnown } from '../retry.ts';
import { indexJob } from './active-index.ts';

/** A record that says `claimed` and is ours. */
export interface Claim {
  readonly job: Job;
  readonly revision: number;
  /** Made by this very call: nobody can have announced the job or canceled it before. */
  readonly isNew: boolean;
}

export async function claimJob(
  context: MasterContext,
  job: Job,
  retryPolicy: RetryPolicy,
): Promise<Claim | 'already-dispatched'> {
  const { jobs, runtime, life } = context;
  const write = async () => {
    const written = await jobs.createOrRead(job.jid, job);
    if (written.isOurs) return written.revision;
    if (written.there.is === 'absent')
      throw zesterError('BUS_STORE_UNAVAILABLE', { what: jobKey(job.jid), reason: 'it was just deleted' });
    return written.there;
  };
  const there = await untilKnown(runtime, life, write, retryPolicy);
  return typeof there === 'number'
    ? { job, revision: there, isNew: true }
    : settleCollision(context, there, job);
}

/** The id is taken: by the same job, on its way or done, or by another one. */
async function settleCollision(
  context: MasterContext,
  entry: TableEntry<Jid, Job>,
  job: Job,
): Promise<Claim | 'already-dispatched'> {
  const { jid } = job;
  if (entry.is === 'unreadable') throw zesterError('MASTER_JID_TAKEN', { jid });
  const existing = entry.value;
  const verdict = judgeCollision(existing, job, context.identity.masterId);
  switch (verdict) {
    case 'resume':
      // As it stands, not as it is asked for again: it has its deadline and has counted its reclaims.
      return { job: existing, revision: entry.revision, isNew: false };
    case 'already-dispatched':
      return verdict;
    case 'claim-pending':
      await healIndex(context, existing);
      throw zesterError('MASTER_CLAIM_PENDING', { jid, owner: existing.owner ?? 'unknown' });
    case 'conflict':
      throw zesterError('MASTER_JID_TAKEN', { jid });
    default:
      return never(verdict);
  }
}

/** Its owner may have died between claim and index; without an entry no scan would find the job (decision 8). */
async function healIndex(context: MasterContext, existing: Job): Promise<void> {
  try {
    await indexJob(context, existing);
  } catch (error) {
    context.runtime.log.warn('index of another’s claim not made', { jid: existing.jid, error });
  }
}
