/**
 * Presence knows when each peel was last heard of, from a watch of the heartbeats, so that a dispatch asks nobody. It is a
 * hint for people and a reason to send a request again; nothing is ever decided against a peel by it.
 *
 * Peels write their own key and nobody else's; a value that makes no sense counts as no sign of life, and neither does any of a peel
 * that is shut out. The expiry of a key sends no event, so ages are counted here, on the monotonic clock. Bound: `PEELS_MAX`; peels beyond it have no
 * presence, which costs them nothing but the hint.
 */
import { openTable, type TableRead } from '../../bus/kv/table.ts';
import type { Subscription, Watch } from '../../bus/port.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext, PeelNews } from '../master-context.ts';

const PEELS_MAX = 200_000;
const ONLINE_MS = BUCKETS.peelHeartbeat.ttlMs;
/** Two beats and a half: one lost or late beat is no absence. */
const GAP_MS = 25_000;

interface SeenHeartbeat {
  readonly beat: PeelHeartbeat;
  /** When it was written, on the monotonic clock of this master. */
  readonly seenMs: number;
}

export interface Presence {
  /** Peels without a living heartbeat; none at all while the first reading is not done. */
  offline(peels: readonly PeelId[]): PeelId[];
  /** Age of the newest heartbeat in nanoseconds; undefined when none was seen. */
  ageOf(peel: PeelId): bigint | undefined;
  /** How many peels have a living heartbeat. */
  online(): number;
  /** Newest generation of the fleet key that the last heartbeat confirms, 0 for none; undefined when none was seen. */
  generationOf(peel: PeelId): number | undefined;
  /** Peels with a living heartbeat that have not confirmed this generation of a key. */
  unconfirmed(key: 'fleetGeneration' | 'agentsGeneration', generation: number): PeelId[];
  /** Peels with a living heartbeat. */
  onlinePeels(): PeelId[];
  /** Resolves when everything that was there has been read. */
  start(): Promise<void>;
  stop(): void;
}

export function peelPresence(
  context: Pick<MasterContext, 'bus' | 'runtime' | 'enrollments'>,
  { appeared, shutOutSeen }: Pick<PeelNews, 'appeared' | 'shutOutSeen'>,
): Presence {
  const { clock, log } = context.runtime;
  const seen = new Map<PeelId, SeenHeartbeat>();
  let isReplayed = false;
  let watch: Watch | undefined;
  let news: Subscription | undefined;

  function note(read: TableRead<PeelId, PeelHeartbeat>): void {
    if (read.is !== 'found') return;
    const { id: peel, value: beat } = read;
    if (context.enrollments.isShutOut(peel)) {
      seen.delete(peel);
      shutOutSeen(peel);
      return;
    }
    const before = seen.get(peel);
    if (before === undefined && seen.size >= PEELS_MAX) return;
    const now: SeenHeartbeat = { beat, seenMs: clock.monotonicMs() - ageAtReading(read.writtenMs) };
    seen.set(peel, now);
    if (hasAppeared(before, now)) appeared(peel);
  }

  /** Only what the first reading finds may be old; later ones come as they are written, whatever the clocks say. */
  function ageAtReading(writtenMs: number): number {
    return isReplayed ? 0 : Math.min(Math.max(0, clock.nowMs() - writtenMs), ONLINE_MS);
  }

  function start(): Promise<void> {
    news = context.enrollments.onNews(({ peel }) => {
      if (context.enrollments.isShutOut(peel)) seen.delete(peel);
    });
    return new Promise((resolve) => {
      watch = openTable(context.bus, TABLES.peelHeartbeats).watch({
        changed: note,
        replayed: () => {
          isReplayed = true;
          resolve();
        },
        trouble: (error) => log.warn('heartbeats of peels cannot be read for the moment', { error }),
      });
    });
  }

  function onlinePeels(): PeelId[] {
    const sinceMs = clock.monotonicMs() - ONLINE_MS;
    return [...seen].filter(([, { seenMs }]) => seenMs > sinceMs).map(([peel]) => peel);
  }

  return {
    start,
    offline(peels) {
      if (!isReplayed) return [];
      const sinceMs = clock.monotonicMs() - ONLINE_MS;
      return peels.filter((peel) => (seen.get(peel)?.seenMs ?? Number.NEGATIVE_INFINITY) <= sinceMs);
    },
    online() {
      const sinceMs = clock.monotonicMs() - ONLINE_MS;
      let count = 0;
      for (const { seenMs } of seen.values()) if (seenMs > sinceMs) count += 1;
      return count;
    },
    generationOf: (peel) => seen.get(peel)?.beat.fleetGeneration,
    unconfirmed: (key, generation) =>
      onlinePeels().filter((peel) => (seen.get(peel)?.beat[key] ?? 0) < generation),
    onlinePeels,
    ageOf(peel) {
      const last = seen.get(peel);
      return last === undefined ? undefined : nanosFromMs(clock.monotonicMs() - last.seenMs);
    },
    stop() {
      watch?.stop();
      news?.unsubscribe();
    },
  };
}

/** Whether the peel has come (back): then a target that was silent gets its request again. */
function hasAppeared(before: SeenHeartbeat | undefined, now: SeenHeartbeat): boolean {
  if (before === undefined) return true;
  return before.beat.since !== now.beat.since || now.seenMs - before.seenMs > GAP_MS;
}
