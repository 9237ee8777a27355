/**
 * The directory lock lets one Zester at a time use a directory: one supervisor a nats-server's store, one peel its data
 * directory. nats-server has no lock of its own: a second one on the same store starts happily and destroys it
 * (reference/nats.md, section 3).
 *
 * The lock is the kernel's, flock(2) on the file `lock` in the directory (or one of another name, for a part of the work there). Safety: the kernel gives it to one open file.
 * Liveness: it ends with the last descriptor of that file, which is ours alone (Node opens everything close-on-exec), so
 * however we die nothing stale is left to judge. Nobody else can take it first: only the owner can open the file (0600).
 * It is the same file by whatever path or from whatever container; deleting it while it is held would end what it
 * protects. Decision 112 says why it is not a socket.
 *
 * Node cannot call flock(2). The program flock(1) can, on a descriptor that it inherits: the lock belongs to the open
 * file, not to the process, so it stays when that program has ended and its descriptor is still open here.
 *
 * The holder writes down who it is. That is for messages and for `zester down`: it is believed only while the very
 * process (boot, pid and start time) is alive, and never decides who has the lock.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, fchmodSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type ZesterError, zesterError } from '../core/errors/zester-error.ts';
import { type Clock, sleep } from '../runtime/clock.ts';
import { formatRfc3339, nanosFromMs } from '../wire/msgpack/time.ts';
import { isSameProcess, type ProcessIdentity, processIdentity, worldOfPids } from './process-table.ts';

export interface DirectoryLock {
  release(): void;
}

export interface LockHolder extends ProcessIdentity {
  readonly since: string;
}

/** Of the whole directory; a directory may have others, for parts of what is done in it. */
const NAME = 'lock';
const OWNER_ONLY = 0o600;
/** The descriptor's number in flock(1). */
const INHERITED_FD = 3;
/** Exit code of flock(1) when somebody else has the lock. */
const LOCKED_ELSEWHERE = 1;
/** A holder writes its name right after it has the lock. */
const NAME_TRIES_MAX = 5;
const NAME_RETRY_MS = 100;

/** Takes the lock at once, or throws what `inUse` makes of its holder, if that is known. The directory must be there. */
export async function lockDirectory(
  clock: Clock,
  dir: string,
  inUse: (holder: { readonly pid: number | 'unknown'; readonly since: string }) => ZesterError,
  name = NAME,
): Promise<DirectoryLock> {
  const fd = openLockFile(dir, name);
  try {
    if (await isTaken(fd, dir)) throw inUse((await namedHolder(clock, dir, name)) ?? UNKNOWN);
    const since = formatRfc3339(nanosFromMs(clock.nowMs()));
    ftruncateSync(fd);
    const holder = { ...processIdentity(process.pid), boot: worldOfPids(), since };
    writeSync(fd, `${JSON.stringify(holder)}\n`, 0);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { release: () => closeSync(fd) };
}

const UNKNOWN = { pid: 'unknown', since: 'unknown' } as const;

/** Who holds the directory, by its own word, if that process is alive. */
export function lockHolder(dir: string, name = NAME): LockHolder | undefined {
  let text: string;
  try {
    text = readFileSync(join(dir, name), 'utf8');
  } catch (error) {
    // Not there, or below something that is no directory: nobody can hold it.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  const holder = parseHolder(text);
  return holder !== undefined && isSameProcess(holder) ? holder : undefined;
}

function openLockFile(dir: string, name: string): number {
  const path = join(dir, name);
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, OWNER_ONLY);
    fchmodSync(fd, OWNER_ONLY);
    return fd;
  } catch (cause) {
    throw zesterError('LOCK_UNUSABLE', { path, reason: (cause as Error).message }, { cause });
  }
}

async function isTaken(fd: number, dir: string): Promise<boolean> {
  const flock = spawn('flock', ['-x', '-n', String(INHERITED_FD)], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  try {
    const [code] = (await once(flock, 'exit')) as [number | null];
    if (code === 0 || code === LOCKED_ELSEWHERE) return code !== 0;
    throw zesterError('LOCK_UNUSABLE', { path: join(dir, NAME), reason: `flock ended with ${code}` });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw zesterError('LOCK_NO_FLOCK', { dir }, { cause });
  }
}

async function namedHolder(clock: Clock, dir: string, name: string): Promise<LockHolder | undefined> {
  for (let tries = 1; ; tries++) {
    const holder = lockHolder(dir, name);
    if (holder !== undefined || tries >= NAME_TRIES_MAX) return holder;
    await sleep(clock, NAME_RETRY_MS);
  }
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, startTicks, boot, since } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isWhole = Number.isSafeInteger(pid) && typeof startTicks === 'string' && typeof since === 'string';
    // Of another boot it says nothing about who has that pid now.
    return isWhole && boot === worldOfPids() ? { pid: pid as number, startTicks, since } : undefined;
  } catch {
    // It is just being written.
    return undefined;
  }
}
