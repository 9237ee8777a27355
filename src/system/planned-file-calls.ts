/** These are file calls on a planned tree, so that the very code that changes files carries out a plan as well. */
import { Errno } from './errno.ts';
import type { FileCalls, OpenFile } from './file-calls.ts';
import { inDirectory } from './file-path.ts';
import { READ_BYTES_MAX } from './files.ts';
import type { FoundFile, PlannedTree } from './planned-tree.ts';

export function plannedFileCalls(tree: PlannedTree): FileCalls {
  return {
    async open(path, how) {
      if (how === 'create') return openOn(tree, await tree.add(path, 'file', 0o600));
      const found = await tree.find(path, how !== 'directory-itself');
      if (how !== 'read' && found.stat.kind !== 'directory') throw new Errno('ENOTDIR');
      return openOn(tree, found);
    },
    stat: async (path) => (await tree.find(path, true)).stat,
    lstat: async (path) => (await tree.find(path, false)).stat,
    readLink: async (path) => tree.targetOf(await tree.find(path, false)),
    realPath: async (path) => (await tree.find(path, true)).path,
    makeDirectory: async (path) => void (await tree.add(path, 'directory', 0o700)),
    removeDirectory: (path) => tree.removeDirectory(path),
    unlink: (path) => tree.removeFile(path),
    symlink: async (target, path) => void (await tree.add(path, 'symlink', 0o777, target)),
    // No step gives a file a second name.
    link: () => Promise.reject(new Errno('ENOTSUP')),
    rename: (from, to) => tree.move(from, to),
    chmod: (path, mode) => tree.chmod(path, mode),
    chown: (path, uid, gid) => tree.chown(path, uid, gid),
    touch: (path, atMs) => tree.touch(path, atMs),
  };
}

function openOn(tree: PlannedTree, found: FoundFile): OpenFile {
  const { path } = found;
  let unread: Uint8Array | undefined;
  return {
    stat: async () => found.stat,
    async read(into) {
      unread ??= await tree.contentOf(found, Math.max(READ_BYTES_MAX, into.length));
      const bytes = unread.subarray(0, into.length);
      into.set(bytes);
      unread = unread.subarray(bytes.length);
      return bytes.length;
    },
    write: (bytes) => tree.write(path, bytes),
    chmod: (mode) => tree.chmod(path, mode),
    chown: (uid, gid) => tree.chown(path, uid, gid),
    sync: async () => undefined,
    names: async (max) => (await tree.namesIn(found)).slice(0, max),
    at: (name) => inDirectory(path, name),
    close: async () => undefined,
  };
}
