/**
 * A watch of a tree tells that something below a directory may have changed: a hint and no more. Hints come early, late,
 * twice or for nothing, and where the kernel drops events none comes; so whoever watches also looks by itself now and then.
 *
 * What it promises while nothing is dropped: after every change of a name, a content or a mode below the directory there
 * is a hint, also for what lies in directories that came later, and also after the directory itself was away. `path` may
 * be a link, and one that is made to point elsewhere is a change; a link above it is not looked at.
 *
 * The adapter brings one call: hear of what happens to the names in one directory. Everything else is here. A directory is
 * watched before its content is listed, and lists are made again until one shows no directory that is not watched: so
 * nothing can come in between. The hint for a new directory comes when it is watched.
 *
 * Bounds: `WATCHED_DIRECTORIES_MAX` directories. With more, where the kernel has no watch left (ENOSPC, EMFILE), and where
 * something cannot be read, the tree is polled instead (`poll-tree.ts`) for as long as this watch lives; `limited` is told
 * so once. After `EVENTS_KEPT_MAX` events that were not looked at, everything is looked at.
 */
import type { Clock, Timer } from '../runtime/clock.ts';
import { Errno, errnoOf, reasonOf } from './errno.ts';
import { checkedPath, inDirectory, parentOf } from './file-path.ts';
import type { ReadFiles, WalkOptions } from './files.ts';
import { POLL_MS, pollTree } from './poll-tree.ts';

export type WatchTree = (path: string, observer: TreeObserver) => TreeWatch;

/** Must only note and return. */
export interface TreeObserver {
  readonly changed: () => void;
  /** It is polled every second from now on: hints come later, and looking costs more. `why` is for a person. */
  readonly limited?: (why: string) => void;
  /** Names that do not matter, with all that is below. Hints may come all the same. */
  readonly skip?: (name: string) => boolean;
}

export interface TreeWatch {
  /** No further hint. */
  stop(): void;
}

/**
 * What an adapter brings: hears of names that come, go or change in one directory, not below it. Follows a link at the end
 * of the path. Throws an error with an errno where it cannot.
 */
export type WatchDirectory = (path: string, listener: DirectoryListener) => TreeWatch;

export interface DirectoryListener {
  /** `name` is undefined when it is not known. */
  readonly heard: (name: string | undefined) => void;
  /** Nothing more is heard. */
  readonly lost: () => void;
}

export interface TreeWatchParts {
  readonly watchDirectory: WatchDirectory;
  readonly files: Pick<ReadFiles, 'realPath' | 'lstat' | 'walk'>;
  readonly clock: Clock;
}

export const WATCHED_DIRECTORIES_MAX = 8_192;
const EVENTS_KEPT_MAX = 1_024;

export function watchTreeOn(parts: TreeWatchParts): WatchTree {
  return (path, observer) => {
    const watch = new WatchedTree(parts, checkedPath(path), observer);
    watch.start();
    return watch;
  };
}

class WatchedTree implements TreeWatch {
  private readonly parts: TreeWatchParts;
  private readonly root: string;
  private readonly observer: TreeObserver;
  private readonly walkOptions: WalkOptions;
  /** By path. That of the directory above `root` is kept apart: of it only one name matters. */
  private readonly watched = new Map<string, TreeWatch>();
  private above: TreeWatch | undefined;
  /** Paths that events named, not looked at yet. */
  private readonly named = new Set<string>();
  private isStale = true;
  private isLooking = false;
  private isStopped = false;
  private retry: Timer | undefined;
  private polling: TreeWatch | undefined;

  constructor(parts: TreeWatchParts, root: string, observer: TreeObserver) {
    this.parts = parts;
    this.root = root;
    this.observer = observer;
    this.walkOptions = observer.skip === undefined ? {} : { skip: observer.skip };
  }

  start(): void {
    void this.look();
  }

  stop(): void {
    this.isStopped = true;
    this.retry?.cancel();
    this.polling?.stop();
    this.closeAll();
  }

