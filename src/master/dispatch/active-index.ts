/**
 * `jobs/active.<jid>`: says that a job is not finished and who owns it, so that nobody has to read a week of records to
 * find the living ones. Only a help to find jobs: the record decides what is true of them. An entry that is left over
 * is removed by the scan that meets it, one that is missing is made again by whoever notices (decision 8).
 *
 * An entry goes without a trace, because every look would have to read the trace too: a busy week leaves tens of thousands.
 * If we die after the deletion and before that, or the store does not take it, the mark of the deletion stays, and the next
 * sweep removes it. Twice, or late, does no harm: a mark is only removed at the revision that was read.
 */
import type { KvEntry } from '../../bus/port.ts';
import { WireError } from '../../wire/msgpack/wire-error.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { activeJobKey } from '../../wire/names/keys.ts';
import { activeJobEntryCodec, type Job } from '../../wire/records/job.ts';
import type { MasterContext } from '../master-context.ts';

/** Makes the entry of a job if there is none. */
export async function indexJob({ jobs, now }: MasterContext, { jid, owner }: Job): Promise<void> {
  await jobs.create(activeJobKey(jid), activeJobEntryCodec.encode({ owner, updated: now() }));
}

/** Makes the entry anew, for a job that has changed hands. */
export async function reindexJob({ jobs, now }: MasterContext, { jid, owner }: Job): Promise<void> {
  await jobs.put(activeJobKey(jid), activeJobEntryCodec.encode({ owner, updated: now() }));
}

export async function unindexJob({ jobs }: MasterContext, { jid }: Job): Promise<void> {
  await jobs.remove(activeJobKey(jid));
}

/** What is left of an entry that was deleted. */
export async function removeMark({ jobs }: MasterContext, key: string): Promise<void> {
  const { found, revision } = await jobs.getLatest(key);
  if (!found && revision > 0) await jobs.remove(key, { revision });
}

/** Who the entry says owns the job; undefined when it says nothing that can be read. */
export function indexedOwner(entry: KvEntry): MasterId | undefined {
  try {
    return activeJobEntryCodec.decode(entry.value).owner;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
