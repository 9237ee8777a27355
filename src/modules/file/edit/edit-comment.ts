/** These edits comment lines out and in again. A line is a comment when the mark is the first thing in it. */
import type { TextRegex } from '../../../core/regex/text-regex.ts';
import { joinLines, splitLines } from './edit-text.ts';

export interface CommentRule {
  /** Fits the line as it is without the mark. */
  readonly regex: TextRegex;
  /** Such as `#`. Does not start with white space. */
  readonly mark: string;
}

export function commentLines(text: string, { regex, mark }: CommentRule): string {
  const there = splitLines(text);
  const commented = (line: string) => line.trimStart().startsWith(mark);
  return joinLines({
    ...there,
    lines: there.lines.map((line) => (!commented(line) && regex.test(line) ? `${mark}${line}` : line)),
  });
}

export function uncommentLines(text: string, rule: CommentRule): string {
  const there = splitLines(text);
  return joinLines({ ...there, lines: there.lines.map((line) => uncommented(line, rule)) });
}

/** Every mark in front is taken away while the pattern fits what is behind it: `##x` is a comment in a comment. */
function uncommented(line: string, { regex, mark }: CommentRule): string {
  let result = line;
  for (;;) {
    const indent = /^\s*/.exec(result)?.[0] ?? '';
    if (!result.startsWith(mark, indent.length)) return result;
    const rest = result.slice(indent.length + mark.length);
    if (regex.test(rest)) result = `${indent}${rest}`;
    // `# Port 22` is the line `Port 22`, too.
    else if (regex.test(rest.trimStart())) result = `${indent}${rest.trimStart()}`;
    else return result;
  }
}
