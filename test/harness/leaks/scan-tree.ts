/**
 * `scanTree` looks for planted secrets in everything below a directory: contents of files, names, and where links lead. What
 * disappears while it looks is left out; anything else that cannot be read throws, because an unread file is not a clean one.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Leak, LeakScanner } from './leak-scanner.ts';

export interface FileLeak extends Leak {
  /** Relative to the directory. */
  readonly file: string;
  readonly where: 'content' | 'name' | 'link';
}

export interface TreeScan {
  readonly leaks: readonly FileLeak[];
  readonly files: number;
  readonly bytes: number;
}

/** More is no file of a test. */
const FILE_BYTES_MAX = 512 * 1024 * 1024;

/** `isAllowed`: files whose content may have secrets. Their names may not. */
export function scanTree(
  root: string,
  scanner: LeakScanner,
  isAllowed: (file: string) => boolean = () => false,
): TreeScan {
  const leaks: FileLeak[] = [];
  let files = 0;
  let bytes = 0;
  const note = (file: string, where: FileLeak['where'], content: Uint8Array) => {
    for (const leak of scanner.scan(content)) leaks.push({ ...leak, file, where });
  };
  const visit = (path: string): void => {
    const file = relative(root, path);
    const stat = lstatSync(path);
    note(file, 'name', Buffer.from(file));
    if (stat.isDirectory()) for (const name of readdirSync(path)) ifThere(() => visit(join(path, name)));
    if (stat.isSymbolicLink()) note(file, 'link', readlinkSync(path, { encoding: 'buffer' }));
    if (!stat.isFile()) return;
    if (stat.size > FILE_BYTES_MAX) throw new Error(`${path} is too large to be scanned`);
    files += 1;
    bytes += stat.size;
    if (!isAllowed(file)) note(file, 'content', readFileSync(path));
  };
  visit(root);
  return { leaks, files, bytes };
}

export function leakText({ file, where, canary, spelling, offset, around }: FileLeak): string {
  const place = where === 'content' ? `${file}:${offset}` : `${file} (its ${where})`;
  return `${place}: ${canary} as ${spelling}: ${around}`;
}

function ifThere(look: () => void): void {
  try {
    look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
