/**
 * The local tree is a state tree that is a directory of this machine. A path stays inside: `..` is refused, and so is a
 * link that leads out of the directory, because whoever writes state files need not be allowed to read everything that
 * the peel can.
 *
 * Between the look at a link and the read somebody could swap it. Whoever can do that writes in the directory of state
 * files, and so decides what the peel runs anyway. For the same reason a file that the list of the tree has seen as such, with no
 * link on the way to it, is read without looking again.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import type { StateTree } from '../../core/states/state-tree.ts';
import type { ReadFiles, WalkEntry } from '../../system/files.ts';

/** A state file or a source. What is larger belongs in a package or an archive. */
export const TREE_FILE_BYTES_MAX = 16 * 1024 * 1024;
/** Files of a tree. */
const TREE_ENTRIES_MAX = 20_000;

/** `where` is what people are told; a mirrored tree has a name of its own for each revision. */
export function localTree(files: ReadFiles, directory: string, where: string = directory): StateTree {
  let root: Promise<string> | undefined;
  let listing: Promise<Listing> | undefined;
  const realRoot = () => (root ??= files.realPath(directory).then((path) => path ?? directory));

  async function readBytes(path: string): Promise<Uint8Array | undefined> {
    const refuse = () => zesterError('STATE_TREE_PATH', { path, tree: where });
    if (!isInside(path)) throw refuse();
    const full = `${await realRoot()}/${path}`;
    // Whoever asked for the list hears why there is none.
    const listed = await listing?.catch(() => undefined);
    if (listed?.plain.has(path)) return files.read(full, { bytesMax: TREE_FILE_BYTES_MAX });
    const there = await statWithin(files, full);
    if (there?.kind !== 'file') return undefined;
    const real = await files.realPath(full);
    if (real === undefined) return undefined;
    if (!real.startsWith(`${await realRoot()}/`)) throw refuse();
    return files.read(real, { bytesMax: TREE_FILE_BYTES_MAX });
  }

  return {
    where,
    readBytes,
    async readText(path) {
      const bytes = await readBytes(path);
      if (bytes === undefined) return undefined;
      const text = Buffer.from(bytes).toString('utf8');
      if (!Buffer.from(text).equals(bytes)) throw zesterError('STATE_FILE_TEXT', { path });
      return text;
    },
    async list() {
      listing ??= listTree(files, realRoot);
      return (await listing).names;
    },
  };
}

interface Listing {
  /** What a list of files shows: nothing hidden, no place that another program uses for itself. */
  readonly names: readonly string[];
  /** Paths of files that are no links and are not behind one. */
  readonly plain: ReadonlySet<string>;
}

async function listTree(files: ReadFiles, realRoot: () => Promise<string>): Promise<Listing> {
  const entries = (await files.walk(await realRoot(), { entriesMax: TREE_ENTRIES_MAX })) ?? [];
  const pathsOf = (some: readonly WalkEntry[]) => some.map(({ path }) => path);
  const shown = entries.filter(({ path, stat }) => stat.kind !== 'directory' && !/(?:^|\/)\./.test(path));
  return {
    names: pathsOf(shown).sort(),
    plain: new Set(pathsOf(entries.filter(({ stat }) => stat.kind === 'file'))),
  };
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
