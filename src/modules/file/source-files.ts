/**
 * These functions read a directory as a source: the files in it, by their relative paths, from the state tree or from
 * the machine.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { inDirectory } from '../../system/file-path.ts';
import type { WalkEntry } from '../../system/files.ts';
import type { PlanContext } from '../state-contract.ts';
import { parseFileSource, type Source, sourceMissing } from './source.ts';

export interface SourceFile {
  /** Relative to the source. */
  readonly path: string;
  read(): Promise<Uint8Array>;
}

/** Of one state: the steps hold the content of all that changes. */
const SOURCE_FILES_MAX = 10_000;

type Look = Pick<PlanContext, 'files' | 'tree'>;

/** In a fixed order. Throws where there is no such directory. */
export async function sourceFiles(text: string, look: Look): Promise<readonly SourceFile[]> {
  const source = parseFileSource(text);
  const paths = source.from === 'tree' ? await treePaths(source, look) : await machinePaths(source, look);
  if (paths === undefined) throw await sourceMissing([source], look);
  if (paths.length > SOURCE_FILES_MAX)
    throw zesterError('FILE_TREE_TOO_LARGE', { path: text, max: SOURCE_FILES_MAX, what: 'files' });
  return paths.map((path) => ({ path, read: () => readFile(source, path, look) }));
}

/** The tree knows files only: an empty directory is none. */
async function treePaths({ path }: Source, { tree }: Look): Promise<readonly string[] | undefined> {
  const prefix = `${path}/`;
  const inside = (await tree.list()).filter((file) => file.startsWith(prefix));
  return inside.length === 0 ? undefined : inside.map((file) => file.slice(prefix.length));
}

/** A link to a file counts as the file; links to directories, devices and pipes are left out. */
async function machinePaths({ path, text }: Source, { files }: Look): Promise<readonly string[] | undefined> {
  const root = await files.realPath(path);
  const kind = root === undefined ? undefined : (await files.lstat(root))?.kind;
  if (root === undefined || kind === undefined) return undefined;
  if (kind !== 'directory')
    throw zesterError('FILE_SOURCE_UNUSABLE', { source: text, reason: 'it is no directory' });
  const isFile = async ({ path: below, stat }: WalkEntry) =>
    stat.kind === 'symlink'
      ? (await files.stat(inDirectory(root, below)))?.kind === 'file'
      : stat.kind === 'file';
  const paths: string[] = [];
  for (const entry of (await files.walk(root)) ?? []) if (await isFile(entry)) paths.push(entry.path);
  return paths;
}

async function readFile({ from, path, text }: Source, below: string, look: Look): Promise<Uint8Array> {
  const whole = `${path}/${below}`;
  const bytes = from === 'tree' ? await look.tree.readBytes(whole) : await look.files.read(whole);
  if (bytes !== undefined) return bytes;
  throw zesterError('FILE_SOURCE_MISSING', { source: `${text}/${below}`, suggestion: '' });
}

/** A copy inside of its own source would grow with every run, and a cleaned directory would lose a source inside of it. */
export async function refuseNested(text: string, directory: string, { files }: Look): Promise<void> {
  const source = parseFileSource(text);
  const root = source.from === 'machine' ? await files.realPath(source.path) : undefined;
  if (root === undefined || !(isWithin(root, directory) || isWithin(directory, root))) return;
  const reason = `it and ${directory} lie one inside of the other`;
  throw zesterError('FILE_SOURCE_UNUSABLE', { source: text, reason });
}

function isWithin(inner: string, outer: string): boolean {
  return `${inner}/`.startsWith(outer === '/' ? '/' : `${outer}/`);
}
