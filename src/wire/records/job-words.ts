/**
 * Job words are what is said of jobs, in streams job-events, job-words and job-acks, read by subject. The subject says which record the bytes are, of which
 * job and, for what peels send, of which peel; the server enforces the peel's token. A payload that names another job
 * or another peel is not that peel's word and cannot be read. The same function reads a word as it is published and
 * from the stream.
 */
import type { Codec } from '../msgpack/codec.ts';
import { type Decoded, decoded } from '../msgpack/decoded.ts';
import type { Jid, PeelId } from '../names/ids.ts';
import { PEEL_WORD_STREAMS } from '../names/streams.ts';
import { parseJobSubject } from '../names/subjects.ts';
import { type JobEvent, jobEventCodec } from './job-event.ts';
import { type Ack, ackCodec, type Return, returnReader } from './job-return.ts';
import type { RecordStreamSpec } from './record-stream-spec.ts';
import { type ScheduledResult, scheduledResultCodec } from './scheduled-result.ts';

export type JobWord =
  | { readonly kind: 'ack'; readonly jid: Jid; readonly peel: PeelId; readonly value: Ack }
  | { readonly kind: 'return'; readonly jid: Jid; readonly peel: PeelId; readonly value: Return }
  | { readonly kind: 'schedule'; readonly jid: Jid; readonly peel: PeelId; readonly value: ScheduledResult }
  | { readonly kind: 'dispatch' | 'status'; readonly jid: Jid; readonly value: JobEvent }
  /** Its bytes say nothing; the proof in its headers does. */
  | { readonly kind: 'cancel'; readonly jid: Jid };

/** What peels said of jobs. */
export const PEEL_WORDS: RecordStreamSpec<JobWord> = { streams: PEEL_WORD_STREAMS, read: readJobWord };

export function readJobWord(subject: string, bytes: Uint8Array): Decoded<JobWord> {
  const from = parseJobSubject(subject);
  switch (from?.kind) {
    case 'ack':
      return of(ackCodec, bytes, from, (value) => ({ ...from, kind: 'ack', value }));
    case 'return':
      return of(returnReader, bytes, from, (value) => ({ ...from, kind: 'return', value }));
    case 'schedule':
      // It names no peel: the subject alone says whose it is.
      return of(scheduledResultCodec, bytes, { jid: from.jid }, (value) => ({
        ...from,
        kind: 'schedule',
        value,
      }));
    case 'dispatch':
      return of(jobEventCodec, bytes, from, (value) => ({ ...from, kind: 'dispatch', value }));
    case 'status':
      return of(jobEventCodec, bytes, from, (value) => ({ ...from, kind: 'status', value }));
    case 'cancel':
      return { isReadable: true, value: { kind: 'cancel', jid: from.jid } };
    default:
      return { isReadable: false, problem: 'no subject of a job' };
  }
}

function of<T extends { readonly jid: Jid; readonly peelId?: PeelId | undefined }>(
  codec: Pick<Codec<T>, 'name' | 'decode'>,
  bytes: Uint8Array,
  from: { readonly jid: Jid; readonly peel?: PeelId },
  word: (value: T) => JobWord,
): Decoded<JobWord> {
  const record = decoded(codec, bytes);
  if (!record.isReadable) return record;
  const { value } = record;
  const isItsOwn = value.jid === from.jid && (from.peel === undefined || value.peelId === from.peel);
  return isItsOwn
    ? { isReadable: true, value: word(value) }
    : { isReadable: false, problem: `${codec.name}: names another job or peel than its subject` };
}
