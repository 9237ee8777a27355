/**
 * `listFiles` turns the files of a source tree into those of a manifest, or refuses the tree with an error that names what
 * is over a limit: nothing of it is published then, and what was published stays. Pure.
 *
 * Bounds: so many files, so many bytes for each and for all together. A large file becomes an object where the set may have
 * some, and is refused where not.
 */
import { FILE_KEY_CHARS_MAX, fileKeyOf, isTreePath } from '../../wire/names/file-keys.ts';
import {
  FILE_BYTES_MAX,
  FILE_SET_BYTES_MAX,
  FILE_VALUE_BYTES_MAX,
  FILES_MAX,
} from '../../wire/names/limits.ts';
import type { FileSetSpec } from '../../wire/records/file-set.ts';
import { assert } from '../assert.ts';
import { zesterError } from '../errors/zester-error.ts';
import { type ListedFile, pathBelowFile } from './file-manifest.ts';
import type { TreeFile } from './file-tree.ts';

/** What a message has besides the content: subject, headers, and the growth of one that is sealed is not part of it. */
const MESSAGE_ROOM_BYTES = 4_096;

export interface SizedFile extends TreeFile {
  readonly size: number;
}

/** Sorted by path. `payloadBytesMax` is the largest message that the server takes. */
export function listFiles(
  { name: set, blobs }: Pick<FileSetSpec, 'name' | 'blobs'>,
  files: readonly SizedFile[],
  payloadBytesMax: number,
): ListedFile[] {
  // One place in the manifest is that of the revision.
  const filesMax = FILES_MAX - 1;
  if (files.length > filesMax)
    throw zesterError('FILES_TOO_MANY', { set, files: files.length, max: filesMax });
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > FILE_SET_BYTES_MAX)
    throw zesterError('FILES_SET_TOO_LARGE', { set, bytes, max: FILE_SET_BYTES_MAX });
  const paths = new Set(files.map(({ path }) => path));
  assert(paths.size === files.length, 'a tree that has a path twice');
  // Gathered while a file became a directory.
  const below = pathBelowFile(paths);
  if (below !== undefined) throw zesterError('FILES_SOURCE_CHANGED', { set, path: below });
  const valueBytesMax = Math.min(FILE_VALUE_BYTES_MAX, payloadBytesMax - MESSAGE_ROOM_BYTES);
  const max = blobs ? FILE_BYTES_MAX : valueBytesMax;
  return files
    .map(({ path, sha256, size }) => {
      if (fileKeyOf(path) === undefined) throw badName(set, path);
      if (size > max) throw zesterError('FILES_FILE_TOO_LARGE', { set, path, bytes: size, max });
      return { path, sha256, size, blob: size > valueBytesMax };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function badName(set: string, path: string): Error {
  const reason = isTreePath(path)
    ? `it needs more than ${FILE_KEY_CHARS_MAX} characters as a key`
    : 'it is no path inside of a tree';
  return zesterError('FILES_NAME', { set, path: JSON.stringify(path), reason });
}
