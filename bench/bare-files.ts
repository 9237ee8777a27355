/**
 * What the machine takes for the same work on the same files, with node:fs and nothing else: looking at them (stat, read,
 * hash), and writing them durably (temporary file, fsync, rename, fsync of the directory). One after another, as a plain
 * loop does, and many at once, as the engine does.
 */
import { createHash } from 'node:crypto';
import { lstat, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface BareFile {
  readonly path: string;
  readonly text: string;
}

export async function look({ path, text }: BareFile): Promise<void> {
  const { size } = await lstat(path);
  const hash = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  if (size !== Buffer.byteLength(text) || hash.length !== 64) throw new Error(`${path} is another file`);
}

export async function write({ path, text }: BareFile): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'wx', 0o644);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(temporary, path);
  const directory = await open(dirname(path), 'r');
  await directory.sync();
  await directory.close();
}

export async function inALoop(files: readonly BareFile[], work: (file: BareFile) => Promise<void>) {
  for (const file of files) await work(file);
}

export async function allAtOnce(files: readonly BareFile[], work: (file: BareFile) => Promise<void>) {
  await Promise.all(files.map(work));
}
