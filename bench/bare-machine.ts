/**
 * This baseline measures what the machine takes for the same work with Node and nothing else: looking at files (stat,
 * read, hash), writing them durably (temporary file, fsync, rename, fsync of the directory), running commands. One
 * after another, as a plain loop does, and all at once, as the engine does.
 */
import { spawn } from 'node:child_process';
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

export async function inALoop<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  for (const item of items) await work(item);
}

export async function allAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  await Promise.all(items.map(work));
}

/** In a session of its own and with its output read, as the engine starts commands. */
export function runShell(command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
