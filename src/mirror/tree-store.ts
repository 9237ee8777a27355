/**
 * The tree store keeps one mirrored tree on the disk of this machine and says who reads from it. A tree is whole and of one
 * revision, or it is not there.
 *
 * It is laid out as linked trees (linked-trees.ts); where the path cannot become a link, in place (tree-in-place.ts). Which
 * one is decided when a tree is installed: a directory with a record of ours, or on another file system than its parent,
 * stays in place, and so does one that cannot be moved. An operator who wants links again removes the directory.
 *
 * Pins: a reader pins the tree before it reads and releases it at its end. A pinned linked tree is not removed; a tree in
 * place that is pinned is not replaced: `install` throws MIRROR_IN_USE, and the caller tries again when `released` is
 * called. While files are being replaced in place, `pin` waits. Pins are in memory: after a start nobody reads.
 *
 * If we die: see the two layouts; opening the store again finishes or sweeps what was left. Installing the same tree twice
 * leaves one. One install at a time: the caller's care (mirror-set.ts).
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Log } from '../runtime/log.ts';
import { Semaphore } from '../runtime/semaphore.ts';
import type { Files } from '../system/files.ts';
import { FileHashes } from './file-hashes.ts';
import { isIntact } from './intact-tree.ts';
import { LinkedTrees } from './linked-trees.ts';
import type { FetchFile } from './stage-tree.ts';
import { TreeInPlace } from './tree-in-place.ts';
import type { LaidTree, TreeRecord } from './tree-record.ts';

export interface TreeStore {
  /** Undefined when there is none that may be used. */
  current(): TreeRecord | undefined;
  /** Undefined when there is none. */
  pin(): Promise<PinnedTree | undefined>;
  /** False when somebody has changed files of the tree since it was installed: installing it again mends that. */
  isIntact(): Promise<boolean>;
  /** Makes the tree the current one. Throws where that cannot be done: then the one before stays. */
  install(wanted: TreeRecord, fetch: FetchFile): Promise<void>;
}

/** A tree that stays as it is until it is released. */
export interface PinnedTree {
  /** Without links on the way: it leads to this tree for as long as it is pinned. */
  readonly directory: string;
  readonly revision: number;
  readonly identity: string;
  /** Safe to call again. */
  release(): void;
}

export interface TreeStoreParts {
  readonly files: Files;
  readonly log: Log;
  /** Absolute. */
  readonly cache: string;
  /** The last reader of a tree is gone. */
  readonly released?: () => void;
}

