/**
 * `PlannedTree` is a file system with changes that are only planned: names and attributes laid over another one, which
 * is asked for everything that was not changed and is never written to.
 *
 * Changes are kept by directory, under its path without links. That works because no directory is ever moved: what the
 * base has stays where it has it.
 *
 * Not known here: that two names are one file, and what the kernel would refuse us for lack of permission or space.
 */
import { LruMap } from '../core/lru-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { Errno, errnoOf } from './errno.ts';
import { inDirectory, nativePath } from './file-path.ts';
import type { FileKind, FileOwner, FileStat, ReadFiles } from './files.ts';
import { groupOfNew, modeAfterChown } from './mode-rules.ts';

/** Something that differs from the base, or is not there. */
interface PlannedNode {
  readonly stat: FileStat;
  /** Of a file; undefined: as in the base. */
  readonly bytes: Uint8Array | undefined;
  /** Of a link. */
  readonly target: string;
  /** A directory that hides what the base has under its name. */
  readonly fresh: boolean;
}

const GONE = 'gone';

interface DirectoryChanges {
  readonly entries: Map<string, PlannedNode | typeof GONE>;
  changedAtMs: number;
}

/** What is at a path; `path` has no links in it. */
export interface FoundFile {
  readonly path: string;
  readonly stat: FileStat;
  readonly planned: PlannedNode | undefined;
}

/** Where a path leads: the directory and name at its end, and what is there. */
export interface PlannedPlace {
  readonly directory: FoundFile;
  readonly name: string;
  readonly found: FoundFile | undefined;
}

const LINKS_MAX = 40;
const NAME_BYTES_MAX = 255;
const PATH_BYTES_MAX = 4_095;
/** Directories on the way that are remembered. */
const REMEMBERED_MAX = 10_000;

export interface PlannedTreeParts {
  readonly base: ReadFiles;
  readonly clock: Clock;
  /** Whose new files are. */
  readonly as: Required<FileOwner>;
}

export class PlannedTree {
  private readonly parts: PlannedTreeParts;
  private readonly changes = new Map<string, DirectoryChanges>();
  /** Directories of the base that were passed through: a dry run is short, and asks for the same ones at each path. */
  private readonly passed = new LruMap<string, FileStat>(REMEMBERED_MAX);
  /** Planned content. */
  bytesHeld = 0;
  private inodes = 0n;

  constructor(parts: PlannedTreeParts) {
    this.parts = parts;
  }

