/**
 * This rule decides whether a stream is older than it was: a restored backup, a lost disk, writes that were
 * acknowledged before they were on disk (decision 11). Decided from what was remembered of it (a mark) and what its
 * leader says now.
 *
 * Safe against false alarms, because none of these happens to a stream that only lives on:
 *  - its last sequence falls. Expiry, deletion and purge leave it; only a lost write takes it back.
 *  - it was made after it had been seen. Where that is not so, another spelling of its age means nothing.
 *  - another subject stands under a sequence that was acknowledged. No message there means nothing: it may have expired.
 * A replica that lags can say the first as well: so it is the leader who is asked, and more than once (store-watch.ts).
 */

import { msFromNanos, parseRfc3339 } from '../wire/msgpack/time.ts';
import type { LossKind, StoreLoss, StoreMark, StoreWatch } from '../wire/records/store-watch.ts';
import { never } from './assert.ts';

/** A stream as its leader describes it. */
export interface StoreNow {
  readonly created: string;
  readonly lastSequence: number;
  readonly lastSubject: string;
  readonly nowMs: number;
  /** Subjects of the messages that the marks speak of, by sequence; those that are gone are missing. */
  readonly subjects: ReadonlyMap<number, string>;
}

/** Losses kept in the record; the oldest is dropped first. */
export const LOSSES_KEPT = 32;

export function lossOf(asset: string, mark: StoreMark, now: StoreNow): StoreLoss | undefined {
  const kind = kindOf(mark, now);
  if (kind === undefined || mark.sequence === 0) return undefined;
  return { asset, kind, before: mark.sequence, after: now.lastSequence, noticedMs: now.nowMs };
}

function kindOf(mark: StoreMark, now: StoreNow): LossKind | undefined {
  if (mark.created !== now.created && timeMs(now.created) > mark.seenMs) return 'replaced';
  if (now.lastSequence < mark.sequence) return 'went-back';
  const there = now.subjects.get(mark.sequence);
  if (there !== undefined && mark.subject !== '' && there !== mark.subject) return 'rewritten';
  return undefined;
}

/** Earlier than any other time when there is none. */
function timeMs(created: string): number {
  const time = parseRfc3339(created);
  return time === undefined ? Number.NEGATIVE_INFINITY : msFromNanos(time);
}

export function markOf({ created, lastSequence, lastSubject, nowMs }: StoreNow): StoreMark {
  return { created, sequence: lastSequence, subject: lastSubject, seenMs: nowMs };
}

/** A loss, and when the store was last known to be well. */
export interface NoticedLoss {
  readonly loss: StoreLoss;
  readonly wellMs: number;
}

/**
 * The record after a look: newer marks, and losses that it does not have yet. A loss of the same stream that somebody
 * noticed after we had last seen it well is the same event.
 */
export function rememberLook(
  watch: StoreWatch,
  marks: Readonly<Record<string, StoreMark>>,
  noticed: readonly NoticedLoss[],
): StoreWatch {
  const isKnown = ({ loss, wellMs }: NoticedLoss) =>
    watch.losses.some(({ asset, noticedMs }) => asset === loss.asset && noticedMs >= wellMs);
  const unknown = noticed.filter((each) => !isKnown(each)).map(({ loss }) => loss);
  return {
    marks: { ...watch.marks, ...marks },
    losses: [...watch.losses, ...unknown].slice(-LOSSES_KEPT),
  };
}

/** What happened, in one sentence without a full stop. */
export function tellLoss({ asset, kind, before, after }: StoreLoss): string {
  switch (kind) {
    case 'went-back':
      return `${asset} ends at sequence ${after} and had reached ${before}: what was acknowledged in between is lost`;
    case 'replaced':
      return `${asset} was made anew: what it held before, up to sequence ${before}, is gone`;
    case 'rewritten':
      return `${asset} has another message at sequence ${before} than before: acknowledged writes are lost`;
    default:
      return never(kind);
  }
}

export const LOSS_MEANS =
  'jobs of that time may be missing, say `running` again or lack rows; nothing runs twice, because each peel remembers what it accepted';
export const LOSS_NEXT =
  'look through `zester job list` and ask again for what is missing; `zester doctor` says what an acknowledged write survives here';
