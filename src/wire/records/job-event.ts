/**
 * A job event is an entry that masters add to stream job-events beside acks and returns: for audit, and so that an
 * adopter can see what the owner did. The cancel is here too; its payload nobody reads: its subject names the job, its
 * proof says who wants it.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { choice, encoded, jid, name, optionalPeelId, time } from '../msgpack/field-types.ts';
import type { UnixNanos } from '../msgpack/time.ts';
import type { EncodedValue } from '../msgpack/wire-value.ts';
import type { Jid, PeelId } from '../names/ids.ts';
import { JOB_EVENT_TYPES, type JobEventType } from './job-status.ts';

export interface JobEvent {
  readonly jid: Jid;
  readonly type: JobEventType;
  readonly peelId: PeelId | undefined;
  readonly data: EncodedValue;
  readonly timestamp: UnixNanos;
}

export const jobEventCodec: RecordCodec<JobEvent> = record<JobEvent>(
  'JobEvent',
  'Something happened to a job.',
  {
    jid: { key: 'jid', type: jid, doc: 'The job.' },
    type: {
      key: 'type',
      type: choice('job event type', JOB_EVENT_TYPES),
      doc: 'What happened.',
    },
    peelId: { key: 'peel_id', type: optionalPeelId, omitEmpty: true, doc: 'The peel it is about, if any.' },
    data: {
      key: 'data',
      type: encoded,
      omitEmpty: true,
      doc: 'Dispatched: the Job. Completed: `{status, returns}`. Failed: `{status, reason}`.',
    },
    timestamp: { key: 'timestamp', type: time, doc: 'When, on the clock of the master.' },
  },
);

/** What the CLI puts into a cancel. Nobody reads it: the subject and the proof say all. */
export interface Cancel {
  readonly action: string;
}

export const CANCEL_ACTION = 'cancel';

export const cancelCodec: RecordCodec<Cancel> = record<Cancel>(
  'Cancel',
  'The payload of a cancel; no reader looks at it.',
  {
    action: { key: 'action', type: name, doc: 'Always `cancel`.' },
  },
);
