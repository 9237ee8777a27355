/** `editLine` edits one line of a text: there, as it should be, or gone. */
import type { TextRegex } from '../../../core/regex/text-regex.ts';
import { joinLines, type Lines, splitLines, withLines } from './edit-text.ts';

export const LINE_MODES = ['ensure', 'replace', 'insert', 'delete'] as const;
export type LineMode = (typeof LINE_MODES)[number];

/** A line of the text that another one is put beside: one that has this text in it, else one that the pattern fits. */
export interface Anchor {
  readonly text: string;
  readonly regex: TextRegex;
}

export interface LineRule {
  readonly mode: LineMode;
  readonly content: string;
  /** Lines to replace or to delete. Without it: those that are the content. */
  readonly match: TextRegex | undefined;
  readonly after: Anchor | undefined;
  readonly before: Anchor | undefined;
  /** Where it is put when there is no anchor. */
  readonly location: 'start' | 'end';
  /** Whether it gets the indentation of the line it replaces or stands beside. Content that has its own keeps that. */
  readonly indent: boolean;
}

export function editLine(text: string, rule: LineRule): string {
  const there = splitLines(text);
  switch (rule.mode) {
    case 'delete':
      return joinLines({ ...there, lines: there.lines.filter((line) => !isMeant(line, rule)) });
    case 'replace':
      return joinLines({
        ...there,
        lines: there.lines.map((line) => (isMeant(line, rule) ? beside(line, rule) : line)),
      });
    case 'insert':
      return isThere(there.lines, rule) ? text : inserted(there, rule);
    case 'ensure':
      return ensured(text, there, rule);
  }
}

/**
 * The first match becomes the content. Content that the pattern does not fit would leave the next match to the next run:
 * there, it is enough that it stands somewhere.
 */
function ensured(text: string, there: Lines, rule: LineRule): string {
  const { match, content } = rule;
  const settles = match?.test(content) ?? false;
  if (!settles && isThere(there.lines, rule)) return text;
  const first = match === undefined ? -1 : there.lines.findIndex((line) => match.test(line));
  if (first < 0) return isThere(there.lines, rule) ? text : inserted(there, rule);
  return joinLines({ ...there, lines: there.lines.with(first, beside(there.lines[first] ?? '', rule)) });
}

function isMeant(line: string, rule: LineRule): boolean {
  return rule.match === undefined ? isContent(line, rule) : rule.match.test(line);
}

function isThere(lines: readonly string[], rule: LineRule): boolean {
  return lines.some((line) => isContent(line, rule));
}

function isContent(line: string, rule: LineRule): boolean {
  return line === rule.content || (takesIndent(rule) && line.trimStart() === rule.content);
}

function takesIndent({ indent, content }: LineRule): boolean {
  return indent && !/^\s/.test(content);
}

function beside(line: string, rule: LineRule): string {
  return takesIndent(rule) ? `${/^\s*/.exec(line)?.[0] ?? ''}${rule.content}` : rule.content;
}

function inserted({ lines, ended }: Lines, rule: LineRule): string {
  const { at, line } = placeFor(lines, rule);
  return joinLines({ lines: withLines(lines, at, [line]), ended: ended || at === lines.length });
}

function placeFor(lines: readonly string[], rule: LineRule): { readonly at: number; readonly line: string } {
  const after = indexOf(lines, rule.after);
  if (after >= 0) return { at: after + 1, line: beside(lines[after] ?? '', rule) };
  const before = indexOf(lines, rule.before);
  if (before >= 0) return { at: before, line: beside(lines[before] ?? '', rule) };
  return { at: rule.location === 'start' ? 0 : lines.length, line: rule.content };
}

function indexOf(lines: readonly string[], anchor: Anchor | undefined): number {
  if (anchor === undefined) return -1;
  const literal = lines.findIndex((line) => line.includes(anchor.text));
  return literal >= 0 ? literal : lines.findIndex((line) => anchor.regex.test(line));
}
