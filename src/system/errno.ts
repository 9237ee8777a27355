/**
 * `Errno` is a failed system call, by its name (`EACCES`). Node's errors carry it as `code`; `Errno` is the same for
 * calls that we answer ourselves. They never leave this folder: `file-errors.ts` and `processes-on-calls.ts` turn them
 * into errors of the registry.
 */
import { isZesterError } from '../core/errors/zester-error.ts';

export class Errno extends Error {
  override readonly name = 'Errno';
  readonly code: string;
  readonly reason: string;

  constructor(code: string, reason = textOf(code)) {
    // An answer, not a bug: nobody looks at where it was made, and collecting that is most of its cost.
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(`${code}: ${reason}`);
    Error.stackTraceLimit = frames;
    this.code = code;
    this.reason = reason;
  }
}

/** The name of the failed call's error, also inside an error of the registry; undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (isZesterError(error)) return typeof error.params.errno === 'string' ? error.params.errno : undefined;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && ERRNO.test(code) ? code : undefined;
}

/** Why the call failed, in words: without path and call name, which the message around it gives. */
export function reasonOf(error: unknown, code: string): string {
  return error instanceof Errno ? error.reason : textOf(code);
}

/** Node's own codes (`ERR_INVALID_ARG_TYPE`) have an underscore: those are bugs, not answers of the kernel. */
const ERRNO = /^E[A-Z0-9]+$/;

/** Those a file or program call is likely to meet. */
const TEXTS: Readonly<Record<string, string>> = {
  E2BIG: 'argument list too long',
  EACCES: 'permission denied',
  EAGAIN: 'no process or memory left for now',
  EBUSY: 'in use or a mount point',
  EDQUOT: 'disk quota used up',
  EEXIST: 'something is there already',
  EFBIG: 'file too large',
  EINVAL: 'invalid argument',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'name too long',
  ENFILE: 'too many open files on this machine',
  ENOENT: 'no such file or directory',
  ENOEXEC: 'not a program this machine can run',
  ENOMEM: 'out of memory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  ENOTSUP: 'not supported here',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ESTALE: 'stale network file handle',
  ETXTBSY: 'a running program',
  EXDEV: 'on another file system',
};

function textOf(code: string): string {
  return TEXTS[code] ?? 'the system call failed';
}
