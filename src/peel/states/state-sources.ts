/**
 * Finds the directory that the states of the next run come from: the cache of published files when it has any, else the
 * directory that the machine was built with. Asked anew before every run, so that a peel that started before its files
 * came uses them as soon as they are there.
 *
 * The cache is replaced by renaming directories, and for a moment in between it is not there. So an empty cache is looked
 * at again a few times before the other directory is taken, and then there is a warning.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { ReadFiles } from '../../system/files.ts';

export const CACHE_LOOKS = 5;
export const CACHE_LOOK_MS = 25;

export interface StateSources {
  /** Filled by the cache of published files; undefined when this peel has none. */
  readonly cacheDir: string | undefined;
  readonly bakedDir: string | undefined;
}

export interface SourceLook {
  readonly files: ReadFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** Throws STATES_UNAVAILABLE when there is neither. */
export async function findStatesDir(sources: StateSources, look: SourceLook): Promise<string> {
  const { cacheDir, bakedDir } = sources;
  if (cacheDir !== undefined && (await fillsSoon(cacheDir, look))) return cacheDir;
  if (bakedDir === undefined || !(await isDirectory(look.files, bakedDir)))
    throw zesterError('STATES_UNAVAILABLE', {});
  if (cacheDir !== undefined)
    look.log.warn('state-file cache dir empty or missing after retries, falling back to baked states dir', {
      cache: cacheDir,
      states: bakedDir,
    });
  return bakedDir;
}

async function fillsSoon(cacheDir: string, { files, clock }: SourceLook): Promise<boolean> {
  for (let looks = 1; ; looks++) {
    if (await hasFiles(files, cacheDir)) return true;
    if (looks >= CACHE_LOOKS) return false;
    await sleep(clock, CACHE_LOOK_MS);
  }
}

async function hasFiles(files: ReadFiles, dir: string): Promise<boolean> {
  return (await isDirectory(files, dir)) && ((await files.list(dir))?.length ?? 0) > 0;
}

async function isDirectory(files: ReadFiles, dir: string): Promise<boolean> {
  return (await files.stat(dir))?.kind === 'directory';
}
