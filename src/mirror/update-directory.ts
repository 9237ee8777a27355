/**
 * `updateDirectory` brings a plain directory up to date where it is: file by file, each replaced as a whole, and what does
 * not belong there removed. A mirror that is a mount point is kept so (tree-in-place.ts), and a master that is not the
 * publisher keeps its source directory so.
 *
 * All files that would be replaced or removed are looked at before the first one is: with one that may not be, nothing is
 * changed. Each is looked at once more right before its turn; whoever writes between that look and the rename loses.
 *
 * A link to a directory stays where what is behind it is as wanted when all other files are; otherwise real files take its
 * place. What is neither file, link nor directory is left alone.
 *
 * If we die in the middle, some files are new and some are old: whoever calls must know that it was at it (a marker) and
 * call again. Twice: what is as wanted already is left alone, and is on disk when the call returns. The contents are asked for
 * one by one.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { ListedFile } from '../core/files/file-manifest.ts';
import { errnoOf } from '../system/errno.ts';
import type { FileStat, Files, WalkEntry } from '../system/files.ts';
import { FILE_BYTES_MAX } from '../wire/names/limits.ts';
import { FILE_MODE } from './stage-tree.ts';

export interface DirectoryUpdate {
  /** Made when it is not there. */
  readonly directory: string;
  /** Every file that shall be there. */
  readonly wanted: readonly ListedFile[];
  readonly content: (file: ListedFile) => Promise<Uint8Array>;
  /** As `ListedFile.sha256` has it. */
  readonly digest: (bytes: Uint8Array) => string;
  /** Names that no set has: left alone, with all that is below. Asked for every path and the directories above it. */
  readonly ignores: (path: string) => boolean;
  /** Whether a file with this content may be replaced or removed. Not there: any may. */
  readonly mayReplace?: (path: string, digest: string) => boolean;
  /** Names that are not even looked at, wherever they are. Default: none. */
  readonly skip?: (name: string) => boolean;
  /** Of files that were not there before. Default 0644. */
  readonly mode?: number;
  /** Called when all was looked at, before the first change. */
  readonly beforeChanges?: () => Promise<void>;
}

export interface UpdatedDirectory {
  readonly written: number;
  readonly removed: number;
}

/** A file of the directory as it was looked at. */
interface Found {
  readonly path: string;
  readonly stat: FileStat;
  /** Empty for a link that leads nowhere and for what is no file. */
  readonly digest: string;
}

/** Throws DIRECTORY_CHANGED where `mayReplace` says no. */
export async function updateDirectory(files: Files, update: DirectoryUpdate): Promise<UpdatedDirectory> {
  const { directory, wanted, ignores, skip } = update;
  await files.makeDirectory(directory, { parents: true });
  const walked = await files.walk(directory, skip === undefined ? {} : { skip });
  const entries = (walked ?? []).filter(({ path }) => !isIgnored(path, ignores));
  const hashes = new Map(wanted.map(({ path, sha256 }) => [path, sha256]));
  const found = new Map<string, Found>();
  const linked: WalkEntry[] = [];
  for (const entry of entries) {
    const { kind } = entry.stat;
    if (kind === 'directory' || (kind === 'other' && !hashes.has(entry.path))) continue;
    if (kind === 'symlink' && (await kindBehind(files, `${directory}/${entry.path}`)) === 'directory')
      linked.push(entry);
    else found.set(entry.path, await lookAt(files, update, entry));
  }
  const isBehindLink = (path: string) => linked.some((link) => path.startsWith(`${link.path}/`));

  const obsolete = [...found.values()].filter(({ path }) => !hashes.has(path));
  const outdated = wanted.filter(
    ({ path, sha256 }) => !isBehindLink(path) && found.get(path)?.digest !== sha256,
  );
  for (const each of [...obsolete, ...outdated.flatMap(({ path }) => found.get(path) ?? [])])
    refuseUnlessOurs(update, each);
  await update.beforeChanges?.();

  for (const each of obsolete) {
    await refuseIfChanged(files, update, each);
    await files.removeFile(`${directory}/${each.path}`);
  }
  await removeEmptied(files, directory, entries, obsolete, hashes);
  // What a link leads to may be among the files: links come last, when those are as they shall be.
  const isLink = ({ path }: ListedFile) => found.get(path)?.stat.kind === 'symlink';
  let written = 0;
  for (const file of [...outdated.filter((each) => !isLink(each)), ...outdated.filter(isLink)])
    if (await writeFile(files, update, file, found.get(file.path))) written += 1;
  for (const link of linked) written += await settleLink(files, update, link);
  await syncDirectories(files, update);
  return { written, removed: obsolete.length };
}

/**
 * Leaves a link to a directory if all is behind it that is wanted there and nothing else; otherwise the wanted files take its
 * place. Nothing is written through a link: what it leads to has been seen to as itself.
 */
