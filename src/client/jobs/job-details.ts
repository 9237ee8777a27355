/**
 * Job details are all that is known of one job: its record, the rows of its targets, and of those that have none the
 * last signs of life.
 */
import { openTable } from '../../bus/kv/table.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { isRealReturn } from '../../core/jobs/target-row.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { jobReturnPattern } from '../../wire/names/keys.ts';
import type { Job } from '../../wire/records/job.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { jobWaitsBehind, readAcks, type TargetAck } from './job-acks.ts';

/** The last that was heard of targets. */
export interface Signs {
  readonly acks: ReadonlyMap<PeelId, TargetAck>;
  /** When each peel last wrote its heartbeat; absent when it has none. */
  readonly heartbeatMs: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

export interface JobDetails {
  readonly job: Job;
  readonly rows: readonly Row[];
  readonly signs: Signs;
  /** What the whole job waits behind in the queues of its targets; empty when it does not. */
  readonly waitsBehind: readonly string[];
  readonly unreadable: readonly UnreadableRecord[];
}

export async function readJobDetails(client: ClientContext, job: Job): Promise<JobDetails> {
  const { bus, runtime, signal } = client;
  const entries = await unlessAborted(openTable(bus, TABLES.rows).entries(jobReturnPattern(job.jid)), signal);
  const rows = entries.flatMap((entry) => (entry.is === 'found' ? [entry.value] : []));
  const nowMs = runtime.clock.nowMs();
  const [acks, beats] = await Promise.all([
    readAcks(client, job.jid),
    unlessAborted(openTable(bus, TABLES.peelHeartbeats).entries(), signal),
  ]);
  const { targets } = job;
  const hasReturn = rows.some(isRealReturn);
  return {
    job,
    rows,
    signs: { acks, heartbeatMs: new Map(beats.map(({ key, writtenMs }) => [key, writtenMs])), nowMs },
    waitsBehind: isTerminal(job.status) ? [] : jobWaitsBehind({ targets, acks, hasReturn }),
    unreadable: entries.flatMap((entry) =>
      entry.is === 'found' ? [] : [{ kind: 'row' as const, key: entry.key, problem: entry.problem }],
    ),
  };
}
