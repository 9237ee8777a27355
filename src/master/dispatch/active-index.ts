/**
 * The index of unfinished jobs has an entry `active.<jid>` for each, with its owner, so that nobody has to read a week of
 * records to find them. It only helps to find jobs: the record decides what is true of them. An entry that is left over
 * is removed by the scan that meets it, one that is missing is made again by whoever notices (decision 8).
 *
 * An entry goes without a trace, because every look would have to read the trace too: a busy week leaves tens of thousands.
 * If we die after the deletion and before that, or the store does not take it, the mark of the deletion stays, and the next
 * sweep removes it. Twice, or late, does no harm: a mark is only removed at the revision that was read.
 */
import type { Jid } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';

/** Makes the entry of a job if there is none. */
export async function indexJob({ activeJobs, now }: MasterContext, { jid, owner }: Job): Promise<void> {
  await activeJobs.create(jid, { owner, updated: now() });
}

/** Makes the entry anew, for a job that has changed hands. */
export async function reindexJob({ activeJobs, now }: MasterContext, { jid, owner }: Job): Promise<void> {
  await activeJobs.put(jid, { owner, updated: now() });
}

export async function unindexJob({ activeJobs }: MasterContext, { jid }: Job): Promise<void> {
  await activeJobs.remove(jid);
}

/** What is left of an entry that was deleted. */
export async function removeMark({ activeJobs }: MasterContext, jid: Jid): Promise<void> {
  const { is, revision } = await activeJobs.getLatest(jid);
  if (is === 'absent' && revision > 0) await activeJobs.remove(jid, { revision });
}
