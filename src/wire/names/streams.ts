/**
 * This table lists the streams, their durable consumers, and the object stores. Masters create them; nobody else can.
 *
 * A stream has one queue of what was published and not yet written, and one writer, which on a careful server waits for the
 * disk at every message. So streams are split by who writes (decision 123): what masters write to decide never waits behind
 * what a peel may write, however much that is.
 *
 * Peels publish with a message id and retry until the server confirms; within the duplicate window a retry is stored once.
 */
import { EVENT_SUBJECTS } from './event-subjects.ts';
import { MESSAGE_BYTES_MAX } from './limits.ts';
import {
  ANY,
  jobAckSubject,
  jobCancelSubject,
  jobDispatchSubject,
  jobReturnSubject,
  jobScheduleSubject,
  jobStatusSubject,
} from './subjects.ts';

/**
 * Oldest messages are dropped at a limit of bytes, of messages, or of messages on one subject; a message over its own limit
 * is refused. A limit of 0 is none: only where no peel writes.
 */
export interface StreamSpec {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly storage: 'file' | 'memory';
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly maxMessages: number;
  /** Messages kept on one subject. */
  readonly perSubjectMax: number;
  /** Longest message, headers included. */
  readonly messageBytesMax: number;
  readonly duplicateWindowMs: number;
  readonly tier: 'critical' | 'ephemeral';
  /** A peel can write here. */
  readonly peelWritable: boolean;
  readonly doc: string;
}

/** A durable pull consumer with explicit acks, shared by all masters: each message goes to one of them. */
export interface ConsumerSpec {
  readonly name: string;
  readonly stream: string;
  readonly filter: string;
  /** Where a newly made consumer starts: with everything the stream still has, or with what comes next. */
  readonly deliver: 'all' | 'new';
  readonly ackWaitMs: number;
  /** Deliveries of one message; 0 is no limit. */
  readonly deliveriesMax: number;
  readonly ackPendingMax: number;
  readonly doc: string;
}

export interface ObjectStoreSpec {
  readonly name: string;
  readonly tier: 'critical';
  /** A peel may read every object of the store, chunk by chunk. */
  readonly peelReadable: boolean;
  readonly doc: string;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const MIB = 1_048_576;
const GIB = 1_024 * MIB;
const DUPLICATE_WINDOW_MS = 120 * SECOND_MS;

/** Masters make them in this order: where job-events still has everything, it must let go before another can have it. */
export const STREAMS = {
  jobEvents: {
    name: 'job-events',
    subjects: [jobDispatchSubject(ANY), jobStatusSubject(ANY), jobCancelSubject(ANY)],
    storage: 'file',
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 0,
    maxMessages: 0,
    perSubjectMax: 64,
    messageBytesMax: 0,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    tier: 'critical',
    peelWritable: false,
    doc: 'Dispatch and status events and cancels of jobs: what masters and operators say. Older versions kept acks and returns here, too; those are still read.',
  },
  jobWords: {
    name: 'job-words',
    subjects: [jobReturnSubject(ANY, ANY), jobScheduleSubject(ANY, ANY)],
    storage: 'file',
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 2 * GIB,
    maxMessages: 4_000_000,
    perSubjectMax: 16,
    messageBytesMax: MESSAGE_BYTES_MAX,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    tier: 'critical',
    peelWritable: true,
    doc: 'Additive. Returns and scheduled results of peels: what an adopter replays. At a bound the oldest go; their rows have long been written.',
  },
  jobAcks: {
    name: 'job-acks',
    subjects: [jobAckSubject(ANY, ANY)],
    storage: 'memory',
    maxAgeMs: DAY_MS,
    maxBytes: 64 * MIB,
    maxMessages: 200_000,
    perSubjectMax: 4,
    messageBytesMax: 4_096,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    tier: 'ephemeral',
    peelWritable: true,
    doc: 'Additive. Acks of peels, in memory: whoever misses one sends the request again, and it is acknowledged again and not run again. At a bound the oldest go.',
  },
  events: {
    name: 'events',
    subjects: [EVENT_SUBJECTS],
    storage: 'file',
    maxAgeMs: 7 * DAY_MS,
    maxBytes: GIB,
    maxMessages: 1_000_000,
    perSubjectMax: 0,
    messageBytesMax: 65_536,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    tier: 'critical',
    peelWritable: true,
    doc: 'Events of peels, masters and operators. The size limits bound what one flooding peel can cost; at a bound the oldest go.',
  },
} as const satisfies Record<string, StreamSpec>;

export const CONSUMERS = {
  scheduleResults: {
    name: 'schedule-results',
    stream: STREAMS.jobWords.name,
    filter: jobScheduleSubject(ANY, ANY),
    deliver: 'all',
    ackWaitMs: 30 * SECOND_MS,
    deliveriesMax: 5,
    ackPendingMax: 1_000,
    doc: 'Turns each ScheduledResult into a job record and its row, once.',
  },
  lateReturns: {
    name: 'late-returns',
    stream: STREAMS.jobWords.name,
    filter: jobReturnSubject(ANY, ANY),
    deliver: 'all',
    ackWaitMs: 30 * SECOND_MS,
    // No limit: a row must survive any outage of the store, and a return that can never be written is acked away.
    deliveriesMax: 0,
    ackPendingMax: 256,
    doc: 'Additive. Writes the row of every return of a target, also after the job is finished, and corrects the tally.',
  },
  reactor: {
    name: 'reactor',
    stream: STREAMS.events.name,
    filter: EVENT_SUBJECTS,
    deliver: 'new',
    ackWaitMs: 60 * SECOND_MS,
    deliveriesMax: 5,
    ackPendingMax: 64,
    doc: 'Hands each event to one master, which matches it against the rules.',
  },
} as const satisfies Record<string, ConsumerSpec>;

export const OBJECT_STORES = {
  fileBlobs: {
    name: 'file-blobs',
    tier: 'critical',
    peelReadable: true,
    doc: 'Additive. Contents of files too large for a message, named by hash. Masters write; peels read.',
  },
} as const satisfies Record<string, ObjectStoreSpec>;

/** Where acks and returns of peels are; older versions kept them in the last one, which has none of them a week after the upgrade. */
export const PEEL_WORD_STREAMS: readonly StreamSpec[] = [
  STREAMS.jobWords,
  STREAMS.jobAcks,
  STREAMS.jobEvents,
];

export const ALL_STREAMS: readonly StreamSpec[] = Object.values(STREAMS);
export const ALL_CONSUMERS: readonly ConsumerSpec[] = Object.values(CONSUMERS);
export const ALL_OBJECT_STORES: readonly ObjectStoreSpec[] = Object.values(OBJECT_STORES);
