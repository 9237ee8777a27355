/**
 * `directoryLoader` loads templates from a directory: what a template includes or imports is looked up there, and
 * nowhere else.
 */
import { readFileSync } from 'node:fs';
import { posix, resolve, sep } from 'node:path';
import type { Loader } from '../../core/jinja/render/loader.ts';

/** Salt's way to name a file of the tree. */
const SALT_PREFIX = /^salt:\/\//;

export function directoryLoader(root: string): Loader {
  return {
    load(name) {
      const path = resolve(root, name);
      // A name with `..` must not lead out of the directory.
      if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
      try {
        return readFileSync(path, 'utf8');
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    join(name, parent) {
      if (/^\.\.?\//.test(name)) return posix.join(posix.dirname(parent), name);
      return name.replace(SALT_PREFIX, '');
    },
  };
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}
