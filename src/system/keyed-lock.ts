/**
 * `KeyedLock` is a keyed mutex: one holder at a time for each key, in the order of asking. In this process only.
 *
 * Safety: the next holder starts after the last one's promise has settled, failed or not. Liveness: as long as the
 * work of every holder ends. Over `WAITERS_MAX` waiters for one key the call is refused, so that a holder that never
 * ends is noticed instead of filling the memory.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import { plainPath } from '../core/plain-path.ts';

export const WAITERS_MAX = 10_000;

export type KeyedLock = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function keyedLock(): KeyedLock {
  const queues = new Map<string, { tail: Promise<unknown>; size: number }>();

  return async (key, work) => {
    const queue = queues.get(key) ?? { tail: Promise.resolve(), size: 0 };
    if (queue.size > WAITERS_MAX) throw zesterError('FILE_LOCK_CROWDED', { path: key, max: WAITERS_MAX });
    queues.set(key, queue);
    queue.size++;
    const mine = queue.tail.then(work);
    // The next in the queue waits for the end of this one, whatever the end is.
    queue.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      queue.size--;
      if (queue.size === 0) queues.delete(key);
    }
  };
}

/**
 * Works while it holds the locks of several paths. Every holder takes them in the same order, so none waits for one that
 * waits for it. Paths are written as the lock compares them: taking one twice would wait for ever.
 */
export function underLocks<T>(paths: readonly string[], lock: KeyedLock, work: () => Promise<T>): Promise<T> {
  const inOrder = [...new Set(paths.map(plainPath))].sort();
  return inOrder.reduceRight((inner, path) => () => lock(path, inner), work)();
}
