/**
 * This file finds how this program is called from where the user stands, so that a hint can be copied and works:
 * `zester` if that finds this very program on PATH, else the path to it (`bin/zester` in a clone).
 */
import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Texts name the program so; `asCalled` puts the real name in its place. */
const WRITTEN = 'zester';

export interface ProgramPlace {
  /** The file a user runs. */
  readonly file: string;
  readonly cwd: string;
  readonly path: string | undefined;
}

export function programName({ file, cwd, path }: ProgramPlace): string {
  if (!existsSync(file) || isFoundOnPath(file, path ?? '')) return WRITTEN;
  const near = relative(cwd, file);
  if (near.startsWith('..')) return file;
  return near.includes('/') ? near : `./${near}`;
}

/** Commands in texts stand in backticks: `` `zester up` ``. */
export function asCalled(text: string, program: string): string {
  return text.replaceAll(`\`${WRITTEN} `, `\`${program} `);
}

/** Examples and usage lines start with the program. */
export function exampleAsCalled(line: string, program: string): string {
  return line.replace(
    new RegExp(`^(\\s*(?:Usage: )?)${WRITTEN} `),
    (_, before: string) => `${before}${program} `,
  );
}

/** What a shell would run, the first one it finds. */
function isFoundOnPath(file: string, path: string): boolean {
  const found = path
    .split(':')
    .map((dir) => join(dir === '' ? '.' : dir, WRITTEN))
    .find((each) => existsSync(each));
  return found !== undefined && realpathSync(found) === realpathSync(file);
}
