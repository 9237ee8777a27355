/** The record of an entry; undefined when it is not one: what cannot be read is nobody's job, and is left alone. */
import type { KvEntry } from '../../bus/port.ts';
import { WireError } from '../../wire/msgpack/wire-error.ts';
import { type Job, jobCodec } from '../../wire/records/job.ts';

export function storedJob(entry: KvEntry): Job | undefined {
  try {
    return jobCodec.decode(entry.value);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
