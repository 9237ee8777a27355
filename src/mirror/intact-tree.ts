/**
 * `IntactTree` says whether a tree on the disk is still what its record says: nobody removed, added or changed a file since.
 * Contents are read when it is asked for a tree that it does not know, and whenever a name, a size or a time has changed;
 * otherwise the directory is only walked. Whoever puts an old time back deceives it until the next start.
 *
 * For a reader that is about to use the tree (mirror-set.ts). A tree that is replaced meanwhile is pinned by the caller.
 */
import { compareTrees, hasDifference, type TreeFile } from '../core/files/file-tree.ts';
import { digest } from '../runtime/digest.ts';
import type { ReadFiles, WalkEntry } from '../system/files.ts';
import { FILE_BYTES_MAX } from '../wire/names/limits.ts';
import { type LaidTree, OWN_NAMES } from './tree-record.ts';

export class IntactTree {
  private readonly files: ReadFiles;
  private known: { readonly directory: string; readonly sight: string } | undefined;

  constructor(files: ReadFiles) {
    this.files = files;
  }

  async isIntact({ directory, record }: LaidTree): Promise<boolean> {
    // Filled by somebody else: nothing is known of it.
    if (record.identity === '') return true;
    const sight = await this.sightOf(directory);
    if (this.known?.directory === directory && this.known.sight === sight) return true;
    const here = await filesIn(this.files, directory);
    if (hasDifference(compareTrees(record.files, here))) return false;
    this.known = { directory, sight };
    return true;
  }

  private async sightOf(directory: string): Promise<string> {
    const entries = await mirroredEntries(this.files, directory);
    return entries
      .map(({ path, stat }) => `${path}\0${stat.kind} ${stat.ino} ${stat.size} ${stat.mtimeMs}`)
      .sort()
      .join('\n');
  }
}

/** The files of a mirrored tree, with the hashes of what they hold now. */
export async function filesIn(files: ReadFiles, directory: string): Promise<readonly TreeFile[]> {
  const found: TreeFile[] = [];
  for (const { path, stat } of await mirroredEntries(files, directory)) {
    if (stat.kind !== 'file') continue;
    const bytes = await files.read(`${directory}/${path}`, { bytesMax: FILE_BYTES_MAX });
    if (bytes !== undefined)
      found.push({ path, sha256: Buffer.from(digest('sha256', bytes)).toString('hex') });
  }
  return found;
}

async function mirroredEntries(files: ReadFiles, directory: string): Promise<readonly WalkEntry[]> {
  const entries = (await files.walk(directory)) ?? [];
  return entries.filter(({ path, stat }) => stat.kind !== 'directory' && !path.startsWith(OWN_NAMES));
}
