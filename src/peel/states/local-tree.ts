/**
 * The local tree is a state tree that is a directory of this machine. A path stays inside: `..` is refused, and so is a
 * link that leads out of the directory, because whoever writes state files need not be allowed to read everything that
 * the peel can.
 *
 * Between the look at a link and the read somebody could swap it. Whoever can do that writes in the directory of state
 * files, and so decides what the peel runs anyway.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import type { ReadFiles } from '../../system/files.ts';

/** A state file or a source. What is larger belongs in a package or an archive. */
export const TREE_FILE_BYTES_MAX = 16 * 1024 * 1024;
/** Files of a tree. */
const TREE_ENTRIES_MAX = 20_000;

export function localTree(files: ReadFiles, directory: string): StateTree {
  let root: Promise<string> | undefined;
  let names: Promise<readonly string[]> | undefined;
  const realRoot = () => (root ??= files.realPath(directory).then((path) => path ?? directory));

  async function readBytes(path: string): Promise<Uint8Array | undefined> {
    const refuse = () => zesterError('STATE_TREE_PATH', { path, tree: directory });
    if (!isInside(path)) throw refuse();
    const full = `${await realRoot()}/${path}`;
    const there = await statWithin(files, full);
    if (there?.kind !== 'file') return undefined;
    const real = await files.realPath(full);
    if (real === undefined) return undefined;
    if (!real.startsWith(`${await realRoot()}/`)) throw refuse();
    return files.read(real, { bytesMax: TREE_FILE_BYTES_MAX });
  }

  return {
    where: directory,
    readBytes,
    async readText(path) {
      const bytes = await readBytes(path);
      if (bytes === undefined) return undefined;
      const text = Buffer.from(bytes).toString('utf8');
      if (!Buffer.from(text).equals(bytes)) throw zesterError('STATE_FILE_TEXT', { path });
      return text;
    },
    list: () => (names ??= listFiles(files, realRoot)),
  };
}

/** Names that a list of files shows: nothing hidden, no place that another program uses for itself. */
async function listFiles(files: ReadFiles, realRoot: () => Promise<string>): Promise<readonly string[]> {
  const entries = await files.walk(await realRoot(), { entriesMax: TREE_ENTRIES_MAX });
  return (entries ?? [])
    .filter(({ path, stat }) => stat.kind !== 'directory' && !/(?:^|\/)\./.test(path))
    .map(({ path }) => path)
    .sort();
}

function isInside(path: string): boolean {
  if (path === '' || path.startsWith('/') || path.includes('\0')) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** A file where a directory would have to be means that there is no such path. */
async function statWithin(files: ReadFiles, path: string) {
  try {
    return await files.stat(path);
  } catch (error) {
    if (isNotDirectory(error)) return undefined;
    throw error;
  }
}

function isNotDirectory(error: unknown): boolean {
  const params = (error as { readonly params?: Readonly<Record<string, unknown>> }).params;
  return params?.errno === 'ENOTDIR';
}
