/**
 * This adapter hears of what happens in one directory by inotify, through node:fs. All watches of a process share one
 * queue of the kernel; when it overflows, Node drops the rest and says nothing.
 */
import { type FSWatcher, watch } from 'node:fs';
import { Errno, errnoOf } from '../errno.ts';
import { nameFromBytes, nativePath } from '../file-path.ts';
import type { WatchDirectory } from '../watch-tree.ts';

/** inotify(7) gives these numbers a meaning of their own. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the kernel gives this user no more watches (fs.inotify.max_user_watches)',
  EMFILE: 'the kernel lets no more programs of this user watch (fs.inotify.max_user_instances)',
};

export const linuxDirectoryWatch: WatchDirectory = (path, { heard, lost }) => {
  let isStopped = false;
  const watcher = open(path, (name) => {
    if (!isStopped) heard(name === null ? undefined : nameFromBytes(name));
  });
  const stop = () => {
    isStopped = true;
    watcher.close();
  };
  watcher.on('error', () => {
    if (isStopped) return;
    stop();
    lost();
  });
  return { stop };
};

function open(path: string, listener: (name: Buffer | null) => void): FSWatcher {
  try {
    const options = { persistent: false, encoding: 'buffer' } as const;
    return watch(nativePath(path), options, (_event, name) => listener(name));
  } catch (error) {
    const errno = errnoOf(error);
    const reason = errno === undefined ? undefined : REASONS[errno];
    throw errno === undefined || reason === undefined ? error : new Errno(errno, reason);
  }
}
