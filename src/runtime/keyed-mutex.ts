/**
 * A keyed mutex lets in, for each key, one piece of work at a time, in the order of asking; different keys do not wait
 * for each other. In this process only.
 *
 * Safety: the next one starts after the promise of the last one has settled, failed or not. Liveness: as long as every
 * piece of work ends, and none asks for a key that it holds. Keys at which nothing works are forgotten.
 * Bound: with a `limit`, a call that finds `waitersMax` waiting for its key is refused, so that work that never ends is
 * noticed instead of filling the memory; without one, whoever calls bounds how many wait.
 */
import { Semaphore } from './semaphore.ts';

export interface WaitersLimit<Key> {
  readonly waitersMax: number;
  /** What a call that is refused rejects with. */
  readonly refusal: (key: Key, waitersMax: number) => Error;
}

export class KeyedMutex<Key> {
  private readonly limit: WaitersLimit<Key> | undefined;
  private readonly held = new Map<Key, Semaphore>();

  constructor(limit?: WaitersLimit<Key>) {
    this.limit = limit;
  }

  /** Something works under the key. */
  isHeld(key: Key): boolean {
    return this.held.has(key);
  }

  /** Rejects with the reason of `leaving` when that aborts before its turn; then `work` is not begun. */
  async run<T>(key: Key, work: () => Promise<T>, leaving?: AbortSignal): Promise<T> {
    leaving?.throwIfAborted();
    const mutex = this.held.get(key) ?? new Semaphore(1);
    const { limit } = this;
    if (limit !== undefined && mutex.waiting >= limit.waitersMax) throw limit.refusal(key, limit.waitersMax);
    this.held.set(key, mutex);
    try {
      return await mutex.run(work, leaving);
    } finally {
      if (mutex.busy === 0 && this.held.get(key) === mutex) this.held.delete(key);
    }
  }
}