export async function openTreeStore(parts: TreeStoreParts): Promise<TreeStore> {
  const { files, log, released } = parts;
  const cache = await behindForeignLink(parts);
  const pins = new Map<string, number>();
  const hashes = new FileHashes(files);
  const linked = new LinkedTrees(files, log, cache, hashes);
  const inPlace = new TreeInPlace(files, cache, hashes);
  /** Installs and sweeps: a sweep must not take a tree that is being made for a leftover. */
  const changes = new Semaphore(1);
  const isPlain = (await kindAt(files, cache)) === 'directory';
  let staysInPlace = isPlain && ((await isMountPoint(files, cache)) || (await inPlace.isOurs()));
  let current = await whatIsThere();
  /** While readers must wait. */
  let excluding: Promise<void> | undefined;
  await changes.run(sweep);

  async function whatIsThere(): Promise<LaidTree | undefined> {
    return (await kindAt(files, cache)) === 'directory' ? inPlace.read() : linked.read();
  }

  async function sweep(): Promise<void> {
    try {
      await linked.sweep((directory) => directory === current?.directory || pins.has(directory));
    } catch (error) {
      log.warn('old trees of published files stay for now', { path: cache, error });
    }
  }

  /** Whatever moves or changes the directory itself must have it for itself: nobody reads, and who comes waits. */
  async function exclusively(work: () => Promise<void>): Promise<void> {
    if (pins.has(cache)) throw zesterError('MIRROR_IN_USE', { path: cache });
    const working = work();
    excluding = working.then(
      () => undefined,
      () => undefined,
    );
    try {
      await working;
    } finally {
      excluding = undefined;
    }
  }

  async function install(wanted: TreeRecord, fetch: FetchFile): Promise<void> {
    const sources = current === undefined ? [] : [current];
    if (!staysInPlace) {
      const staged = await linked.stage(wanted, sources, fetch);
      if (staged !== false && (await activated(staged))) return;
      log.warn('the mirror of published files cannot be a link here; its files are replaced one by one', {
        path: cache,
      });
      staysInPlace = true;
      if (staged !== false) sources.push(staged);
    }
    const staged = await inPlace.stage(wanted, sources, fetch);
    await exclusively(async () => {
      await inPlace.mark();
      current = undefined;
      current = await inPlace.replace(staged);
    });
  }

  async function activated(staged: LaidTree): Promise<boolean> {
    let isActive = false;
    await exclusively(async () => {
      try {
        isActive = await linked.activate(staged);
      } catch (error) {
        // It may have come to its end but for a sync: what readers get is what the next start would find.
        current = await whatIsThere();
        throw error;
      }
      if (isActive) current = staged;
    });
    return isActive;
  }

  async function pin(): Promise<PinnedTree | undefined> {
    while (excluding !== undefined) await excluding;
    if (current === undefined) return undefined;
    const { directory, record } = current;
    pins.set(directory, (pins.get(directory) ?? 0) + 1);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      unpin(directory);
    };
    try {
      if ((await kindAt(files, directory)) === 'directory')
        return { directory, revision: record.revision, identity: record.identity, release };
      // Somebody removed it: as good as never mirrored.
      if (current?.directory === directory) current = undefined;
      release();
      return undefined;
    } catch (error) {
      release();
      throw error;
    }
  }

  function unpin(directory: string): void {
    const left = (pins.get(directory) ?? 1) - 1;
    if (left > 0) {
      pins.set(directory, left);
      return;
    }
    pins.delete(directory);
    if (directory !== current?.directory) void changes.run(sweep);
    released?.();
  }

  async function isCurrentIntact(): Promise<boolean> {
    const pinned = await pin();
    const tree = current;
    try {
      return (
        pinned === undefined || tree?.directory !== pinned.directory || (await isIntact(files, hashes, tree))
      );
    } finally {
      pinned?.release();
    }
  }

  return {
    current: () => current?.record,
    pin,
    isIntact: isCurrentIntact,
    async install(wanted, fetch) {
      try {
        await changes.run(() => install(wanted, fetch));
      } finally {
        // Nobody waits for what only frees space.
        void changes.run(sweep);
      }
    },
  };
}

/** An operator's link says where the mirror shall be; ours says which tree it has. */
async function behindForeignLink({ files, log, cache }: TreeStoreParts): Promise<string> {
  const there = await files.lstat(cache);
  if (there?.kind !== 'symlink') return cache;
  const target = await files.readLink(cache);
  if (target === undefined || new LinkedTrees(files, log, cache, new FileHashes(files)).isOwnLink(target))
    return cache;
  const real = await files.realPath(cache);
  if (real === undefined)
    throw zesterError('MIRROR_PLACE', { path: cache, reason: 'it is a link that leads nowhere' });
  return real;
}

async function isMountPoint(files: Files, path: string): Promise<boolean> {
  const [there, parent] = [
    await files.stat(path),
    await files.stat(path.slice(0, path.lastIndexOf('/')) || '/'),
  ];
  return there?.dev !== parent?.dev;
}

/** Undefined when nothing is there. */
async function kindAt(files: Files, path: string): Promise<'directory' | 'link' | undefined> {
  const kind = (await files.lstat(path))?.kind;
  if (kind === undefined || kind === 'directory') return kind;
  if (kind === 'symlink') return 'link';
  throw zesterError('MIRROR_PLACE', { path, reason: 'something that is not a directory is there' });
}
