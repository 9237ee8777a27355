/**
 * `readFileModes` tells who may read and write the keys and credentials on this machine. It reads names and modes,
 * never contents.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileMode, FileModeFacts } from '../../core/doctor/file-modes.ts';

const SECRET = /\.(?:seed|creds|key)$/;
const PERMISSIONS = 0o777;
const DEPTH_MAX = 3;

/** Of the auth directory, and of the peels of a local deployment. */
export function readFileModes(authDir: string, fleetDir: string | undefined): FileModeFacts {
  try {
    if (lstatSync(authDir, { throwIfNoEntry: false }) === undefined)
      return { notRead: `${authDir} is not there` };
    const peels =
      fleetDir === undefined ? [] : modesBelow(join(fleetDir, 'peels'), DEPTH_MAX).filter(isSecret);
    const files = [...modesBelow(authDir, DEPTH_MAX), ...peels];
    return { directory: authDir, files, uid: process.getuid?.() ?? 0 };
  } catch (error) {
    return { notRead: `${authDir} cannot be read: ${(error as Error).message}` };
  }
}

/** The path itself and what is below it; links are not followed. */
function modesBelow(path: string, depth: number): FileMode[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink()) return [];
  const isDirectory = stat.isDirectory();
  const kind = isDirectory ? 'directory' : SECRET.test(path) ? 'secret' : 'public';
  const below =
    isDirectory && depth > 0
      ? readdirSync(path)
          .sort()
          .map((name) => join(path, name))
      : [];
  return [
    { path, kind, mode: stat.mode & PERMISSIONS, uid: stat.uid },
    ...below.flatMap((each) => modesBelow(each, depth - 1)),
  ];
}

function isSecret({ kind }: FileMode): boolean {
  return kind === 'secret';
}
