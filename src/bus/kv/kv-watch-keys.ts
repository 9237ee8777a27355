/**
 * `watchKeys` watches named keys the way a peel may (decision 23c): without a consumer, by hints and re-reading.
 *
 * The server republishes every write as an empty message (a hint). A hint only wakes us: who forges one makes us read
 * once more, nothing else. What is reported comes from a direct get.
 *
 * Never blind: hints may be lost (disconnect, election), so every key is read again on connect and every resync
 * interval. A value older than the one reported before is a lagging replica at first; when it stays, the store has lost
 * acknowledged writes: that is reported as trouble and the older value as the truth.
 * Bound: one read in flight for each key; hints meanwhile are folded into one more.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { guarded } from '../../runtime/guarded.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import { kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import type { BusParts } from '../bus-parts.ts';
import type { KvRead, Watch, WatchObserver } from '../port.ts';
import { readOf } from './kv-read.ts';
import { watchSignals } from './watch-signals.ts';

const READ_TIMEOUT_MS = 1_000;
/** A replica may lag this long before an older answer is taken for what it says. */
const LAG_MS_MAX = 1_500;
const OLDER_READ_MS = 200;

export function watchKeys(
  parts: BusParts,
  bucket: string,
  keys: readonly string[],
  observer: WatchObserver,
): Watch {
  const unread = new Set(keys);
  if (unread.size === 0) observer.replayed?.();
  const watches = keys.map((key) =>
    watchKey(parts, bucket, key, {
      ...observer,
      replayed() {
        if (unread.delete(key) && unread.size === 0) observer.replayed?.();
      },
    }),
  );
  return {
    stop() {
      for (const watch of watches) watch.stop();
    },
  };
}

function watchKey(
  parts: BusParts,
  bucket: string,
  key: string,
  observer: Required<Pick<WatchObserver, 'replayed'>> & WatchObserver,
): Watch {
  const { api, runtime } = parts;
  const stream = kvStreamName(bucket);
  const subject = kvSubject(bucket, key);
  let seen: KvRead | undefined;
  /** Since when every answer has been older than what was reported. */
  let olderSinceMs: number | undefined;

  const loop = wakeLoop(runtime, readOnce, observer.trouble);
  // The hint is subscribed before the first read, so that no change falls between them.
  const signals = watchSignals(parts, bucket, key, () => loop.wake());
  loop.wake();

  async function readOnce(): Promise<void> {
    const read = readOf(key, await api.directLast(stream, subject, READ_TIMEOUT_MS));
    if (loop.stopped()) return;
    // An older state, or none where there was one: a replica that lags, until it has had time enough to catch up.
    if (seen !== undefined && read.revision < seen.revision) {
      olderSinceMs ??= runtime.clock.monotonicMs();
      if (runtime.clock.monotonicMs() - olderSinceMs < LAG_MS_MAX) {
        loop.wakeAfter(OLDER_READ_MS);
        return;
      }
      if (read.revision > 0) {
        const params = { asset: `${bucket}/${key}`, before: seen.revision, after: read.revision };
        guarded(runtime.log, observer.trouble, zesterError('BUS_STORE_WENT_BACK', params));
      }
    }
    olderSinceMs = undefined;
    if (seen?.revision !== read.revision || seen.found !== read.found) {
      seen = read;
      guarded(runtime.log, observer.changed, read);
    }
    guarded(runtime.log, observer.replayed, undefined);
    const againMs = signals.readAgainAfterMs(read.revision);
    if (againMs !== undefined) loop.wakeAfter(againMs);
  }

  return {
    stop() {
      signals.stop();
      loop.stop();
    },
  };
}
