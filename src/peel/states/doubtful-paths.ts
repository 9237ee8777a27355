/**
 * Remembers the paths that an apply may find other than a dry run shows them, because whether the step that leaves them
 * so will happen is itself not known. A plan that looked at one of them is not known either.
 *
 * Compared as text; what is reached over a link under another name is not noticed.
 */
import type { ReadFiles } from '../../system/files.ts';

export class DoubtfulPaths {
  private readonly paths = new Set<string>();

  add(paths: Iterable<string>): void {
    for (const path of paths) this.paths.add(path);
  }

  /** The same files, and whether anybody who looked through them saw what is in doubt. */
  watch(files: ReadFiles): { readonly files: ReadFiles; readonly sawDoubt: () => boolean } {
    let saw = false;
    const at =
      <Rest extends unknown[], Answer>(look: (path: string, ...rest: Rest) => Answer) =>
      (path: string, ...rest: Rest): Answer => {
        saw ||= this.holds(path);
        return look(path, ...rest);
      };
    const below =
      <Rest extends unknown[], Answer>(look: (path: string, ...rest: Rest) => Answer) =>
      (path: string, ...rest: Rest): Answer => {
        saw ||= this.holds(path) || this.holdsBelow(path);
        return look(path, ...rest);
      };
    return {
      files: {
        read: at(files.read),
        stat: at(files.stat),
        lstat: at(files.lstat),
        readLink: at(files.readLink),
        realPath: at(files.realPath),
        list: below(files.list),
        walk: below(files.walk),
      },
      sawDoubt: () => saw,
    };
  }

  /** The path, or a directory it is in. */
  private holds(path: string): boolean {
    if (this.paths.size === 0) return false;
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.paths.has(path.slice(0, end))) return true;
    return false;
  }

  private holdsBelow(directory: string): boolean {
    const prefix = directory.endsWith('/') ? directory : `${directory}/`;
    return [...this.paths].some((path) => path.startsWith(prefix));
  }
}
