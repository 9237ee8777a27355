/**
 * This table lists the streams, their durable consumers, and the object stores. Masters create them; nobody else can.
 *
 * Peels publish into both streams with a message id and retry until the server confirms; within the duplicate window
 * a retry is stored once.
 */
import { EVENT_SUBJECTS } from './event-subjects.ts';
import { ANY, JOB_SUBJECTS, jobReturnSubject, jobScheduleSubject } from './subjects.ts';

/** Oldest messages are dropped at any limit. A limit of 0 is none. */
export interface StreamSpec {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly storage: 'file';
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly maxMessages: number;
  readonly duplicateWindowMs: number;
  readonly tier: 'critical';
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
const DUPLICATE_WINDOW_MS = 120 * SECOND_MS;

export const STREAMS = {
  jobEvents: {
    name: 'job-events',
    subjects: [JOB_SUBJECTS],
    storage: 'file',
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 0,
    maxMessages: 0,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    tier: 'critical',
    doc: 'Acks, returns, cancels, scheduled results and the dispatch and status events of jobs: what an adopter replays.',
  },
  events: {
    name: 'events',
    subjects: [EVENT_SUBJECTS],
    storage: 'file',
    maxAgeMs: 7 * DAY_MS,
    maxBytes: 1_073_741_824,
    maxMessages: 1_000_000,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
    tier: 'critical',
    doc: 'Events of peels, masters and operators. The size limits bound what one flooding peel can cost.',
  },
} as const satisfies Record<string, StreamSpec>;

export const CONSUMERS = {
  scheduleResults: {
    name: 'schedule-results',
    stream: STREAMS.jobEvents.name,
    filter: jobScheduleSubject(ANY, ANY),
    deliver: 'all',
    ackWaitMs: 30 * SECOND_MS,
    deliveriesMax: 5,
    ackPendingMax: 1_000,
    doc: 'Turns each ScheduledResult into a job record and its row, once.',
  },
  lateReturns: {
    name: 'late-returns',
    stream: STREAMS.jobEvents.name,
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

export const ALL_STREAMS: readonly StreamSpec[] = Object.values(STREAMS);
export const ALL_CONSUMERS: readonly ConsumerSpec[] = Object.values(CONSUMERS);
export const ALL_OBJECT_STORES: readonly ObjectStoreSpec[] = Object.values(OBJECT_STORES);