  /** One at a time; what is heard meanwhile is looked at in another turn. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      while (!this.isOver() && (this.isStale || (await this.hasNewDirectory()))) {
        this.isStale = false;
        await this.watchAll();
        this.tell();
      }
    } catch (error) {
      this.poll(error);
    } finally {
      this.isLooking = false;
    }
  }

  /** Whether one of the names that were heard is a directory, or was one: an ordinary save of a file costs one question. */
  private async hasNewDirectory(): Promise<boolean> {
    let isFound = false;
    for (const path of this.named) {
      this.named.delete(path);
      const wasWatched = this.watched.has(path);
      // Gone, or another one of the same name: the kernel watches the one that was there.
      if (wasWatched) this.closeBelow(path);
      isFound ||= wasWatched || (await this.parts.files.lstat(path))?.kind === 'directory';
    }
    return isFound;
  }

  private async watchAll(): Promise<void> {
    this.watchAbove();
    const { files, clock } = this.parts;
    const real = await files.realPath(this.root);
    for (const path of [...this.watched.keys()])
      if (real === undefined || !isWithin(path, real)) this.closeBelow(path);
    for (let isComplete = real === undefined; !isComplete && !this.isOver(); ) {
      const entries = (await files.walk(real ?? '', this.walkOptions)) ?? [];
      const directories = entries.filter(({ stat }) => stat.kind === 'directory');
      const paths = [real ?? '', ...directories.map((entry) => inDirectory(real ?? '', entry.path))];
      isComplete = paths.filter((path) => this.watch(path)).length === 0;
    }
    // Nobody tells when the directory above comes into being.
    this.retry?.cancel();
    if (this.above === undefined && !this.isOver()) this.retry = clock.after(POLL_MS, () => this.lookAtAll());
  }

  /** True when it was not watched before and is now, or has gone: then the list has to be made again. */
  private watch(path: string): boolean {
    if (this.isOver() || this.watched.has(path)) return false;
    if (this.watched.size >= WATCHED_DIRECTORIES_MAX)
      throw new Errno('ENOSPC', `it has more than ${WATCHED_DIRECTORIES_MAX} directories`);
    const watch = this.tryWatch(path, {
      heard: (name) => {
        if (name === undefined || this.observer.skip?.(name) !== true)
          this.heard(name === undefined ? undefined : inDirectory(path, name));
      },
      lost: () => {
        this.closeBelow(path);
        this.lookAtAll();
      },
    });
    if (watch !== undefined) this.watched.set(path, watch);
    return true;
  }

  private watchAbove(): void {
    const { root } = this;
    if (this.above !== undefined || root === '/') return;
    this.above = this.tryWatch(parentOf(root), {
      heard: (name) => {
        if (name !== undefined && inDirectory(parentOf(root), name) !== root) return;
        this.closeBelow('/');
        this.lookAtAll();
      },
      lost: () => {
        this.above?.stop();
        this.above = undefined;
        this.lookAtAll();
      },
    });
  }

  /** Undefined when it is gone. */
  private tryWatch(path: string, listener: DirectoryListener): TreeWatch | undefined {
    try {
      return this.parts.watchDirectory(path, listener);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  private heard(path: string | undefined): void {
    if (this.isOver()) return;
    if (path === undefined || this.named.size >= EVENTS_KEPT_MAX) {
      this.named.clear();
      this.closeBelow('/');
      this.isStale = true;
    } else {
      this.named.add(path);
    }
    this.tell();
    void this.look();
  }

  private lookAtAll(): void {
    if (this.isOver()) return;
    this.isStale = true;
    void this.look();
  }

  private tell(): void {
    if (!this.isStopped) this.observer.changed();
  }

  private poll(cause: unknown): void {
    if (this.isOver()) return;
    this.retry?.cancel();
    this.closeAll();
    const { files, clock } = this.parts;
    this.polling = pollTree({ files, clock }, this.root, this.walkOptions, () => this.tell());
    const errno = errnoOf(cause);
    this.observer.limited?.(errno === undefined ? (cause as Error).message : reasonOf(cause, errno));
    this.tell();
  }

  private isOver(): boolean {
    return this.isStopped || this.polling !== undefined;
  }

  private closeBelow(directory: string): void {
    for (const [path, watch] of this.watched) {
      if (!isWithin(path, directory)) continue;
      watch.stop();
      this.watched.delete(path);
    }
  }

  private closeAll(): void {
    this.above?.stop();
    this.above = undefined;
    this.closeBelow('/');
  }
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
