/**
 * A tree in place is a mirror whose path cannot become a link, because it is a mount point or must not be moved: its files
 * are replaced one by one.
 *
 *   <cache>/.zester-stage        the next tree, whole and synced before anything else is touched
 *   <cache>/.zester-incomplete   while files are being replaced: the directory is not to be used
 *   <cache>/.zester-tree.msgpack the record of what is there
 *
 * Order: stage, marker, files, record, marker away, stage away. If we die before the marker, the old tree is whole; from
 * there on the next start finds the marker and finishes from the stage, without NATS. Done twice it leaves the same. Nobody
 * may read from the directory meanwhile: `tree-store.ts` sees to that.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import type { ListedFile } from '../core/files/file-manifest.ts';
import { type Files, TEMPORARY_NAME } from '../system/files.ts';
import { type FileHashes, hashOfBytes } from './file-hashes.ts';
import { type FetchFile, FILE_MODE, stageTree } from './stage-tree.ts';
import {
  type LaidTree,
  OWN_NAMES,
  RECORD_NAME,
  readTree,
  type TreeRecord,
  treeRecordCodec,
} from './tree-record.ts';
import { updateDirectory } from './update-directory.ts';

const STAGE_NAME = `${OWN_NAMES}stage`;
const MARKER_NAME = `${OWN_NAMES}incomplete`;
/** Of a file system's own, where it is mounted. */
const LOST_AND_FOUND = 'lost+found';

export class TreeInPlace {
  private readonly files: Files;
  private readonly directory: string;
  private readonly hashes: FileHashes;

  constructor(files: Files, directory: string, hashes: FileHashes) {
    this.files = files;
    this.directory = directory;
    this.hashes = hashes;
  }

  /** Whether the directory was kept so before. */
  async isOurs(): Promise<boolean> {
    const { files, directory } = this;
    const own = [this.marker(), `${directory}/${RECORD_NAME}`];
    for (const path of own) if ((await files.lstat(path)) !== undefined) return true;
    return false;
  }

  /** What is there and whole; finishes first what the last life was at. */
  async read(): Promise<LaidTree | undefined> {
    const { files, directory } = this;
    if ((await files.lstat(this.marker())) !== undefined) {
      const staged = await this.staged();
      return staged === undefined ? undefined : this.replace(staged);
    }
    const tree = await readTree(files, directory);
    if (tree !== undefined) return tree;
    const names = (await files.list(directory)) ?? [];
    const hasFiles = names.some((name) => !isOwn(name));
    // Filled by somebody else: it is used, and has no revision.
    return hasFiles ? { directory, record: { revision: 0, identity: '', digest: '', files: [] } } : undefined;
  }

  /** Whole and synced beside what is there, which stays as it is. A stage that is there already is taken. */
  async stage(wanted: TreeRecord, sources: readonly LaidTree[], fetch: FetchFile): Promise<LaidTree> {
    const staged = await this.staged();
    if (staged !== undefined && staged.record.identity === wanted.identity) return staged;
    await this.files.makeDirectory(this.directory, { parents: true });
    return stageTree(this.files, {
      into: this.stageDirectory(),
      wanted,
      sources,
      hashes: this.hashes,
      fetch,
    });
  }

  /** From here on the directory is not to be used, whatever happens, until `replace` has ended well. */
  mark(): Promise<void> {
    return this.files.writeAtomic(this.marker(), new Uint8Array(), { mode: FILE_MODE });
  }

  /** Makes the directory what the stage is. It is marked. */
  async replace({ record }: LaidTree): Promise<LaidTree> {
    const { files, directory } = this;
    await updateDirectory(files, {
      directory,
      wanted: record.files,
      content: (file) => this.stagedContent(file),
      digest: hashOfBytes,
      ignores: isOwn,
    });
    await files.writeAtomic(`${directory}/${RECORD_NAME}`, treeRecordCodec.encode(record), {
      mode: FILE_MODE,
    });
    await files.removeFile(this.marker());
    await files.removeTree(this.stageDirectory());
    return { directory, record };
  }

  private staged(): Promise<LaidTree | undefined> {
    return readTree(this.files, this.stageDirectory());
  }

  /** A stage that is not what it was is given up: the next pass makes another. */
  private async stagedContent({ path, sha256 }: ListedFile): Promise<Uint8Array> {
    const bytes = await this.files.read(`${this.stageDirectory()}/${path}`);
    if (bytes !== undefined && hashOfBytes(bytes) === sha256) return bytes;
    await this.files.removeTree(this.stageDirectory());
    throw zesterError('MIRROR_PLACE', {
      path: this.stageDirectory(),
      reason: `somebody ${bytes === undefined ? 'removed' : 'changed'} ${path} in it`,
    });
  }

  private stageDirectory(): string {
    return `${this.directory}/${STAGE_NAME}`;
  }

  private marker(): string {
    return `${this.directory}/${MARKER_NAME}`;
  }
}

/** What a write left that was cut off is none of them: it goes with the rest that does not belong there. */
function isOwn(path: string): boolean {
  return path === LOST_AND_FOUND || (path.startsWith(OWN_NAMES) && !TEMPORARY_NAME.test(path));
}
