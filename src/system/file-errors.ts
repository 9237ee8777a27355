/**
 * These functions make failed file calls errors of the registry, with path and cause. What is no failed call passes
 * through: it is a bug.
 */
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { errnoOf, reasonOf } from './errno.ts';
import { checkedPath } from './file-path.ts';

/** Runs a read; nothing at the path is `undefined`, any other failure throws. */
export async function reading<T>(
  operation: string,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  const at = checkedPath(path);
  try {
    return await work(at);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw failed('FILE_READ_FAILED', operation, at, error);
  }
}

/** Runs a change; any failure throws. */
export async function writing<T>(
  operation: string,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const at = checkedPath(path);
  try {
    return await work(at);
  } catch (error) {
    throw failed('FILE_WRITE_FAILED', operation, at, error);
  }
}

/** The answer of a call, or undefined when nothing was at its path. */
export async function ifPresent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT' && !isZesterError(error);
}

function failed(
  code: 'FILE_READ_FAILED' | 'FILE_WRITE_FAILED',
  operation: string,
  path: string,
  cause: unknown,
): unknown {
  const errno = errnoOf(cause);
  if (errno === undefined || isZesterError(cause)) return cause;
  return zesterError(code, { operation, path, reason: reasonOf(cause, errno), errno }, { cause });
}
