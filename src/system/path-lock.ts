/**
 * A path lock has one holder at a time for each path, in this process only. A keyed mutex that refuses a call with
 * FILE_LOCK_CROWDED when `WAITERS_MAX` wait for one path, so that a holder that never ends is noticed.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import { plainPath } from '../core/plain-path.ts';
import { KeyedMutex } from '../runtime/keyed-mutex.ts';

export const WAITERS_MAX = 10_000;

export type PathLock = <T>(path: string, work: () => Promise<T>) => Promise<T>;

export function pathLock(): PathLock {
  const mutex = new KeyedMutex<string>({
    waitersMax: WAITERS_MAX,
    refusal: (path, max) => zesterError('FILE_LOCK_CROWDED', { path, max }),
  });
  return (path, work) => mutex.run(path, work);
}

/**
 * Works while it holds the locks of several paths. Every holder takes them in the same order, so none waits for one that
 * waits for it. Paths are written as the lock compares them: taking one twice would wait for ever.
 */
export function underLocks<T>(paths: readonly string[], lock: PathLock, work: () => Promise<T>): Promise<T> {
  const inOrder = [...new Set(paths.map(plainPath))].sort();
  return inOrder.reduceRight((inner, path) => () => lock(path, inner), work)();
}
