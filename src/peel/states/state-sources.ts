/**
 * Finds the directory that the states of the next run come from: the mirror of published files when it has any, else the
 * directory that the machine was built with. Asked anew for every request, so that a peel that started before its files
 * came uses them as soon as they are there. The mirror catches up first: who publishes and then runs, runs what was published.
 *
 * A mirror that cannot be a link is without a usable tree for a moment while its files are replaced, and one that is made
 * for the first time has none yet. So an empty mirror is looked at again a few times before the other directory is taken,
 * and then there is a warning.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { PinnedTree } from '../../mirror/tree-store.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { ReadFiles } from '../../system/files.ts';

export const CACHE_LOOKS = 5;
export const CACHE_LOOK_MS = 25;

export interface StateSources {
  /** Undefined when this peel has none. */
  readonly mirror: MirroredFiles | undefined;
  readonly bakedDir: string | undefined;
}

/** A mirror of published files as its readers see it. */
export interface MirroredFiles {
  /** Where it is, for people. */
  readonly cache: string;
  /** Undefined when there is no tree that may be used. */
  pin(): Promise<PinnedTree | undefined>;
  /** Fetches what is published by now; says why the newest may not be here (mirror/mirror-set.ts). */
  catchUp(): Promise<string>;
}

export interface SourceLook {
  readonly files: ReadFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** A directory of state files that stays as it is until it is released. */
export interface FoundStates {
  readonly directory: string;
  /** For people: a mirror has one name, whichever tree it leads to. */
  readonly where: string;
  /** 0: these are no published files. */
  readonly revision: number;
  /** Why they may not be the newest; empty when nothing is wrong. */
  readonly note: string;
  release(): void;
}

/** Throws STATES_UNAVAILABLE when there is neither. */
export async function findStates(sources: StateSources, look: SourceLook): Promise<FoundStates> {
  const { mirror, bakedDir } = sources;
  const note = (await mirror?.catchUp()) ?? '';
  const pinned = mirror === undefined ? undefined : await pinSoon(mirror, look);
  if (mirror !== undefined && pinned !== undefined) return { ...pinned, where: mirror.cache, note };
  if (bakedDir === undefined || !(await isDirectory(look.files, bakedDir)))
    throw zesterError('STATES_UNAVAILABLE', {});
  if (mirror !== undefined)
    look.log.warn('state-file cache dir empty or missing after retries, falling back to baked states dir', {
      cache: mirror.cache,
      states: bakedDir,
    });
  return { directory: bakedDir, where: bakedDir, revision: 0, note, release: () => undefined };
}

async function pinSoon(mirror: MirroredFiles, look: SourceLook): Promise<PinnedTree | undefined> {
  for (let looks = 1; ; looks++) {
    const pinned = await mirror.pin();
    if (pinned !== undefined && (await hasFiles(look.files, pinned.directory))) return pinned;
    pinned?.release();
    if (looks >= CACHE_LOOKS) return undefined;
    await sleep(look.clock, CACHE_LOOK_MS);
  }
}

/** The mirror's own record is hidden, and no file of the set. */
async function hasFiles(files: ReadFiles, directory: string): Promise<boolean> {
  const names = (await files.list(directory)) ?? [];
  return names.some((name) => !name.startsWith('.'));
}

async function isDirectory(files: ReadFiles, dir: string): Promise<boolean> {
  return (await files.stat(dir))?.kind === 'directory';
}
