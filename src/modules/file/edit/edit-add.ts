/**
 * `addMissing` adds texts to a file that does not have them, each as a whole: its lines, one after another, somewhere
 * in the file.
 */
import { joinLines, splitLines, writtenLines } from './edit-text.ts';

export interface AddRule {
  /** Each of one or more lines. */
  readonly texts: readonly string[];
  readonly at: 'start' | 'end';
  /** Whether lines that differ in white space only are the same. */
  readonly ignoreWhitespace: boolean;
}

export function addMissing(text: string, { texts, at, ignoreWhitespace }: AddRule): string {
  const { lines, ended } = splitLines(text);
  const compared = ignoreWhitespace ? withoutSpacing : (line: string) => line;
  const there = lines.map(compared);
  let added: readonly string[] = [];
  for (const wanted of texts.map(writtenLines)) {
    const run = wanted.map(compared);
    if (!hasRun(there, run) && !hasRun(added.map(compared), run)) added = [...added, ...wanted];
  }
  if (added.length === 0) return text;
  if (at === 'end') return joinLines({ lines: [...lines, ...added], ended: true });
  return joinLines({ lines: [...added, ...lines], ended });
}

function withoutSpacing(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function hasRun(lines: readonly string[], run: readonly string[]): boolean {
  const [first = ''] = run;
  for (let at = lines.indexOf(first); at >= 0; at = lines.indexOf(first, at + 1))
    if (run.every((line, offset) => lines[at + offset] === line)) return true;
  return false;
}
