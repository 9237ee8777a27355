/**
 * The cache keeps a downloaded nats-server: `<cache>/nats-server/nats-server`, one file, put there by rename.
 *
 * Writers: any number of set-ups at the same time, each with its own finished file; the last rename wins and all of
 * them are good. Readers see a whole binary or none, and a server that runs keeps its file when it is replaced.
 * If we die before the rename, nothing is there and a directory `work-<pid>-…` is left, which the next download
 * removes; after the rename there is nothing more to do.
 *
 * Safety: a binary is run only if it belongs to us or to root and no one else may write it, because the last
 * resort is under /tmp, where anybody could have put one before us.
 */
import { accessSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Directories that may hold our cache, best first. A directory that the user names is the only one. */
export function cacheDirs(env: Env): readonly string[] {
  if (env.ZESTER_CACHE_DIR) return [env.ZESTER_CACHE_DIR];
  const dirs: string[] = [];
  if (isUsableBase(env.XDG_CACHE_HOME)) dirs.push(join(env.XDG_CACHE_HOME, 'zester'));
  if (isUsableBase(env.HOME)) dirs.push(join(env.HOME, '.cache', 'zester'));
  dirs.push(join(env.TMPDIR ?? '/tmp', `zester-${ownUid()}`));
  return dirs;
}

/** The first cache directory that we own and can write, created if need be. */
export function writableServerDir(env: Env): string {
  const dirs = cacheDirs(env);
  for (const dir of dirs) {
    const serverDir = join(dir, 'nats-server');
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      mkdirSync(serverDir, { recursive: true, mode: 0o700 });
      if (!isOwnDir(dir) || !isOwnDir(serverDir)) continue;
      accessSync(serverDir, constants.W_OK | constants.X_OK);
      return serverDir;
    } catch {
      // Not writable for us, whatever the reason: the next one may be. All of them are named in the error.
    }
  }
  throw zesterError('SERVER_CACHE_UNUSABLE', { tried: dirs.join(', ') });
}

/** Where the binary of a cache directory is, if it is there and safe to run. */
export function cachedBinary(cacheDir: string): string | undefined {
  const serverDir = join(cacheDir, 'nats-server');
  const path = join(serverDir, 'nats-server');
  try {
    const file = lstatSync(path);
    const safe = isOwnDir(cacheDir) && isOwnDir(serverDir) && isOurs(file.uid) && !isOpenToAll(file.mode);
    return file.isFile() && safe ? path : undefined;
  } catch {
    // Absent or not reachable for us: either way this cache cannot serve, and the download says why if it fails too.
    return undefined;
  }
}

function isUsableBase(base: string | undefined): base is string {
  return base !== undefined && isAbsolute(base) && base !== '/' && base !== '/nonexistent';
}

/** Also when it is a link: then the link too must be ours, or someone could point it elsewhere after we looked. */
function isOwnDir(path: string): boolean {
  const target = statSync(path);
  return (
    isOurs(lstatSync(path).uid) && isOurs(target.uid) && target.isDirectory() && !isOpenToAll(target.mode)
  );
}

function isOurs(uid: number): boolean {
  return uid === 0 || uid === ownUid();
}

function isOpenToAll(mode: number): boolean {
  return (mode & 0o002) !== 0;
}

/** Not `os.userInfo()`: it throws for a user id without an entry in /etc/passwd, as containers have. */
function ownUid(): number {
  return process.getuid?.() ?? -1;
}
