/** These rules say what Linux does to permission bits and groups by itself. For whoever predicts or imitates it. */
import type { FileKind, FileStat } from './files.ts';

const SET_UID = 0o4000;
const SET_GID = 0o2000;
const GROUP_EXECUTE = 0o010;

/** A new owner takes set-uid off a file, and set-gid where the group may execute it (without that it means locking). */
export function modeAfterChown(kind: FileKind, mode: number): number {
  if (kind !== 'file') return mode;
  const lost = (mode & GROUP_EXECUTE) === 0 ? SET_UID : SET_UID | SET_GID;
  return mode & ~lost;
}

/** What is made in a directory with set-gid gets the directory's group. */
export function groupOfNew(directory: Pick<FileStat, 'mode' | 'gid'>, ours: number): number {
  return (directory.mode & SET_GID) === 0 ? ours : directory.gid;
}
