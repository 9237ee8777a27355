/**
 * This file reads the source tree as the house rules see it: each file with its text, its imports, and its code without
 * comments.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  /** First folder under src/ (or under the folder that was asked for). */
  readonly room: string;
  readonly text: string;
  /** The text with comments blanked out, strings left in. */
  readonly code: string;
  /** What it imports: paths from the root for our own files, specifiers for the rest. */
  readonly imports: readonly string[];
}

const ROOT = resolve(import.meta.dirname, '../..');
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|(?:^|\n)\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/g;

/** Without tests. */
export function sourceFiles(folder = 'src'): SourceFile[] {
  return listFiles(join(ROOT, folder))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(readSource);
}

export function listFiles(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

function readSource(file: string): SourceFile {
  const path = relative(ROOT, file);
  const text = readFileSync(file, 'utf8');
  const code = withoutComments(text);
  const imports = [...code.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    return specifier.startsWith('.') ? relative(ROOT, resolve(dirname(file), specifier)) : specifier;
  });
  return { path, room: path.split('/')[1] ?? '', text, code, imports };
}

/** Only the comments, each character in its place. */
export function commentsOf(text: string): string {
  const code = withoutComments(text);
  return text.replace(/[^\n]/g, (character, at: number) => (code[at] === character ? ' ' : character));
}

/** Good enough for our own code: comments do not occur inside strings, except `//` in URLs, which a colon precedes. */
export function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(
      /(^|[^:'"`\\])\/\/[^\n]*/g,
      (comment, before: string) => before + ' '.repeat(comment.length - before.length),
    );
}
