/**
 * `FileHashes` remembers what files of mirrors hash to, by inode, size and time: a file that was read once is read again when
 * one of these has changed. Trees share their unchanged files (hard links), so a new revision costs one look at each file and a
 * read of what is new. Whoever puts an old time back deceives it until the next start. Bound: `FILES_KNOWN_MAX`.
 */
import { LruMap } from '../core/lru-map.ts';
import { digest } from '../runtime/digest.ts';
import type { FileStat, ReadFiles } from '../system/files.ts';
import { FILE_BYTES_MAX, FILES_MAX } from '../wire/names/limits.ts';

/** Of the tree before and the new one, of both sets. */
const FILES_KNOWN_MAX = 4 * FILES_MAX;

export class FileHashes {
  private readonly files: ReadFiles;
  private readonly known = new LruMap<string, string>(FILES_KNOWN_MAX);

  constructor(files: ReadFiles) {
    this.files = files;
  }

  /** Of a file as `lstat` or a walk has seen it; undefined when it is not there any more. */
  async of(path: string, stat: FileStat): Promise<string | undefined> {
    const key = `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const bytes = await this.files.read(path, { bytesMax: FILE_BYTES_MAX });
    if (bytes === undefined) return undefined;
    const hash = hashOfBytes(bytes);
    this.known.set(key, hash);
    return hash;
  }
}

export function hashOfBytes(bytes: Uint8Array): string {
  return Buffer.from(digest('sha256', bytes)).toString('hex');
}
