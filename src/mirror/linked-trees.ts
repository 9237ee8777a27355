/**
 * Linked trees are a mirror as it should be: each revision is a directory of its own that never changes, and the path of
 * the mirror is a link to one of them.
 *
 *   <cache>                                 link to <cache>.trees/<revision>-<digest>
 *   <cache>.trees/<revision>-<digest>/      a whole tree, with its record
 *   <cache>.trees/.stage                    the next tree while it is made
 *   <cache>.trees/.link                     the next link
 *   <cache>.trees/.gone-…                   a tree that is being removed
 *
 * A tree gets its name when all of it is synced, and the link is replaced in one step. So every reader, and a crash or power
 * loss at any moment, finds the old tree or the new one; and who followed the link once reads one revision to its end, as
 * long as nobody sweeps that tree (`tree-store.ts` counts who reads).
 *
 * A directory where the link shall be is somebody else's: it is moved aside and stays there (an empty one is removed). If
 * we die right after that, there is no link: the next start makes it, to the newest tree that is whole. A name that is taken
 * gets a number, so that nothing is ever staged over a tree that somebody reads.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { Log } from '../runtime/log.ts';
import { errnoOf } from '../system/errno.ts';
import { type Files, TEMPORARY_NAME } from '../system/files.ts';
import type { FileHashes } from './file-hashes.ts';
import { type FetchFile, stageTree } from './stage-tree.ts';
import { type LaidTree, readTree, type TreeRecord } from './tree-record.ts';

const TREE_NAME = /^[0-9]+-[0-9a-f]{1,8}(?:\.[0-9]+)?$/;
const STAGE_NAME = '.stage';
const LINK_NAME = '.link';
const GONE = '.gone-';
const DIGEST_CHARS = 8;
/** Of one name. */
const NAMES_MAX = 1_000;

