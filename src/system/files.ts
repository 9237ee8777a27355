/**
 * `Files` is the port to the files of a machine.
 *
 * Absent is a value: reads give `undefined` when nothing is at the path (ENOENT), which includes a link that points to
 * nothing for the calls that follow links. Every other failure throws with path and cause. ENOTDIR throws too: that a
 * parent is a file is a finding, and a caller told "absent" would go on to create what cannot be created.
 *
 * Links: `read`, `stat`, `list` and `realPath` follow a link at the end of the path; every other call acts on the link
 * itself or refuses it. Links among the directories on the way are followed by the kernel, as always.
 *
 * Durability: when a call that adds, replaces or removes a name, or sets mode or owner, returns, its effect survives a
 * power loss. Not synced: `touch`, mode and owner of what cannot be opened (links, devices, what we may not read), and what
 * was done with `skipSync`, until `sync`.
 *
 * Paths are absolute. A name that is not UTF-8 comes out of `list`, `walk` and `readLink` with each of its bytes from
 * 0x80 up as a lone surrogate U+DC80..U+DCFF; given back, it names the same file. Show such a name, do not send it.
 */
export interface ReadFiles {
  /** The whole content. Works for /proc and /sys, whose files claim to be empty. Only regular files. */
  read(path: string, options?: ReadOptions): Promise<Uint8Array | undefined>;
  stat(path: string): Promise<FileStat | undefined>;
  lstat(path: string): Promise<FileStat | undefined>;
  /** The names in a directory, sorted by UTF-16 code units. Over `LIST_ENTRIES_MAX` it throws. */
  list(path: string): Promise<readonly string[] | undefined>;
  /**
   * Everything below a directory, a directory before what it holds, names sorted. Follows no link, not even `path`.
   * What vanishes in mid-walk is left out; over the bound, or deeper than `TREE_DEPTH_MAX`, it throws.
   */
  walk(path: string, options?: WalkOptions): Promise<readonly WalkEntry[] | undefined>;
  /** The text of a link. Throws when something else is there. */
  readLink(path: string): Promise<string | undefined>;
  realPath(path: string): Promise<string | undefined>;
}

export interface Files extends ReadFiles {
  /**
   * Replaces the file as a whole: a reader, or a crash at any moment, finds the old content or the new.
   * A temporary file beside it (mode 0600, `TEMPORARY_NAME`) is filled, given owner and mode, synced and renamed over
   * it; then the directory is synced. On failure the temporary file is removed; after kill -9 or power loss one may stay.
   *
   * Refuses links (see `followLink`), directories, devices and pipes. Does not keep other hard links, extended
   * attributes or ACLs of the old file. If only the last sync fails it throws though the new content is in place.
   */
  writeAtomic(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;
  /** False when a directory (or a link to one) was there already; it is left as it is. */
  makeDirectory(path: string, options?: MakeDirectoryOptions): Promise<boolean>;
  /** Removes a file, link or device, not a directory. False when nothing was there. */
  removeFile(path: string): Promise<boolean>;
  /** Removes an empty directory. Refuses one that holds anything (ENOTEMPTY). False when nothing was there. */
  removeDirectory(path: string): Promise<boolean>;
  /**
   * Removes a file, or a directory with all it holds. False when nothing was there. Follows no link, not even one that
   * is swapped in while it works, and enters no other file system. A tree over `REMOVE_ENTRIES_MAX`, too deep or with
   * a mount in it is refused untouched.
   */
  removeTree(path: string): Promise<boolean>;
  /**
   * Makes a link, or replaces one in one step; one that points there already stays as it is, with its owner. Refuses to
   * replace anything that is not a link.
   */
  symlink(link: { readonly target: string; readonly path: string }): Promise<void>;
  /** A second name for a file. Refuses when `to` exists. */
  hardLink(link: HardLink): Promise<void>;
  /** Replaces `to` in one step, as rename(2) does. Same file system only. */
  rename(move: { readonly from: string; readonly to: string }): Promise<void>;
  /** Sets all twelve permission bits. Refuses a link. */
  chmod(path: string, mode: number): Promise<void>;
  /** Of a link: the owner of the link itself. The kernel clears set-uid bits: `chmod` comes after. */
  chown(path: string, owner: FileOwner): Promise<void>;
  /**
   * Makes the content and mode of a file, or the mode of a directory and the names in it, survive a power loss: for a tree
   * that was made with `skipSync`, whose files and directories are then synced one after another. Follows a link.
   */
  sync(path: string): Promise<void>;
  /** Sets access and modification time of what is there. */
  touch(path: string, atMs: number): Promise<void>;
  /**
   * Runs `work` while nobody else of this process holds the same path; waiters get it in the order they came.
   * For read-modify-write. It guards nothing by itself, other processes do not see it, the path is compared as text
   * (`/etc//hosts` is `/etc/hosts`, links are not resolved), and taking it again inside `work` waits for ever.
   */
  lock<T>(path: string, work: () => Promise<T>): Promise<T>;
}

export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  /** The twelve permission bits: set-uid, set-gid, sticky, rwxrwxrwx. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
  /** Device and inode: the same pair is the same file. */
  readonly dev: bigint;
  readonly ino: bigint;
}

export interface WalkEntry {
  /** Relative to the walked directory. */
  readonly path: string;
  readonly stat: FileStat;
}

export interface ReadOptions {
  /** A larger file throws FILE_TOO_LARGE. Default `READ_BYTES_MAX`. */
  readonly bytesMax?: number;
}

export interface WalkOptions {
  /** More entries throw FILE_TREE_TOO_LARGE. Default `WALK_ENTRIES_MAX`. */
  readonly entriesMax?: number;
  /** Names that are left out, with all that is below: neither looked at nor counted. Default: none. */
  readonly skip?: (name: string) => boolean;
}

export interface FileOwner {
  readonly uid?: number;
  readonly gid?: number;
}

export interface WriteOptions extends FileOwner {
  /** Exact, whatever the umask. Default: that of the file it replaces, 0600 for a new one. Owner likewise. */
  readonly mode?: number;
  /** Where the path is a link, replace the file it points to. */
  readonly followLink?: boolean;
  /** For what can be made again or is synced later: faster, and a power loss may leave the file old, missing or empty. */
  readonly skipSync?: boolean;
}

export interface HardLink {
  readonly from: string;
  readonly to: string;
  /** As for a write: a power loss may leave the new name missing. */
  readonly skipSync?: boolean;
}

export interface MakeDirectoryOptions extends FileOwner {
  /** Exact, whatever the umask. Default 0755. */
  readonly mode?: number;
  /** Also makes missing parents, with mode 0755. */
  readonly parents?: boolean;
  /** As for a write: a power loss may leave the directory missing, or with mode 0700. */
  readonly skipSync?: boolean;
}

export const READ_BYTES_MAX = 64 * 1024 * 1024;
export const LIST_ENTRIES_MAX = 100_000;
export const WALK_ENTRIES_MAX = 100_000;
export const REMOVE_ENTRIES_MAX = 1_000_000;
/** Each level holds one open directory while a tree is walked or removed. */
export const TREE_DEPTH_MAX = 128;
/** Names of the temporary files of `writeAtomic` and `symlink`: the owner of a directory may sweep old ones. */
export const TEMPORARY_NAME = /^\.zester-[0-9a-f]{16}\.tmp$/;
