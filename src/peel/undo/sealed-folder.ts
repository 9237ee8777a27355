/**
 * A sealed folder holds sealed files, written once each and never changed. A name is a number that counts up and some
 * chance: sorted by name is the order of writing, and two processes that share the folder do not overwrite each other.
 */
import type { Random } from '../../runtime/random.ts';
import { type Files, TEMPORARY_NAME } from '../../system/files.ts';
import type { Opened } from '../../trust/seal-at-rest.ts';
import type { UndoKey } from '../../trust/undo-key.ts';

const NAME = /^(\d{12})-[0-9a-f]{8}$/;
const NUMBER_DIGITS = 12;
const CHANCE_BYTES = 4;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Far above what the bounds of the journal can make. */
const FILE_BYTES_MAX = 128 * 1024 * 1024;

export interface SealedFolderParts {
  readonly files: Files;
  readonly key: UndoKey;
  readonly random: Random;
  /** Above the folder. */
  readonly directory: string;
  readonly folder: string;
}

export class SealedFolder {
  private readonly parts: SealedFolderParts;
  private number = 0;

  constructor(parts: SealedFolderParts) {
    this.parts = parts;
  }

  /** Makes the folder where it is missing and takes away what a kill in mid-write left. The names, sorted. */
  async prepare(): Promise<string[]> {
    const { files } = this.parts;
    await files.makeDirectory(this.path(), { parents: true, mode: FOLDER_MODE });
    const all = (await files.list(this.path())) ?? [];
    for (const name of all.filter((each) => TEMPORARY_NAME.test(each)))
      await files.removeFile(`${this.path()}/${name}`);
    const names = all.filter((name) => NAME.test(name));
    for (const name of names) this.number = Math.max(this.number, Number(NAME.exec(name)?.[1]));
    return names;
  }

  /** Durable when it returns. The name. */
  async write(plain: Uint8Array): Promise<string> {
    const { files, key, random } = this.parts;
    this.number += 1;
    const chance = Buffer.from(random.bytes(CHANCE_BYTES)).toString('hex');
    const name = `${String(this.number).padStart(NUMBER_DIGITS, '0')}-${chance}`;
    await files.writeAtomic(this.path(name), key.seal(this.place(name), plain), { mode: FILE_MODE });
    return name;
  }

  async read(name: string): Promise<Opened | undefined> {
    const sealed = await this.parts.files.read(this.path(name), { bytesMax: FILE_BYTES_MAX });
    return sealed === undefined ? undefined : this.parts.key.open(this.place(name), sealed);
  }

  async remove(name: string): Promise<void> {
    await this.parts.files.removeFile(this.path(name));
  }

  async writtenAtMs(name: string): Promise<number | undefined> {
    return (await this.parts.files.lstat(this.path(name)))?.mtimeMs;
  }

  path(name?: string): string {
    const folder = `${this.parts.directory}/${this.parts.folder}`;
    return name === undefined ? folder : `${folder}/${name}`;
  }

  private place(name: string): string {
    return `${this.parts.folder}/${name}`;
  }
}
