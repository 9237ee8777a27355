/**
 * Job statuses are the words in which jobs, rows and job events say where they stand. What follows from them is decided
 * in core/jobs.
 */

export const JOB_STATUSES = [
  /** Made by a client; no master has seen it. */
  'pending',
  /** A master owns it and has sent nothing to any peel. */
  'claimed',
  /** Requests may have been sent. */
  'running',
  /** Every target returned, all with success. */
  'complete',
  /** Some targets returned before the deadline. */
  'partial',
  /** No target returned before the deadline. */
  'timeout',
  /** Every target returned and at least one failed; or the job itself could not be carried on. */
  'failed',
  /** An operator stopped it before every target had returned. */
  'canceled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const OUTCOMES = [
  /** The target ran it and reports success. */
  'returned',
  /** The target ran or refused it and reports failure. */
  'failed',
  /** The target accepted it and has not returned. */
  'running',
  /** The target never said anything about it. */
  'unreachable',
  /** An operator stopped it. */
  'canceled',
  /** The target got it too late and did not start it. */
  'expired',
] as const;
/** How the job ended, or stands, for one target: one per row. */
export type Outcome = (typeof OUTCOMES)[number];

export const JOB_EVENT_TYPES = [
  /** A master is about to send the job; data is the Job. */
  'dispatched',
  /** Reserved: acks have a record of their own. */
  'acked',
  /** Reserved: returns have a record of their own. */
  'returned',
  /** The job is over; data is its status and the number of returns. */
  'completed',
  /** An operator stopped it. */
  'canceled',
  /** Reserved. */
  'timeout',
  /** The job was given up; data says why. */
  'failed',
] as const;
export type JobEventType = (typeof JOB_EVENT_TYPES)[number];