async function settleLink(files: Files, update: DirectoryUpdate, link: WalkEntry): Promise<number> {
  const { directory, wanted, digest, skip } = update;
  const place = `${directory}/${link.path}`;
  const below = wanted.filter(({ path }) => path.startsWith(`${link.path}/`));
  const target = await files.realPath(place);
  const walked = target === undefined ? [] : await files.walk(target, skip === undefined ? {} : { skip });
  const behind = (walked ?? []).filter(({ stat }) => stat.kind === 'file');
  let isAsWanted = below.length > 0 && behind.length === below.length;
  for (const { path, sha256 } of below) {
    const bytes = isAsWanted
      ? await files.read(`${directory}/${path}`, { bytesMax: FILE_BYTES_MAX })
      : undefined;
    isAsWanted &&= bytes !== undefined && digest(bytes) === sha256;
  }
  if (isAsWanted) return 0;
  await refuseIfChanged(files, update, { ...link, digest: '' });
  await files.removeFile(place);
  for (const file of below) await writeFile(files, update, file, undefined);
  return below.length;
}

/**
 * What an earlier call removed or renamed right before its end may not be synced, and shows no more that it was done: a power
 * loss would take it back long after we said that all is as wanted.
 */
async function syncDirectories(files: Files, { directory, ignores, skip }: DirectoryUpdate): Promise<void> {
  const walked = (await files.walk(directory, skip === undefined ? {} : { skip })) ?? [];
  await files.sync(directory);
  for (const { path, stat } of walked)
    if (stat.kind === 'directory' && !isIgnored(path, ignores)) await files.sync(`${directory}/${path}`);
}

/** False when it has become what is wanted by itself: a link to a file that was written before. */
async function writeFile(
  files: Files,
  update: DirectoryUpdate,
  file: ListedFile,
  before: Found | undefined,
): Promise<boolean> {
  const path = `${update.directory}/${file.path}`;
  if (before?.stat.kind === 'symlink') {
    const now = await lookAt(files, update, { path: before.path, stat: before.stat });
    if (now.digest === file.sha256) return false;
  }
  const bytes = await update.content(file);
  if (before === undefined) {
    await files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { parents: true });
    if ((await files.lstat(path)) !== undefined) throw changed(update, file.path);
  } else {
    await refuseIfChanged(files, update, before);
    if (before.stat.kind !== 'file') await files.removeFile(path);
  }
  const mode = before?.stat.kind === 'file' ? before.stat.mode : (update.mode ?? FILE_MODE);
  await files.writeAtomic(path, bytes, { mode });
  return true;
}

async function lookAt(
  files: Files,
  { directory, digest }: DirectoryUpdate,
  { path, stat }: WalkEntry,
): Promise<Found> {
  const full = `${directory}/${path}`;
  const isReadable =
    stat.kind === 'file' || (stat.kind === 'symlink' && (await kindBehind(files, full)) === 'file');
  const bytes = isReadable ? await files.read(full, { bytesMax: FILE_BYTES_MAX }) : undefined;
  return { path, stat, digest: bytes === undefined ? '' : digest(bytes) };
}

/** Undefined: it leads nowhere. */
async function kindBehind(files: Files, link: string): Promise<FileStat['kind'] | undefined> {
  try {
    return (await files.stat(link))?.kind;
  } catch (error) {
    // A circle, or a way through a file.
    if (['ELOOP', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

function isIgnored(path: string, ignores: (path: string) => boolean): boolean {
  const parts = path.split('/');
  return parts.some((_, depth) => ignores(parts.slice(0, depth + 1).join('/')));
}

function refuseUnlessOurs(update: DirectoryUpdate, { path, digest }: Found): void {
  if (update.mayReplace?.(path, digest) === false) throw changed(update, path);
}

/** Nobody else's work is lost between the first look and now. */
async function refuseIfChanged(files: Files, update: DirectoryUpdate, { path, stat }: Found): Promise<void> {
  if (update.mayReplace === undefined) return;
  const now = await files.lstat(`${update.directory}/${path}`);
  const same =
    now !== undefined && now.ino === stat.ino && now.size === stat.size && now.mtimeMs === stat.mtimeMs;
  if (!same) throw changed(update, path);
}

function changed({ directory }: DirectoryUpdate, path: string): Error {
  return zesterError('DIRECTORY_CHANGED', { path: `${directory}/${path}` });
}

/** Directories that have lost a file, and those that stand where a file shall be: unless something else is in them. */
async function removeEmptied(
  files: Files,
  directory: string,
  entries: readonly WalkEntry[],
  obsolete: readonly Found[],
  wanted: ReadonlyMap<string, string>,
): Promise<void> {
  const inTheWay = (path: string) => [...directoriesAbove(path), path].some((above) => wanted.has(above));
  const emptied = new Set(
    entries
      .filter(({ stat }) => stat.kind === 'directory')
      .map(({ path }) => path)
      .filter(inTheWay),
  );
  for (const { path } of obsolete) for (const above of directoriesAbove(path)) emptied.add(above);
  for (const path of wanted.keys()) for (const above of directoriesAbove(path)) emptied.delete(above);
  // The deepest first.
  for (const path of [...emptied].sort().reverse()) {
    try {
      await files.removeDirectory(`${directory}/${path}`);
    } catch (error) {
      if (errnoOf(error) !== 'ENOTEMPTY') throw error;
    }
  }
}

function directoriesAbove(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
