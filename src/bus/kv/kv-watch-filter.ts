/**
 * `watchFilter` watches every key under a filter, for masters: it is a cursor over the bucket's stream that hints wake.
 *
 * Start: subscribe to the hints, read everything under the filter in order, remember the last one as the position. Then,
 * whenever a hint, a reconnect or the resync timer wakes it, ask for the newest message under the filter and read what
 * lies between. Direct gets are answered by any replica, so none of this stops when the node that hosted a consumer
 * dies; that is why the client library's watch (blind for up to 95 s then) is not used.
 *
 * Where the bucket sends whole hints, one that follows on the position is the next message itself and is taken as it is:
 * a heartbeat of each of 10,000 peels would otherwise be asked for by each master. Any other (a gap, something from before,
 * a deletion) is a wake-up like the rest. Those that come during a catch-up are kept for its end.
 *
 * Safety: what is reported was read from the store, or is the store's own word in a bucket whose hints only masters could
 * forge (wire/names/buckets.ts); other hints are only wake-ups. Liveness: the resync timer.
 * A store that comes back older (last sequence below the position, or another message in its place after a reconnect)
 * is reported as trouble and read anew from the start; keys that are gone then are reported as absent.
 * Not seen: the expiry of a key by the bucket's TTL. Readers of such buckets look at `writtenMs`.
 * Bound: one catch-up at a time; wake-ups meanwhile are folded into one more, and of whole hints `KEPT_HINTS_MAX` are kept:
 * what comes beyond is read.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { guarded } from '../../runtime/guarded.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import { hasWholeHints } from '../../wire/names/buckets.ts';
import { streamInfoSubject } from '../../wire/names/jetstream.ts';
import { hintSubject, kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import type { BusParts } from '../bus-parts.ts';
import type { RawMessage } from '../connection.ts';
import { storedMessage } from '../jetstream-api.ts';
import type { StoredMessage, Watch, WatchObserver } from '../port.ts';
import { readRange } from '../stream/stream-read.ts';
import { keyOf, readOf } from './kv-read.ts';
import { watchSignals } from './watch-signals.ts';

const READ_TIMEOUT_MS = 1_000;
/** Keys remembered before those that the store has let go of are looked for. */
const REMEMBERED_MIN = 10_000;
const KEPT_HINTS_MAX = 1_024;

