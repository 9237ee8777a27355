/**
 * A source tree is the directory of a set on a master: what people edit, and what is published from here. `look` lists its
 * files with their digests; whoever publishes reads the contents through what it gave.
 *
 * Hidden names and `__pycache__` are no part of it, and neither is what is no file (pipes, devices). A link to a file or a
 * directory inside of the tree counts as what it leads to; any other link is an error that names it, so that nobody
 * publishes /etc/shadow by a link. `path` itself may be a link.
 *
 * A file is read again only when its stat has changed: number, size and time. Two writes within the tick of a clock have
 * the same time, so what was written less than `RACY_MS` before it was read is read again at the next look. A content that was
 * replaced by one of the same size, with its old time put back, is seen by `again` only, which reads everything.
 *
 * A walk is not one moment: a directory that goes away and comes back meanwhile would lose the files between. So a tree that
 * is not as it was at the last look is walked again when all is read, and what is not the same then is looked at anew, a
 * few times. A file that never stops changing is taken as it was read; names that do not stop are FILES_SOURCE_CHANGED, and so
 * is a content that changes between its look and its publish. Bounds: those of a file set, before anything is read; one cache entry for each file.
 */

import type { FileToPublish } from '../../bus/file-set/file-set.ts';
import { hashText } from '../../bus/file-set/plain-files.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { treeDigest } from '../../core/files/file-tree.ts';
import type { TreeSight } from '../../core/files/source-standing.ts';
import type { Clock } from '../../runtime/clock.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import type { FileStat, ReadFiles } from '../../system/files.ts';
import { FILE_BYTES_MAX, FILE_VALUE_BYTES_MAX, FILES_MAX } from '../../wire/names/limits.ts';
import type { FileSetSpec } from '../../wire/records/file-set.ts';

export interface SourceTreeParts {
  readonly files: ReadFiles;
  readonly clock: Clock;
  readonly spec: Pick<FileSetSpec, 'name' | 'blobs'>;
  /** What the manifest says of a content. */
  readonly digest: (content: Uint8Array) => string;
}

export interface LocalTree extends TreeSight {
  /** Where it is, without links on the way. */
  readonly directory: string;
  /** Sorted by path. */
  readonly sources: readonly FileToPublish[];
}

export interface SourceTree {
  /** Undefined when there is no directory. `again`: no content is taken for known. */
  look(options: { readonly again: boolean }): Promise<LocalTree | undefined>;
}

interface FoundFile {
  readonly path: string;
  /** Where it really is. */
  readonly place: string;
  readonly stat: FileStat;
}

interface HashedFile {
  readonly stat: FileStat;
  readonly sha256: string;
  /** On the wall clock, which is what file times are of. */
  readonly readMs: number;
}

const RACY_MS = 2_000;
const LOOKS_MAX = 3;
const READS_AT_A_TIME = 8;

export function isUnpublishedName(name: string): boolean {
  return name.startsWith('.') || name === '__pycache__';
}

