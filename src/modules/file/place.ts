/**
 * `filePlaceOf` finds where the path of a state leads, and what stands there. Every other file of this family asks here
 * first.
 *
 * Links: a file or directory behind a link is managed as if it stood at the path, as Salt does, so that /etc/resolv.conf
 * works. But a link of somebody who does not own what it points to is refused: its owner could make the peel, which is
 * root, write into a file of root.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { required } from '../../core/params/params.ts';
import { checkedPath } from '../../system/file-path.ts';
import type { FileKind, FileStat, ReadFiles } from '../../system/files.ts';

export const PATH_PARAMS = {
  name: required('string', { primary: true, aliases: ['path'], doc: 'Where it is: an absolute path.' }),
};

export interface FilePlace {
  /** Behind links; what steps work on. */
  readonly path: string;
  /** Undefined where nothing is. Never a link. */
  readonly there: FileStat | undefined;
}

/** One lstat where no link is in the way. Throws where something else stands than what is wanted. */
export async function filePlaceOf(
  name: string,
  wanted: 'file' | 'directory',
  files: ReadFiles,
): Promise<FilePlace> {
  const path = checkedPlainPath(name);
  const there = await files.lstat(path);
  if (there?.kind === 'symlink') return behindLink(path, there, wanted, files);
  refuseOther(path, there, wanted);
  return { path, there };
}

/** Without slashes at its end or twice. Throws for what is no path. */
export function checkedPlainPath(name: string): string {
  return checkedPath(name).replace(/\/+/g, '/');
}

const KINDS: Readonly<Record<FileKind, string>> = {
  file: 'a file',
  directory: 'a directory',
  symlink: 'a link',
  other: 'a device, pipe or socket',
};

export function kindText(kind: FileKind): string {
  return KINDS[kind];
}

async function behindLink(
  link: string,
  { uid }: FileStat,
  wanted: FileKind,
  files: ReadFiles,
): Promise<FilePlace> {
  const path = await files.realPath(link);
  const there = path === undefined ? undefined : await files.lstat(path);
  if (path === undefined || there === undefined)
    throw zesterError('FILE_OBSTACLE', { path: link, found: 'a link to nothing', wanted: kindText(wanted) });
  if (uid !== ROOT && uid !== there.uid)
    throw zesterError('FILE_IS_LINK', { path: link, operation: 'follow what another user made' });
  refuseOther(path, there, wanted);
  return { path, there };
}

const ROOT = 0;

function refuseOther(path: string, there: FileStat | undefined, wanted: FileKind): void {
  if (there === undefined || there.kind === wanted) return;
  throw zesterError('FILE_OBSTACLE', { path, found: kindText(there.kind), wanted: kindText(wanted) });
}
