/** This file describes a job for programs, under the names that it has on the wire: the JSON of every door. */
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import type { Field } from '../../wire/msgpack/codec.ts';
import { type DurationNanos, formatRfc3339, msFromNanos, type UnixNanos } from '../../wire/msgpack/time.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';

/**
 * A record under its wire names, from its table, so that a new field is told by itself. Times are text, durations are
 * milliseconds and say so, empty keys that the wire leaves out are left out; whether it is a dry run is said in any case.
 * `waitsBehind` is not in the record: it comes from the acks.
 */
export function describeJob(job: Job, waitsBehind: readonly string[] = []): Record<string, unknown> {
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
