/**
 * Watch signals wake a watch: hints from the server, a new connection, and its own timer. They also keep it honest about
 * replicas: a read that is older than the hint says is repeated, a bounded number of times, because a hint is not proof
 * (in the peels' account anyone can forge one) and the next resync comes anyway.
 */
import { periodic } from '../../runtime/periodic.ts';
import { SEQUENCE_HEADER } from '../../wire/names/headers.ts';
import { hintSubject } from '../../wire/names/store-subjects.ts';
import type { BusParts } from '../bus-parts.ts';
import type { RawMessage } from '../connection.ts';

const RESYNC_SPREAD = 0.2;
const LAGGING_READS_MAX = 6;
const LAGGING_MS = 100;

export interface WatchSignals {
  /** Milliseconds until the next try, when a read gave a state older than the newest hint; undefined when it is fine. */
  readAgainAfterMs(revision: number): number | undefined;
  stop(): void;
}

export interface WatchSignal {
  /** The store behind the connection may be another one. */
  readonly reconnected: boolean;
  /** The hint, when it was one. */
  readonly hint?: RawMessage;
}

/** Calls `wake` for every signal. */
export function watchSignals(
  parts: BusParts,
  bucket: string,
  filter: string,
  wake: (signal: WatchSignal) => void,
): WatchSignals {
  let hinted = 0;
  let lagging = 0;

  const hints = parts.connection.subscribe(hintSubject(bucket, filter), undefined, (message) => {
    const sequence = Number(message.headers.get(SEQUENCE_HEADER) ?? 0);
    if (sequence > hinted) hinted = sequence;
    lagging = 0;
    wake({ reconnected: false, hint: message });
  });
  const statuses = parts.connection.onStatus((status) => {
    // A new connection may lead to a store that lost writes: what was hinted before it proves nothing any more.
    if (status !== 'connected') return;
    hinted = 0;
    wake({ reconnected: true });
  });
  const resyncs = periodic(
    parts.runtime,
    { what: 'resync of a watch', everyMs: parts.resyncMs, spread: RESYNC_SPREAD },
    () => wake({ reconnected: false }),
  );

  return {
    readAgainAfterMs(revision) {
      if (revision >= hinted) return undefined;
      if (lagging >= LAGGING_READS_MAX) {
        // Nothing of the kind is there: forged, or about a message that is gone. It must not be believed any longer.
        hinted = revision;
        return undefined;
      }
      lagging += 1;
      return LAGGING_MS * lagging;
    },
    stop() {
      resyncs.stop();
      statuses.unsubscribe();
      hints.unsubscribe();
    },
  };
}
