/**
 * `findSources` settles at the start which directories a master publishes from. One that was named on the command line must
 * be there; a default that is not means that this master publishes nothing of that set. So a disk that is not mounted yet
 * stops the start instead of looking like an empty tree.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { ReadFiles } from '../../system/files.ts';
import type { SourcePlaces } from '../master-ports.ts';

export interface SourceOption {
  readonly path: string;
  /** Named by whoever started the master. */
  readonly isGiven: boolean;
}

export const SOURCE_SETS = ['states', 'settings', 'reactor'] as const;
export type SourceSet = (typeof SOURCE_SETS)[number];
export type SourceOptions = Readonly<Record<SourceSet, SourceOption>>;

/** Paths are absolute by now. */
export async function findSources(
  files: Pick<ReadFiles, 'stat'>,
  options: SourceOptions,
  dataDir: string,
): Promise<SourcePlaces> {
  const found: Partial<Record<SourceSet, string>> = {};
  for (const set of SOURCE_SETS) {
    const { path, isGiven } = options[set];
    const isThere = (await files.stat(path))?.kind === 'directory';
    if (!isThere && isGiven) throw zesterError('MASTER_SOURCE_MISSING', { set, path });
    if (isThere) found[set] = path;
  }
  return { dataDir, ...found };
}
