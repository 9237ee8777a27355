/**
 * The store watch record says how far the streams of jobs had come when masters last looked, and which of them were found
 * older later: JSON under
 * `store-watch/stores`, written by any master with compare-and-set, read by masters and `zester doctor`.
 *
 * It is in the same NATS as what it tells of: a whole NATS that is put back to an older state brings an older record back
 * as well. Then only masters that lived through it know better; the record is for those that start later, and for people.
 */
import { BUCKETS } from '../names/buckets.ts';
import { kvStreamName } from '../names/store-subjects.ts';
import { STREAMS } from '../names/streams.ts';

/** Streams whose loss loses jobs: records, rows, what masters and what peels said. Acks are in memory and asked for again. */
export const WATCHED_STORES: readonly string[] = [
  kvStreamName(BUCKETS.jobs.name),
  kvStreamName(BUCKETS.jobReturns.name),
  STREAMS.jobEvents.name,
  STREAMS.jobWords.name,
];

/** How far a stream had come, by the word of its leader. */
export interface StoreMark {
  /** When the stream was made, as the server writes it. */
  readonly created: string;
  /** Its last sequence: that never falls, whatever expires, is deleted or purged. */
  readonly sequence: number;
  /** Of the message with that sequence; empty when it is not known. */
  readonly subject: string;
  /** When that was, on the store's clock. */
  readonly seenMs: number;
}

const LOSS_KINDS = ['went-back', 'replaced', 'rewritten'] as const;
/** It ends earlier than before; it is another stream under the same name; other messages stand where ours were. */
export type LossKind = (typeof LOSS_KINDS)[number];

export interface StoreLoss {
  readonly asset: string;
  readonly kind: LossKind;
  /** The sequence it had reached, and the one it was found at. */
  readonly before: number;
  readonly after: number;
  readonly noticedMs: number;
}

export interface StoreWatch {
  readonly marks: Readonly<Record<string, StoreMark>>;
  /** Oldest first. */
  readonly losses: readonly StoreLoss[];
}

export const NO_STORE_WATCH: StoreWatch = { marks: {}, losses: [] };

export function formatStoreWatch(watch: StoreWatch): Uint8Array {
  return Buffer.from(JSON.stringify(watch));
}

/** Undefined when it is no such record. Entries that cannot be understood are left out: a newer master may write more. */
export function parseStoreWatch(bytes: Uint8Array): StoreWatch | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isObject(value.marks) || !Array.isArray(value.losses)) return undefined;
  return {
    marks: Object.fromEntries(
      Object.entries(value.marks).filter(([, mark]) => isMark(mark)),
    ) as StoreWatch['marks'],
    losses: value.losses.filter(isLoss),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isMark(value: unknown): value is StoreMark {
  if (!isObject(value)) return false;
  const { created, sequence, subject, seenMs } = value;
  return typeof created === 'string' && isCount(sequence) && typeof subject === 'string' && isTime(seenMs);
}

function isLoss(value: unknown): value is StoreLoss {
  if (!isObject(value)) return false;
  const { asset, kind, before, after, noticedMs } = value;
  const isKnown = typeof asset === 'string' && LOSS_KINDS.includes(kind as LossKind);
  return isKnown && isCount(before) && isCount(after) && isTime(noticedMs);
}

const isTime = (value: unknown): boolean => Number.isFinite(value);
