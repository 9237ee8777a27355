/**
 * `stageTree` makes a whole tree in a directory that nobody reads yet: what the disk has already is given a second name
 * (a hard link) after its hash was checked (file-hashes.ts), the rest is fetched. So a new revision costs what has changed in it, and a
 * file that was damaged here is fetched again.
 *
 * Nothing is synced until all files are there; then every new file and every directory, and the record last. If we die at
 * any moment, or the power fails, what is left is a tree without a record, which the next start sweeps away, or a whole
 * one. Staging again into the same directory begins anew. Files that came late belong to this revision or fail: each has
 * the hash that the manifest lists.
 *
 * Bounds: files and bytes as the manifest's reader allows; `AT_ONCE` contents in memory; a path has at most
 * `TREE_LEVELS_MAX` levels, because what is deeper could not be walked or removed.
 */
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import type { ListedFile } from '../core/files/file-manifest.ts';
import { planMirror } from '../core/files/mirror-plan.ts';
import { concurrentMap } from '../runtime/concurrent-map.ts';
import { errnoOf } from '../system/errno.ts';
import { type Files, TREE_DEPTH_MAX } from '../system/files.ts';
import { fileKeyOf } from '../wire/names/file-keys.ts';
import { FILE_BYTES_MAX } from '../wire/names/limits.ts';
import { type FileHashes, hashOfBytes } from './file-hashes.ts';
import { type LaidTree, OWN_NAMES, RECORD_NAME, type TreeRecord, treeRecordCodec } from './tree-record.ts';

export type FetchFile = (file: ListedFile) => Promise<Uint8Array>;

export interface StageRequest {
  /** The directory to make; what is there goes first. Its parent is there. */
  readonly into: string;
  readonly wanted: TreeRecord;
  /** Trees that may have some of the files, the best first. */
  readonly sources: readonly LaidTree[];
  /** Of what these trees have. */
  readonly hashes: FileHashes;
  /** The content of a file, its hash checked. */
  readonly fetch: FetchFile;
}

export const FILE_MODE = 0o644;
const DIRECTORY_MODE = 0o755;
const AT_ONCE = 8;
const TREE_LEVELS_MAX = TREE_DEPTH_MAX - 8;

/** A second name is not to be had: another file system, one without hard links, or too many names already. */
const NO_HARD_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

export async function stageTree(files: Files, request: StageRequest): Promise<LaidTree> {
  const { into, wanted, sources, hashes, fetch } = request;
  for (const { path } of wanted.files) refuseUnusable(path);
  await files.removeTree(into);
  await files.makeDirectory(into, { mode: DIRECTORY_MODE, skipSync: true });
  const directories = directoriesOf(wanted.files);
  for (const directory of directories)
    await files.makeDirectory(`${into}/${directory}`, { mode: DIRECTORY_MODE, skipSync: true });

  const plans = sources.map(({ directory, record }) => ({
    directory,
    reuse: new Map(planMirror(record.files, wanted.files).reuse.map(({ file, from }) => [file.path, from])),
  }));
  const written: string[] = [];
  await concurrentMap(wanted.files, AT_ONCE, async (file) => {
    const to = `${into}/${file.path}`;
    const places = plans.flatMap(({ directory, reuse }) => {
      const from = reuse.get(file.path);
      return from === undefined ? [] : [`${directory}/${from}`];
    });
    const found = await findContent(files, hashes, places, file.sha256);
    if (found?.isLinkable === true && (await linked(files, found.path, to))) return;
    const bytes = found === undefined ? undefined : await readVerified(files, found.path, file.sha256);
    const content = bytes ?? (await fetch(file));
    await files.writeAtomic(to, content, { mode: FILE_MODE, skipSync: true });
    written.push(to);
  });

  const unsynced = [...written, ...directories.map((directory) => `${into}/${directory}`), into];
  await concurrentMap(unsynced, AT_ONCE, (path) => files.sync(path));
  await files.writeAtomic(`${into}/${RECORD_NAME}`, treeRecordCodec.encode(wanted), { mode: FILE_MODE });
  return { directory: into, record: wanted };
}

/** Masters are trusted not to publish such a path; a mistake must not lead out of the tree all the same. */
function refuseUnusable(path: string): void {
  const refuse = (reason: string) => zesterError('MIRROR_PATH', { path, reason });
  if (fileKeyOf(path) === undefined) throw refuse('it is no path inside of a tree');
  if (path.startsWith(OWN_NAMES)) throw refuse(`names that begin with ${OWN_NAMES} are those of the mirror`);
  if (path.split('/').length > TREE_LEVELS_MAX)
    throw refuse(`it has more than ${TREE_LEVELS_MAX} levels of directories`);
}

/** Each before those inside of it. */
function directoriesOf(files: readonly ListedFile[]): readonly string[] {
  const found = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) found.add(parts.slice(0, depth).join('/'));
  }
  return [...found].sort();
}

interface FoundContent {
  readonly path: string;
  /** False where its mode is not that of a mirrored file: it is written anew. */
  readonly isLinkable: boolean;
}

/** The first place that has it. One that cannot be read has not. */
async function findContent(
  files: Files,
  hashes: FileHashes,
  places: readonly string[],
  sha256: string,
): Promise<FoundContent | undefined> {
  for (const path of places) {
    try {
      const stat = await files.lstat(path);
      if (stat?.kind === 'file' && (await hashes.of(path, stat)) === sha256)
        return { path, isLinkable: stat.mode === FILE_MODE };
    } catch (error) {
      if (!isZesterError(error)) throw error;
    }
  }
  return undefined;
}

/** Undefined when it is not what it was, or cannot be read: then it is fetched. */
async function readVerified(files: Files, path: string, sha256: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await files.read(path, { bytesMax: FILE_BYTES_MAX });
    return bytes !== undefined && hashOfBytes(bytes) === sha256 ? bytes : undefined;
  } catch (error) {
    if (isZesterError(error)) return undefined;
    throw error;
  }
}

async function linked(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.hardLink({ from, to, skipSync: true });
    return true;
  } catch (error) {
    if (NO_HARD_LINK.has(errnoOf(error) ?? '')) return false;
    throw error;
  }
}