export function watchFilter(parts: BusParts, bucket: string, filter: string, observer: WatchObserver): Watch {
  const { api, runtime } = parts;
  const stream = kvStreamName(bucket);
  const subject = kvSubject(bucket, filter);
  /** The newest message reported of each key. */
  const reported = new Map<string, Pick<StoredMessage, 'sequence' | 'publishedMs'>>();
  let position: StoredMessage | undefined;
  let started = false;
  let doubt = false;
  let fullReadDue = false;
  /** The store lost writes: until it has been read anew, a key may have an older message than the one reported. */
  let isOlder = false;
  let forgetAt = REMEMBERED_MIN;
  const isWhole = hasWholeHints(bucket);
  let advancing = false;
  /** Whole hints that came while we were reading. */
  const kept: StoredMessage[] = [];

  const loop = wakeLoop(runtime, advance, observer.trouble);
  const signals = watchSignals(parts, bucket, filter, ({ reconnected, hint }) => {
    if (reconnected) doubt = started;
    if (hint === undefined || !takeHint(hint)) loop.wake();
  });
  loop.wake();

  async function advance(): Promise<void> {
    advancing = true;
    try {
      await readOn();
      takeKept();
    } finally {
      advancing = false;
      kept.length = 0;
    }
    const againMs = signals.readAgainAfterMs(position?.sequence ?? 0);
    if (againMs !== undefined) loop.wakeAfter(againMs);
  }

  /** Whether the hint is all there is to know of the write that it tells of. */
  function takeHint(hint: RawMessage): boolean {
    if (!isWhole || hint.data.length === 0 || !started || doubt) return false;
    const message = storedMessage(hint);
    // The subject it came on is the server's doing, the headers may begin with what the writer put there.
    const key = hint.subject.slice(hintSubject(bucket, '').length);
    if (message?.subject !== kvSubject(bucket, key)) return false;
    if (!advancing) return takeNext(message);
    return kept.length < KEPT_HINTS_MAX && kept.push(message) > 0;
  }

  function takeNext(message: StoredMessage): boolean {
    if (position === undefined || message.sequence !== position.sequence + 1) return false;
    moveTo(message);
    return true;
  }

  function takeKept(): void {
    const isTold = ({ sequence }: StoredMessage) => position !== undefined && sequence <= position.sequence;
    // After a reconnect they may be of another store than the position.
    if (doubt || !kept.every((message) => isTold(message) || takeNext(message))) loop.wake();
  }

  async function readOn(): Promise<void> {
    if (!started) {
      await readAll();
      started = true;
      if (!loop.stopped()) guarded(runtime.log, observer.replayed, undefined);
    }
    if (doubt) {
      await confirmPosition();
      doubt = false;
    }
    await catchUp();
    // A full read needs the leader of the bucket, which may have to be elected first; what is new does not.
    if (fullReadDue) {
      await readAll();
      fullReadDue = false;
      isOlder = false;
    }
    if (reported.size > forgetAt) await forgetGone();
  }

  /**
   * Reads all there is; what was known and is not there any more is reported as absent. In order, and not key by key: each
   * key may be told by another replica, and the position would stand beyond a message that one of them did not have yet.
   */
  async function readAll(): Promise<void> {
    const present = new Set<string>();
    const nextForSure = async (seq: number) =>
      (await askNext(seq)) ?? api.leaderSelect(stream, { seq, next_by_subj: subject }, READ_TIMEOUT_MS);
    await readRange(nextForSure, await streamEnds(), (message) => {
      present.add(keyOf(bucket, message.subject));
      moveTo(message);
    });
    for (const key of [...reported.keys()].filter((each) => !present.has(each))) {
      // It may have been written since the leader said which keys there are.
      const now = await api.leaderSelect(stream, { last_by_subj: kvSubject(bucket, key) }, READ_TIMEOUT_MS);
      if (now !== undefined) {
        report(now);
      } else {
        reported.delete(key);
        if (!loop.stopped()) guarded(runtime.log, observer.changed, { found: false, key, revision: 0 });
      }
    }
  }

  /** After a reconnect the store may have lost writes and made others: is the message at our position still the same? */
  async function confirmPosition(): Promise<void> {
    if (position === undefined) return;
    const there = await api.directSelect(stream, { seq: position.sequence }, READ_TIMEOUT_MS);
    if (there?.subject === position.subject && there.publishedMs === position.publishedMs) return;
    fullReadDue = true;
    if (there !== undefined) wentBack(position.sequence, there.sequence);
    // Gone is normal, when a newer value took its place; but not where the whole stream ends before it.
    else await checkWentBack(position.sequence);
  }

  async function catchUp(): Promise<void> {
    const newest = await api.directSelect(stream, { last_by_subj: subject }, READ_TIMEOUT_MS);
    const from = position?.sequence ?? 0;
    const until = newest?.sequence ?? 0;
    if (until < from) await checkWentBack(from);
    else await readRange(askNext, { first: from + 1, last: until }, moveTo);
  }

  function askNext(seq: number): Promise<StoredMessage | undefined> {
    return api.directSelect(stream, { seq, next_by_subj: subject }, READ_TIMEOUT_MS);
  }

  /** The newest under the filter is older than our position: expired, purged, a lagging replica, or really lost. */
  async function checkWentBack(from: number): Promise<void> {
    const { last } = await streamEnds();
    if (last >= from) return;
    wentBack(from, last);
    fullReadDue = true;
  }

  async function streamEnds(): Promise<{ first: number; last: number }> {
    const info = await api.call(streamInfoSubject(stream), {}, READ_TIMEOUT_MS);
    const state = (info.state ?? {}) as { first_seq?: number; last_seq?: number };
    return { first: Math.max(1, Number(state.first_seq ?? 1)), last: Number(state.last_seq ?? 0) };
  }

  /** Keys whose messages the store has let go of need not be remembered: it will never tell of them again. */
  async function forgetGone(): Promise<void> {
    const { first } = await streamEnds();
    for (const [key, { sequence }] of reported) if (sequence < first) reported.delete(key);
    forgetAt = Math.max(REMEMBERED_MIN, 2 * reported.size);
  }

  /** From here on sequences mean other messages than before; the keys stay known, so that lost ones are reported. */
  function wentBack(before: number, after: number): void {
    position = undefined;
    isOlder = true;
    guarded(
      runtime.log,
      observer.trouble,
      zesterError('BUS_STORE_WENT_BACK', { asset: bucket, before, after }),
    );
  }

  function moveTo(message: StoredMessage): void {
    report(message);
    if (position === undefined || message.sequence > position.sequence) position = message;
  }

  function report(message: StoredMessage): void {
    const key = keyOf(bucket, message.subject);
    const before = reported.get(key);
    const isKnown = before?.sequence === message.sequence && before.publishedMs === message.publishedMs;
    // A replica that lags may still have what another one has replaced.
    const isPast = before !== undefined && message.sequence < before.sequence && !isOlder;
    if (loop.stopped() || isKnown || isPast) return;
    reported.set(key, { sequence: message.sequence, publishedMs: message.publishedMs });
    guarded(runtime.log, observer.changed, readOf(key, message));
  }

  return {
    stop() {
      signals.stop();
      loop.stop();
    },
  };
}
