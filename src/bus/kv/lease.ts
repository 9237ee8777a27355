/**
 * A lease has at most one holder at a time, as long as clocks run at about the same speed. Whoever creates the key
 * holds it, renews it by compare-and-set, and loses it when the bucket's TTL takes the key away.
 *
 * Safety: the store allows one writer per revision, so two can never renew the same lease. But a holder that is cut off
 * does not know at once that the key has expired: it stops calling itself the holder well before that, counted from the
 * *start* of its last good renewal on its own monotonic clock. A process that is frozen between asking and acting still
 * acts once more after it wakes, so a lease only saves double work; what must not happen twice is fenced at the resource
 * with `revision` (fenced-write.ts).
 * Liveness: the key expires one TTL after the holder dies, everyone else tries every few seconds. A holder that stops
 * gives the key back, fenced on its last revision, so that it can never delete a successor's lease; who hears of it may
 * `hurry`.
 */
import type { Timer } from '../../runtime/clock.ts';
import { guarded } from '../../runtime/guarded.ts';
import { jitter } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Bucket } from '../port.ts';

export interface LeaseOptions {
  readonly bucket: Bucket;
  readonly key: string;
  /** Written as the value; tells others who holds it. Unique to this process: who has the name takes the lease back. */
  readonly holder: string;
  /** The bucket's TTL. */
  readonly ttlMs: number;
  readonly runtime: Runtime;
  /** Called at each change, also when the lease was lost. */
  readonly onChange?: (held: boolean) => void;
}

export interface Lease {
  held(): boolean;
  /** Fencing token: grows with every holder; undefined when not held. */
  revision(): number | undefined;
  /** The lease may be free: tries now instead of in a few seconds. */
  hurry(): void;
  /** Gives the lease back if held, and stops trying. */
  stop(): Promise<void>;
}

const encoder = new TextEncoder();

export function holdLease(options: LeaseOptions): Lease {
  const { bucket, key, runtime, ttlMs } = options;
  const { clock, random, log } = runtime;
  const renewMs = ttlMs / 3;
  const giveUpMs = (ttlMs * 2) / 3;
  const value = encoder.encode(options.holder);
  let revision: number | undefined;
  /** On the monotonic clock: a process that was frozen must not believe what it knew before. */
  let heldUntilMs = Number.NEGATIVE_INFINITY;
  /** What we wrote last, held or not any more. */
  let written: number | undefined;
  let next: Timer | undefined;
  let expiry: Timer | undefined;
  let trying: Promise<void> = Promise.resolve();
  let isTrying = false;
  let stopped = false;

  function setHeld(now: number | undefined): void {
    const changed = (revision === undefined) !== (now === undefined);
    revision = now;
    if (!changed) return;
    log.info(now === undefined ? 'lease lost' : 'lease held', { lease: key, holder: options.holder });
    guarded(log, options.onChange, now !== undefined);
  }

  async function tryOnce(): Promise<void> {
    try {
      if (await write(revision)) return;
      // Beaten, or an earlier write of ours took hold after all and only its answer was lost: the name tells.
      const now = await bucket.getLatest(key);
      const ours = now.found && Buffer.from(now.value).equals(value);
      if (ours && (await write(now.revision))) return;
      setHeld(undefined);
    } catch (error) {
      // Not known whether it was renewed: `expiry` ends our claim in time.
      log.debug('lease not renewed', { lease: key, error });
    }
  }

  /** Takes or renews the lease; true when we hold it now. */
  async function write(over: number | undefined): Promise<boolean> {
    const startedMs = clock.monotonicMs();
    const outcome =
      over === undefined ? await bucket.create(key, value) : await bucket.update(key, value, over);
    const leftMs = giveUpMs - (clock.monotonicMs() - startedMs);
    if (!outcome.won) return false;
    written = outcome.revision;
    // An answer that took so long that the key may have expired meanwhile is no answer.
    if (leftMs <= 0 || stopped) return stopped;
    heldUntilMs = startedMs + giveUpMs;
    expiry?.cancel();
    expiry = clock.after(leftMs, () => setHeld(undefined));
    setHeld(outcome.revision);
    return true;
  }

  function begin(): void {
    isTrying = true;
    trying = tryOnce().finally(() => {
      isTrying = false;
      if (!stopped) next = clock.after(jitter(random, renewMs, 0.1), begin);
    });
  }

  const held = (): boolean => revision !== undefined && clock.monotonicMs() < heldUntilMs;
  begin();

  return {
    held,
    revision: () => (held() ? revision : undefined),
    hurry() {
      if (stopped || isTrying || held()) return;
      next?.cancel();
      begin();
    },
    async stop() {
      stopped = true;
      next?.cancel();
      await trying;
      next?.cancel();
      expiry?.cancel();
      setHeld(undefined);
      if (written === undefined) return;
      // Fenced on what we wrote last: a successor's lease has another revision and stays.
      await bucket.delete(key, { revision: written }).catch((error: unknown) => {
        log.debug('lease not given back; it expires by itself', { lease: key, error });
      });
    },
  };
}
