/**
 * `MirrorsAccess` is what execution functions see of the published files that a peel mirrors. The mirrors themselves belong
 * to the peel; here is only what `files.*` asks of them.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { FilesDifference } from '../../wire/records/fileserver.ts';

/** File sets that a peel mirrors. */
export const MIRRORED_SETS = ['states', 'settings'] as const;

export type MirroredSet = (typeof MIRRORED_SETS)[number];

export interface MirrorsAccess {
  /** From what is published to what is on this disk, file by file. Throws where this peel mirrors nothing. */
  difference(set: MirroredSet): Promise<FilesDifference>;
}

/** For a peel without mirrors, and for a call without masters. */
export const NO_MIRRORS: MirrorsAccess = {
  difference: async (set) => {
    throw zesterError('MIRROR_NONE', { set });
  },
};