/** Why a path cannot be made a link: a mount point, another file system, no links here, not allowed in the parent. */
const NOT_LINKABLE = new Set(['EXDEV', 'EBUSY', 'EPERM', 'EACCES', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP']);

export class LinkedTrees {
  private readonly files: Files;
  private readonly log: Log;
  private readonly cache: string;
  private readonly trees: string;
  private readonly hashes: FileHashes;

  constructor(files: Files, log: Log, cache: string, hashes: FileHashes) {
    this.hashes = hashes;
    this.files = files;
    this.log = log;
    this.cache = cache;
    this.trees = `${cache}.trees`;
  }

  /** Whether the text of a link at the path of the mirror is one of ours. */
  isOwnLink(target: string): boolean {
    return this.nameIn(target) !== undefined;
  }

  /** The tree that the link leads to. Where there is no link but a whole tree, the link is made. */
  async read(): Promise<LaidTree | undefined> {
    const { files, cache } = this;
    if ((await files.lstat(cache)) === undefined) return this.adoptNewest();
    const name = await this.linkedName();
    return name === undefined ? undefined : readTree(files, `${this.trees}/${name}`);
  }

  /** A whole tree, synced, under its name. False: there can be none at this path. */
  async stage(wanted: TreeRecord, sources: readonly LaidTree[], fetch: FetchFile): Promise<LaidTree | false> {
    if (!(await linkable(() => this.files.makeDirectory(this.trees, { parents: true })))) return false;
    const staged = await stageTree(this.files, {
      into: `${this.trees}/${STAGE_NAME}`,
      wanted,
      sources,
      hashes: this.hashes,
      fetch,
    });
    const directory = `${this.trees}/${await this.freeName(wanted)}`;
    await this.files.rename({ from: staged.directory, to: directory });
    return { ...staged, directory };
  }

  /**
   * Lets the link lead to a tree. False: a link cannot be made here. Where it fails, a directory that was moved aside is
   * put back; the link may be the new one all the same, when only its sync failed.
   */
  async activate({ directory }: LaidTree): Promise<boolean> {
    const { files, cache, trees } = this;
    const draft = `${trees}/${LINK_NAME}`;
    const target = directory.slice(cache.lastIndexOf('/') + 1);
    const aside = await firstFree(files, `${cache}.before`);
    return linkable(async () => {
      await files.removeFile(draft);
      await files.symlink({ target, path: draft });
      try {
        await this.clearPath(aside);
        await files.rename({ from: draft, to: cache });
      } catch (error) {
        await this.putBack(aside);
        throw error;
      }
    });
  }

  /** Removes what a crash left and every tree but those that are wanted. What cannot be removed is tried again next time. */
  async sweep(isWanted: (directory: string) => boolean): Promise<void> {
    const { files, trees } = this;
    const names = (await files.list(trees)) ?? [];
    if (names.length === 0) return;
    const inUse = await this.linkedName();
    for (const name of names) {
      const path = `${trees}/${name}`;
      if (isWanted(path) || name === inUse || !isOwnName(name)) continue;
      try {
        await this.remove(name);
      } catch (error) {
        this.log.warn('an old tree of published files cannot be removed', { path, error });
      }
    }
  }

  /** Renamed first: a tree of which a part is gone must not look whole. */
  private async remove(name: string): Promise<void> {
    const { files, trees } = this;
    const path = `${trees}/${name}`;
    if (!TREE_NAME.test(name)) return void (await files.removeTree(path));
    const gone = `${trees}/${GONE}${name}`;
    await files.removeTree(gone);
    await files.rename({ from: path, to: gone });
    await files.removeTree(gone);
  }

  private async adoptNewest(): Promise<LaidTree | undefined> {
    const { files, trees } = this;
    const names = ((await files.list(trees)) ?? []).filter((name) => TREE_NAME.test(name));
    let newest: LaidTree | undefined;
    for (const name of names) {
      const tree = await readTree(files, `${trees}/${name}`);
      if (tree !== undefined && tree.record.revision >= (newest?.record.revision ?? 0)) newest = tree;
    }
    if (newest === undefined || !(await this.activate(newest))) return undefined;
    return newest;
  }

  private async clearPath(aside: string): Promise<void> {
    const { files, cache, log } = this;
    const there = await files.lstat(cache);
    if (there === undefined || there.kind === 'symlink') return;
    if (there.kind !== 'directory')
      throw zesterError('MIRROR_PLACE', {
        path: cache,
        reason: 'something that is not a directory is there',
      });
    if ((await files.list(cache))?.length === 0) {
      await files.removeDirectory(cache);
      return;
    }
    await files.rename({ from: cache, to: aside });
    log.warn('a directory that was no mirror stood at the path of one; it was moved aside', {
      path: cache,
      moved_to: aside,
    });
  }

  private async putBack(aside: string): Promise<void> {
    const { files, cache } = this;
    const isMoved = (await files.lstat(aside)) !== undefined && (await files.lstat(cache)) === undefined;
    if (isMoved) await files.rename({ from: aside, to: cache });
  }

  private async freeName({ revision, digest }: TreeRecord): Promise<string> {
    const path = await firstFree(this.files, `${this.trees}/${revision}-${digest.slice(0, DIGEST_CHARS)}`);
    return path.slice(this.trees.length + 1);
  }

  /** Undefined when there is no link, or one that is not ours. */
  private async linkedName(): Promise<string | undefined> {
    const { files, cache } = this;
    if ((await files.lstat(cache))?.kind !== 'symlink') return undefined;
    return this.nameIn((await files.readLink(cache)) ?? '');
  }

  private nameIn(target: string): string | undefined {
    const [folder, name, ...more] = target.split('/');
    const isOurs = folder === this.trees.slice(this.trees.lastIndexOf('/') + 1) && more.length === 0;
    return isOurs && name !== undefined && TREE_NAME.test(name) ? name : undefined;
  }
}

/** Whether the work was done; false where links cannot be had. Throws for any other failure. */
async function linkable(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (NOT_LINKABLE.has(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

async function firstFree(files: Files, path: string): Promise<string> {
  for (let number = 1; number <= NAMES_MAX; number++) {
    const candidate = number === 1 ? path : `${path}.${number}`;
    if ((await files.lstat(candidate)) === undefined) return candidate;
  }
  throw zesterError('MIRROR_PLACE', { path, reason: `it and ${NAMES_MAX} names like it are taken` });
}

function isOwnName(name: string): boolean {
  return (
    TREE_NAME.test(name) ||
    TEMPORARY_NAME.test(name) ||
    name.startsWith(GONE) ||
    name === STAGE_NAME ||
    name === LINK_NAME
  );
}
