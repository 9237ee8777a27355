/** This file reads the records of jobs: one, the newest of a kind, those that are not finished. */
import { openTable } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import type { JobFilter } from './job-filter.ts';
import { inOrder } from './job-order.ts';
import { NewestJobs } from './newest-jobs.ts';

const READS_AT_ONCE = 8;

export interface JobList {
  /** The newest last. */
  readonly jobs: readonly Job[];
  readonly unreadable: readonly UnreadableRecord[];
}

/** The newest jobs that a filter lets through; `isCut` when there may be older ones. */
export async function listJobs(
  { bus, signal }: ClientContext,
  { accepts, since }: JobFilter,
  limit: number,
): Promise<JobList & { readonly isCut: boolean }> {
  const newest = new NewestJobs(limit, since);
  const unreadable: UnreadableRecord[] = [];
  const reading = openTable(bus, TABLES.jobs).byLastWrite((entry) => {
    if (signal.aborted) return false;
    if (entry.is === 'unreadable') unreadable.push({ kind: 'job', key: entry.key, problem: entry.problem });
    const isWanted = entry.is === 'found' && accepts(entry.value);
    return newest.take(isWanted ? entry.value : undefined, entry.writtenMs);
  });
  await unlessAborted(reading, signal);
  return { jobs: newest.found(), isCut: newest.isCut, unreadable };
}

/**
 * Jobs that are not finished, by the index; `withoutRecord` are those of the index that have none, which a master
 * cleans up.
 */
export async function listActiveJobs({
  bus,
  signal,
}: ClientContext): Promise<JobList & { readonly withoutRecord: readonly Jid[] }> {
  const table = openTable(bus, TABLES.jobs);
  const ids = await unlessAborted(openTable(bus, TABLES.activeJobs).ids(), signal);
  const reads = await unlessAborted(
    concurrentMap(ids, READS_AT_ONCE, (jid) => table.getLatest(jid)),
    signal,
  );
  return {
    jobs: inOrder(reads.flatMap((read) => (read.is === 'found' ? [read.value] : []))),
    unreadable: reads.flatMap((read) =>
      read.is === 'unreadable' ? [{ kind: 'job' as const, key: read.key, problem: read.problem }] : [],
    ),
    withoutRecord: reads.flatMap((read) => (read.is === 'absent' ? [read.id] : [])),
  };
}

/** Throws CLI_JOB_UNREADABLE for a record that makes no sense: that is not the same as none. */
export async function readJob({ bus, signal }: ClientContext, jid: Jid): Promise<Job | undefined> {
  const read = await unlessAborted(openTable(bus, TABLES.jobs).getLatest(jid), signal);
  if (read.is === 'unreadable') throw zesterError('CLI_JOB_UNREADABLE', { jid, problem: read.problem });
  return read.is === 'found' ? read.value : undefined;
}
