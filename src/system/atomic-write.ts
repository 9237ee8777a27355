/**
 * `writeAtomic` replaces a file as a whole.
 *
 * Safety: the new content is complete, owned and synced before it gets the name, and rename(2) is one step; so every
 * reader and every crash sees old or new. The temporary file is created new (O_EXCL, a random name) with mode 0600 in
 * the same directory: nobody can read a secret early, and a planted link is not followed. The directory is synced
 * last; only then is the write reported.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Random } from '../runtime/random.ts';
import { Errno, errnoOf } from './errno.ts';
import { type FileCalls, type OpenFile, syncDirectory } from './file-calls.ts';
import { ifPresent } from './file-errors.ts';
import { inDirectory, parentOf } from './file-path.ts';
import type { FileStat, WriteOptions } from './files.ts';

const NEW_FILE_MODE = 0o600;
const TEMPORARY_NAME_TRIES = 8;

export async function writeAtomic(
  calls: FileCalls,
  random: Random,
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<void> {
  const target = options.followLink === true ? await linkTarget(calls, path) : path;
  const existing = await ifPresent(calls.lstat(target));
  if (existing !== undefined) refuseUnlessFile(existing, target);

  const directory = parentOf(target);
  const temporary = await createTemporary(random, directory, (at) => calls.open(at, 'create'));
  try {
    await fill(temporary.made, bytes, existing, options);
    await calls.rename(temporary.path, target);
  } catch (error) {
    await discardTemporary(calls, temporary.path);
    throw error;
  }
  if (options.skipSync !== true) await syncDirectory(calls, directory);
}

/** Makes something under a fresh temporary name. A name left by an earlier crash is met only by a seeded Random. */
export async function createTemporary<T>(
  random: Random,
  directory: string,
  make: (path: string) => Promise<T>,
): Promise<{ readonly path: string; readonly made: T }> {
  for (let tries = 1; ; tries++) {
    const hex = Buffer.from(random.bytes(8)).toString('hex');
    const path = inDirectory(directory, `.zester-${hex}.tmp`);
    try {
      return { path, made: await make(path) };
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST' || tries === TEMPORARY_NAME_TRIES) throw error;
    }
  }
}

/** Best effort: the failure that made the file useless is the one to report, not that it could not be removed. */
export async function discardTemporary(calls: FileCalls, path: string): Promise<void> {
  await calls.unlink(path).catch(() => undefined);
}

/** The file a path leads to, through any links. A path where nothing is leads to itself. */
async function linkTarget(calls: FileCalls, path: string): Promise<string> {
  const target = await ifPresent(calls.realPath(path));
  if (target !== undefined) return target;
  if ((await ifPresent(calls.lstat(path))) === undefined) return path;
  throw new Errno('ENOENT', 'the link points to nothing');
}

function refuseUnlessFile(existing: FileStat, path: string): void {
  if (existing.kind === 'symlink') throw zesterError('FILE_IS_LINK', { path, operation: 'write' });
  if (existing.kind === 'directory') throw new Errno('EISDIR');
  // A rename would put a plain file where /dev/null was.
  if (existing.kind === 'other') throw new Errno('EINVAL', 'not a regular file');
}

/** Content, owner, mode, sync, in this order: chown clears set-uid bits, and the sync must cover all of it. */
async function fill(
  file: OpenFile,
  bytes: Uint8Array,
  existing: FileStat | undefined,
  options: WriteOptions,
): Promise<void> {
  try {
    await file.write(bytes);
    const now = await file.stat();
    const uid = options.uid ?? existing?.uid ?? now.uid;
    const gid = options.gid ?? existing?.gid ?? now.gid;
    if (uid !== now.uid || gid !== now.gid) await file.chown(uid, gid);
    await file.chmod(options.mode ?? existing?.mode ?? NEW_FILE_MODE);
    if (options.skipSync !== true) await file.sync();
  } finally {
    await file.close();
  }
}
