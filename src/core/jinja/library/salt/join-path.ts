/** Paths put together as Salt's `path_join` does: later parts never start at the root, and dots are resolved. */
export function joinPath(parts: readonly string[]): string {
  const [root = '', ...rest] = parts.map(normalPath);
  if (rest.length === 0) return root;
  const below = rest.map((part) => part.replace(/^\/+/, ''));
  return normalPath(
    below.reduce((path, part) => (path.endsWith('/') ? path + part : `${path}/${part}`), root),
  );
}

/** Python's `posixpath.normpath`. */
function normalPath(path: string): string {
  if (path === '') return '.';
  // Exactly two slashes at the start mean something of their own to POSIX, and are kept.
  const start = /^\/\/(?!\/)/.test(path) ? '//' : path.startsWith('/') ? '/' : '';
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const isUp = part === '..';
    if (!isUp || kept.at(-1) === '..' || (kept.length === 0 && start === '')) kept.push(part);
    else kept.pop();
  }
  return start + kept.join('/') || '.';
}
