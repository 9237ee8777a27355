/** These functions look at the directories above a path: there, to be made, or missing. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { withDefault } from '../../core/params/params.ts';
import { parentOf } from '../../system/file-path.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { FileOwner, ReadFiles } from '../../system/files.ts';
import { kindText } from './place.ts';

export const PARENT_MODE = 0o755;

export const MAKEDIRS_PARAMS = {
  makedirs: withDefault('boolean', false, {
    doc: 'Make missing directories above it, mode 0755 and with the same owner. Otherwise they are an error.',
  }),
};

export interface ParentOptions {
  readonly makedirs: boolean;
  /** Of directories that are made; 0755 when not given. */
  readonly mode?: number | undefined;
  readonly owner?: FileOwner;
}

/** The steps that make the missing directories above `path`, the highest first. Only to be asked where `path` is absent. */
export async function parentSteps(
  path: string,
  { makedirs, mode = PARENT_MODE, owner = {} }: ParentOptions,
  files: ReadFiles,
): Promise<readonly FileStep[]> {
  const missing: string[] = [];
  let directory = parentOf(path);
  while (!(await isDirectory(directory, files))) {
    if (!makedirs) throw zesterError('FILE_PARENT_MISSING', { parent: directory, path });
    missing.unshift(directory);
    directory = parentOf(directory);
  }
  return missing.map((parent) => ({ kind: 'make-directory', path: parent, mode, owner }));
}

/** False where nothing is. Ends at the root, which is a directory. */
async function isDirectory(path: string, files: ReadFiles): Promise<boolean> {
  const kind = (await files.stat(path))?.kind;
  if (kind === 'directory') return true;
  if (kind === undefined && (await files.lstat(path)) === undefined) return false;
  const found = kind === undefined ? 'a link to nothing' : kindText(kind);
  throw zesterError('FILE_OBSTACLE', { path, found, wanted: 'a directory' });
}
