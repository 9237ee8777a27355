/** Reads job records and rows for the job commands, and gives them the names they have on the wire. */
import type { Bus } from '../../bus/port.ts';
import type { JobFilter } from '../../cli/job/job-filter.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { printableLine } from '../../core/printable.ts';
import type { Field } from '../../wire/msgpack/codec.ts';
import { type DurationNanos, formatRfc3339, msFromNanos, type UnixNanos } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid } from '../../wire/names/ids.ts';
import {
  ACTIVE_JOBS_PATTERN,
  ALL_JOBS_PATTERN,
  jobKey,
  jobReturnPattern,
  parseActiveJobKey,
} from '../../wire/names/keys.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';
import { type Return, returnCodec } from '../../wire/records/job-return.ts';
import { fewAtATime } from '../few-at-a-time.ts';
import { decodeOrTell, leftOut } from '../try-decode.ts';
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
    const job = decodeOrTell(jobCodec, value, (why) => warn(leftOut(`job record ${key}`, why)));
    return newest.take(job !== undefined && accepts(job) ? job : undefined, writtenMs);
  });
  return newest;
}

/** Jobs that are not finished, by the index; in the same order. */
export async function listActiveJobs(bus: Bus, warn: (line: string) => void): Promise<Job[]> {
  const keys = await bus.bucket(BUCKETS.jobs.name).keys(ACTIVE_JOBS_PATTERN);
  const jobs = await fewAtATime(keys, async (key) => {
    const jid = parseActiveJobKey(key);
    const read = jid === undefined ? undefined : await bus.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid));
    if (read?.found === true)
      return decodeOrTell(jobCodec, read.value, (why) => warn(leftOut(`job record ${jid}`, why)));
    warn(`the index names job ${printableLine(jid ?? key)}, which has no record; a master will clean it up`);
    return undefined;
  });
  return inOrder(jobs.filter((job) => job !== undefined));
}

/** Throws CLI_JOB_UNREADABLE for a record that makes no sense: that is not the same as none. */
export async function readJob(bus: Bus, jid: Jid): Promise<Job | undefined> {
  const read = await bus.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid));
  if (!read.found) return undefined;
  return decodeOrTell(jobCodec, read.value, (problem) => {
    throw zesterError('CLI_JOB_UNREADABLE', { jid, problem });
  });
}

/** A row that cannot be read is told and left out. */
export async function readRows(bus: Bus, jid: Jid, warn: (line: string) => void): Promise<Return[]> {
  const entries = await bus.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(jid));
  return entries.flatMap((entry) => {
    const row = decodeOrTell(returnCodec, entry.value, (why) => warn(leftOut(`the row ${entry.key}`, why)));
    return row === undefined ? [] : [row];
  });
}

/**
 * A record under its wire names, from its table, so that a new field is told by itself. Times are text, durations are
 * milliseconds and say so, empty keys that the wire leaves out are left out; whether it is a dry run is said in any case.
 * `waitsBehind` is not in the record: it comes from the acks.
 */
export function jobRecord(job: Job, waitsBehind: readonly string[] = []): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [property, field] of Object.entries<Field<unknown>>(jobCodec.fields as JobFields)) {
    const value = job[property as keyof Job];
    if (field.omitEmpty === true && field.type.isEmpty(value)) continue;
    const [key, told] = toldAs(field, value);
    record[key] = told;
  }
  return {
    ...record,
    test: asksDryRun(job.args),
    ...(waitsBehind.length === 0 ? {} : { waits_behind: waitsBehind }),
  };
}

type JobFields = Readonly<Record<string, Field<unknown>>>;

/** The key and the value of one field in a record for programs. */
function toldAs({ key, type }: Field<unknown>, value: unknown): readonly [key: string, value: unknown] {
  if (type.label === 'time') return [key, value === undefined ? null : formatRfc3339(value as UnixNanos)];
  if (type.label === 'duration') return [`${key}_ms`, msFromNanos(value as DurationNanos)];
  return [key, value];
}
