/** Reads job records and rows for the job commands, and gives them the names they have on the wire. */
import type { Bus } from '../../bus/port.ts';
import { outcomeOf } from '../../core/jobs/job-tally.ts';
import { BUCKETS } from '../../wire/buckets.ts';
import type { Jid } from '../../wire/ids.ts';
import { type Job, jobCodec } from '../../wire/job.ts';
import { type Return, returnCodec } from '../../wire/job-return.ts';
import {
  ACTIVE_JOBS_PATTERN,
  ALL_JOBS_PATTERN,
  jobKey,
  jobReturnPattern,
  parseActiveJobKey,
} from '../../wire/keys.ts';
import { formatRfc3339, type UnixNanos } from '../../wire/time.ts';
import { responseOf } from '../exec/render-return.ts';
import type { JobFilter } from './job-filter.ts';
import { inOrder } from './job-order.ts';
import { NewestJobs } from './newest-jobs.ts';

/** The newest jobs that a filter lets through, the newest last. A record that cannot be read is told and left out. */
export async function listJobs(
  bus: Bus,
  { accepts, since }: JobFilter,
  limit: number,
  warn: (line: string) => void,
): Promise<Pick<NewestJobs, 'found' | 'isCut'>> {
  const newest = new NewestJobs(limit, since);
  await bus.bucket(BUCKETS.jobs.name).byLastWrite(ALL_JOBS_PATTERN, ({ key, value, writtenMs }) => {
    try {
      const job = jobCodec.decode(value);
      return newest.take(accepts(job) ? job : undefined, writtenMs);
    } catch (error) {
      warn(`job record ${key} cannot be read and is left out: ${(error as Error).message}`);
      return newest.take(undefined, writtenMs);
    }
  });
  return newest;
}

/** Jobs that are not finished, by the index; in the same order. */
export async function listActiveJobs(bus: Bus, warn: (line: string) => void): Promise<Job[]> {
  const keys = await bus.bucket(BUCKETS.jobs.name).keys(ACTIVE_JOBS_PATTERN);
  const jobs: Job[] = [];
  for (const jid of keys.map(parseActiveJobKey)) {
    const job = jid === undefined ? undefined : await readJob(bus, jid);
    if (job === undefined) warn('the index names a job that has no record; a master will clean it up');
    else jobs.push(job);
  }
  return inOrder(jobs);
}

export async function readJob(bus: Bus, jid: Jid): Promise<Job | undefined> {
  const read = await bus.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid));
  return read.found ? jobCodec.decode(read.value) : undefined;
}

export async function readRows(bus: Bus, jid: Jid): Promise<Return[]> {
  const entries = await bus.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(jid));
  return entries.map((entry) => returnCodec.decode(entry.value));
}

/** A record under its wire names, times as text, empty keys left out. */
export function jobRecord(job: Job): Record<string, unknown> {
  return wireRecord(job as unknown as Readonly<Record<string, unknown>>, jobCodec.fields);
}

export function rowRecord(row: Return): Record<string, unknown> {
  const record = wireRecord(row as unknown as Readonly<Record<string, unknown>>, returnCodec.fields);
  const { proof } = row;
  return {
    ...record,
    return_data: responseOf(row),
    outcome: outcomeOf(row),
    ...(proof === undefined
      ? {}
      : { proof: { acked: timeText(proof.acked), heartbeat_age: proof.heartbeatAge } }),
  };
}

const TIME_KEYS = ['created', 'updated', 'deadline', 'timestamp'];

function wireRecord(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, { readonly key: string; readonly omitEmpty?: boolean }>>,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [property, { key, omitEmpty }] of Object.entries(fields)) {
    const each = value[property];
    const isEmpty =
      each === undefined || each === '' || each === 0 || each === false || isEmptyCollection(each);
    if (omitEmpty === true && isEmpty) continue;
    record[key] = TIME_KEYS.includes(key) ? timeText(each as UnixNanos) : each;
  }
  return record;
}

function isEmptyCollection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function timeText(time: UnixNanos | undefined): string | undefined {
  return time === undefined ? undefined : formatRfc3339(time);
}
