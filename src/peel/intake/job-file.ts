/** A job file is `jobs/<jid>` of the data directory: one job that this peel has accepted. See `job-book.ts`. */
import type { Random } from '../../runtime/random.ts';
import { type RecordCodec, record } from '../../wire/msgpack/codec.ts';
import { encoded, epoch, jid, name, time } from '../../wire/msgpack/field-types.ts';
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { ENCODED_NIL, type EncodedValue } from '../../wire/msgpack/wire-value.ts';
import type { Jid } from '../../wire/names/ids.ts';

export interface JobFile {
  readonly jid: Jid;
  readonly epoch: number;
  readonly accepted: UnixNanos;
  /** Message ids, unguessable and the same at every try (decision 23e). */
  readonly ackId: string;
  readonly returnId: string;
  readonly returned: EncodedValue;
}

export const jobFileCodec: RecordCodec<JobFile> = record<JobFile>(
  'JobFile',
  'A job that the peel has accepted.',
  {
    jid: { key: 'jid', type: jid, doc: 'The job.' },
    epoch: { key: 'epoch', type: epoch, doc: 'Its exec epoch.' },
    accepted: { key: 'accepted', type: time, doc: 'When, on the clock of the peel.' },
    ackId: { key: 'ack_id', type: name, doc: 'Message id of its ack.' },
    returnId: { key: 'return_id', type: name, doc: 'Message id of its return.' },
    returned: { key: 'returned', type: encoded, omitEmpty: true, doc: 'The Return, once there is one.' },
  },
);

const MESSAGE_ID_BYTES = 16;

/** Unguessable (decision 23e): whoever knew it could publish under it first, and ours would be dropped as a duplicate. */
export function newMessageId(random: Random): string {
  return Buffer.from(random.bytes(MESSAGE_ID_BYTES)).toString('hex');
}

export function hasReturned({ returned }: JobFile): boolean {
  return returned.length !== ENCODED_NIL.length || returned[0] !== ENCODED_NIL[0];
}