export function sourceTree(parts: SourceTreeParts, path: string): SourceTree {
  const { files, clock, spec, digest } = parts;
  const bytesMax = spec.blobs ? FILE_BYTES_MAX : FILE_VALUE_BYTES_MAX;
  let known = new Map<string, HashedFile>();

  async function hashOf(file: FoundFile): Promise<HashedFile> {
    const before = known.get(file.path);
    if (before !== undefined && isSameStat(before.stat, file.stat) && !isRacy(before)) return before;
    const readMs = clock.nowMs();
    const bytes = await contentOf(file);
    return { stat: file.stat, sha256: digest(bytes), readMs };
  }

  async function contentOf({ path: name, place }: FoundFile): Promise<Uint8Array> {
    const bytes = await files.read(place, { bytesMax });
    if (bytes === undefined) throw zesterError('FILES_SOURCE_CHANGED', { set: spec.name, path: name });
    return bytes;
  }

  async function readAs(file: FoundFile, sha256: string): Promise<Uint8Array> {
    const bytes = await contentOf(file);
    if (digest(bytes) === sha256) return bytes;
    known.delete(file.path);
    throw zesterError('FILES_SOURCE_CHANGED', { set: spec.name, path: file.path });
  }

  /** All files, hashed: `known` is of them from here on. */
  async function settledFiles(directory: string): Promise<readonly FoundFile[]> {
    let found = await gatherSorted(directory);
    for (let looks = 1; ; looks++) {
      const isAsBefore = isSameListing(found, known);
      await hashAll(found);
      if (isAsBefore) return found;
      const after = await gatherSorted(directory);
      if (isSameListing(after, known)) return found;
      const changed = differingName(found, after);
      if (looks === LOOKS_MAX && changed === undefined) return found;
      if (looks === LOOKS_MAX)
        throw zesterError('FILES_SOURCE_CHANGED', { set: spec.name, path: changed ?? '' });
      found = after;
    }
  }

  async function gatherSorted(directory: string): Promise<readonly FoundFile[]> {
    return (await gather(parts, directory)).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async function hashAll(found: readonly FoundFile[]): Promise<void> {
    for (const { path: name, stat } of found)
      if (stat.size > bytesMax)
        throw zesterError('FILES_FILE_TOO_LARGE', {
          set: spec.name,
          path: name,
          bytes: stat.size,
          max: bytesMax,
        });
    const hashed = await concurrentMap(found, READS_AT_A_TIME, hashOf);
    known = new Map(found.flatMap((file, index) => [[file.path, hashed[index]]] as [string, HashedFile][]));
  }

  return {
    async look({ again }) {
      const directory = await files.realPath(path);
      if (directory === undefined) return undefined;
      if (again) known.clear();
      const found = await settledFiles(directory);
      const sources = found.map((file): FileToPublish => {
        const sha256 = known.get(file.path)?.sha256 ?? '';
        return { path: file.path, sha256, size: file.stat.size, read: () => readAs(file, sha256) };
      });
      return {
        directory,
        sources,
        digest: treeDigest(sources, hashText),
        files: new Map(sources.map(({ path: name, sha256 }) => [name, sha256])),
      };
    },
  };
}

/** Every file below a directory, links resolved. */
async function gather({ files, spec }: SourceTreeParts, root: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];

  /** `real` has no links on the way; `above` are the directories in which we are, by whatever way. */
  async function enter(real: string, prefix: string, above: readonly string[]): Promise<void> {
    const entries = await files.walk(real, { entriesMax: FILES_MAX, skip: isUnpublishedName });
    for (const { path, stat } of entries ?? []) {
      if (stat.kind === 'file') add({ path: prefix + path, place: `${real}/${path}`, stat });
      if (stat.kind === 'symlink') await follow(`${real}/${path}`, prefix + path, [...above, real]);
    }
  }

  async function follow(link: string, path: string, above: readonly string[]): Promise<void> {
    const refuse = (where: string) => zesterError('FILES_LINK', { set: spec.name, path, where });
    const place = await files.realPath(link);
    if (place === undefined) throw refuse('nowhere');
    if (!place.startsWith(`${root}/`)) throw refuse('out of the tree');
    const stat = await files.stat(place);
    if (stat?.kind === 'file') add({ path, place, stat });
    if (stat?.kind !== 'directory') return;
    if ([...above, link].some((each) => `${each}/`.startsWith(`${place}/`)))
      throw refuse('to a directory that it is in');
    await enter(place, `${path}/`, above);
  }

  function add(file: FoundFile): void {
    if (found.length >= FILES_MAX)
      throw zesterError('FILES_TOO_MANY', { set: spec.name, files: found.length + 1, max: FILES_MAX });
    found.push(file);
  }

  await enter(root, '', []);
  return found;
}

function isSameListing(found: readonly FoundFile[], known: ReadonlyMap<string, HashedFile>): boolean {
  if (found.length !== known.size) return false;
  return found.every(({ path, stat }) => {
    const before = known.get(path);
    return before !== undefined && isSameStat(before.stat, stat);
  });
}

/** The first name that only one of them has. */
function differingName(one: readonly FoundFile[], other: readonly FoundFile[]): string | undefined {
  const names = (files: readonly FoundFile[]) => new Set(files.map(({ path }) => path));
  const [ours, theirs] = [names(one), names(other)];
  const only = (some: ReadonlySet<string>, rest: ReadonlySet<string>) =>
    [...some].find((name) => !rest.has(name));
  return only(ours, theirs) ?? only(theirs, ours);
}

function isSameStat(one: FileStat, other: FileStat): boolean {
  return (
    one.ino === other.ino && one.dev === other.dev && one.size === other.size && one.mtimeMs === other.mtimeMs
  );
}

/** Whether it may have been written again after it was read, and have the same time. */
function isRacy({ stat, readMs }: HashedFile): boolean {
  return stat.mtimeMs > readMs - RACY_MS;
}