  async locate(path: string, follow: boolean): Promise<PlannedPlace> {
    refuseLong(path, PATH_BYTES_MAX);
    let trail = [await this.root()];
    const parts = partsOf(path);
    let links = 0;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const here = top(trail);
      if (here.stat.kind !== 'directory') throw new Errno('ENOTDIR');
      refuseLong(part, NAME_BYTES_MAX);
      if (part === '.') continue;
      if (part === '..') {
        if (trail.length > 1) trail.pop();
        continue;
      }
      const found = await this.child(here, part, parts.length > 0);
      if (found === undefined) {
        if (parts.length > 0) throw new Errno('ENOENT');
        return { directory: here, name: part, found };
      }
      if (found.stat.kind === 'symlink' && (follow || parts.length > 0)) {
        if (++links > LINKS_MAX) throw new Errno('ELOOP');
        const target = await this.targetOf(found);
        if (target.startsWith('/')) trail = trail.slice(0, 1);
        parts.unshift(...partsOf(target));
      } else {
        trail.push(found);
      }
    }
    const found = top(trail);
    return {
      directory: trail.at(-2) ?? found,
      name: found.path.slice(found.path.lastIndexOf('/') + 1),
      found,
    };
  }

  async find(path: string, follow: boolean): Promise<FoundFile> {
    return present(await this.locate(path, follow));
  }

  async targetOf({ path, planned, stat }: FoundFile): Promise<string> {
    if (stat.kind !== 'symlink') throw new Errno('EINVAL');
    return planned?.target ?? present({ found: await fromBase(this.parts.base.readLink(path)) });
  }

  async namesIn({ path, planned }: FoundFile): Promise<string[]> {
    const shown = planned?.fresh === true ? [] : ((await fromBase(this.parts.base.list(path))) ?? []);
    const names = new Set(shown);
    for (const [name, node] of this.changes.get(path)?.entries ?? []) {
      if (node === GONE) names.delete(name);
      else names.add(name);
    }
    return [...names];
  }

  async contentOf({ path, planned }: FoundFile, bytesMax: number): Promise<Uint8Array> {
    if (planned?.bytes !== undefined) return planned.bytes;
    return present({ found: await fromBase(this.parts.base.read(path, { bytesMax })) });
  }

  async add(path: string, kind: FileKind, mode: number, target = ''): Promise<FoundFile> {
    const place = await this.locate(path, false);
    if (place.found !== undefined) throw new Errno('EEXIST');
    const { directory } = place;
    const { uid } = this.parts.as;
    const gid = groupOfNew(directory.stat, this.parts.as.gid);
    const mtimeMs = this.parts.clock.nowMs();
    // The base counts upwards.
    const ino = -++this.inodes;
    const size = Buffer.byteLength(nativePath(target));
    const stat = { kind, size, mode, uid, gid, mtimeMs, dev: directory.stat.dev, ino };
    const bytes = kind === 'file' ? new Uint8Array() : undefined;
    const planned = { stat, bytes, target, fresh: true };
    this.put(place, planned);
    return { path: inDirectory(directory.path, place.name), stat, planned };
  }

  /** Puts a planned file or link in place of another one. */
  async move(from: string, to: string): Promise<void> {
    const source = await this.locate(from, false);
    const node = present(source).planned;
    const goal = await this.locate(to, false);
    if (node === undefined) throw new Errno('ENOTSUP');
    this.changesIn(source.directory.path).entries.delete(source.name);
    if (goal.found !== undefined) this.bytesHeld -= goal.found.planned?.bytes?.length ?? 0;
    this.put(goal, node);
  }

  async removeFile(path: string): Promise<void> {
    const place = await this.locate(path, false);
    const { stat, planned } = present(place);
    if (stat.kind === 'directory') throw new Errno('EISDIR');
    this.bytesHeld -= planned?.bytes?.length ?? 0;
    this.put(place, GONE);
  }

  async removeDirectory(path: string): Promise<void> {
    const place = await this.locate(path, false);
    const found = present(place);
    if (found.stat.kind !== 'directory') throw new Errno('ENOTDIR');
    if ((await this.namesIn(found)).length > 0) throw new Errno('ENOTEMPTY');
    this.changes.delete(found.path);
    this.passed.delete(found.path);
    this.put(place, GONE);
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.bytesHeld += bytes.length;
    await this.change(path, ({ stat }) => ({ stat: { ...stat, size: bytes.length }, bytes }));
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.change(path, ({ stat }) => {
      if (stat.kind === 'symlink') throw new Errno('ELOOP');
      return { stat: { ...stat, mode: mode & 0o7777 } };
    });
  }

  chown(path: string, uid: number, gid: number): Promise<void> {
    return this.change(path, ({ stat }) => ({
      stat: { ...stat, uid, gid, mode: modeAfterChown(stat.kind, stat.mode) },
    }));
  }

  touch(path: string, atMs: number): Promise<void> {
    return this.change(path, ({ stat }) => ({ stat: { ...stat, mtimeMs: atMs } }));
  }

  private async change(
    path: string,
    edit: (found: FoundFile) => Pick<PlannedNode, 'stat'> & Partial<PlannedNode>,
  ): Promise<void> {
    const place = await this.locate(path, false);
    const found = present(place);
    const target = found.stat.kind === 'symlink' ? await this.targetOf(found) : '';
    const node = { bytes: undefined, target, fresh: false, ...found.planned, ...edit(found) };
    this.passed.delete(found.path);
    this.changesIn(place.directory.path).entries.set(place.name, node);
  }

  private put({ directory, name }: PlannedPlace, node: PlannedNode | typeof GONE): void {
    const changes = this.changesIn(directory.path);
    changes.entries.set(name, node);
    changes.changedAtMs = this.parts.clock.nowMs();
    this.passed.delete(directory.path);
  }

  private changesIn(directory: string): DirectoryChanges {
    const there = this.changes.get(directory) ?? { entries: new Map(), changedAtMs: 0 };
    this.changes.set(directory, there);
    return there;
  }

  private async root(): Promise<FoundFile> {
    return { path: '/', stat: present({ found: await this.statInBase('/', true) }), planned: undefined };
  }

  private async child(directory: FoundFile, name: string, onTheWay: boolean): Promise<FoundFile | undefined> {
    const path = inDirectory(directory.path, name);
    const planned = this.changes.get(directory.path)?.entries.get(name);
    if (planned === GONE) return undefined;
    const own =
      planned?.stat ??
      (directory.planned?.fresh === true ? undefined : await this.statInBase(path, onTheWay));
    if (own === undefined) return undefined;
    const changedAtMs = this.changes.get(path)?.changedAtMs ?? 0;
    const stat = changedAtMs > own.mtimeMs ? { ...own, mtimeMs: changedAtMs } : own;
    return { path, stat, planned };
  }

  private async statInBase(path: string, onTheWay: boolean): Promise<FileStat | undefined> {
    const known = onTheWay ? this.passed.peek(path) : undefined;
    if (known !== undefined) return known;
    const stat = await fromBase(this.parts.base.lstat(path));
    if (onTheWay && stat?.kind === 'directory') this.passed.set(path, stat);
    return stat;
  }
}

/** Throws a failed call of the base as the errno it was, so that the error names the path that was asked for. */
async function fromBase<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    throw new Errno(errno);
  }
}

function present<T>({ found }: { readonly found: T | undefined }): T {
  if (found === undefined) throw new Errno('ENOENT');
  return found;
}

function top(trail: readonly FoundFile[]): FoundFile {
  return present({ found: trail.at(-1) });
}

/** In bytes; no character takes more than three for each of its UTF-16 units. */
function refuseLong(text: string, bytesMax: number): void {
  if (text.length * 3 > bytesMax && Buffer.byteLength(nativePath(text)) > bytesMax)
    throw new Errno('ENAMETOOLONG');
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
