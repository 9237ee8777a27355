/**
 * A tag finder finds the next tag in template text. Where several could start at the same place the longer delimiter
 * wins, and among equally long ones a fixed order: that is Jinja2's rule, and with delimiters of one's own it matters.
 */
import { SPACE_CLASS } from '../../regex/character-classes.ts';
import type { Syntax } from './syntax-options.ts';

type TagKind = 'variable' | 'lineStatement' | 'lineComment' | 'comment' | 'block';

export interface FoundTag {
  readonly kind: TagKind;
  readonly start: number;
  /** After the delimiter; a sign for whitespace control may follow. */
  readonly end: number;
}

export type TagFinder = (text: string, from: number) => FoundTag | undefined;

const AT_LINE_START = '(?<![^\\n])';
const SPACE_WITHIN_LINE = SPACE_CLASS.replace('\\t-\\r', '\\t\\v\\f');

export function makeTagFinder(syntax: Syntax): TagFinder {
  // In the order of precedence among delimiters of the same length.
  const kinds: { kind: TagKind; length: number; pattern: string }[] = [
    { kind: 'variable', length: syntax.variableStart.length, pattern: escapeRegex(syntax.variableStart) },
  ];
  if (syntax.lineStatementPrefix !== undefined)
    kinds.push({
      kind: 'lineStatement',
      length: syntax.lineStatementPrefix.length,
      pattern: `${AT_LINE_START}[ \\t\\v]*${escapeRegex(syntax.lineStatementPrefix)}`,
    });
  if (syntax.lineCommentPrefix !== undefined)
    kinds.push({
      kind: 'lineComment',
      length: syntax.lineCommentPrefix.length,
      pattern: `(?:${AT_LINE_START}|(?<=[^${SPACE_CLASS}]))[${SPACE_WITHIN_LINE}]*${escapeRegex(syntax.lineCommentPrefix)}`,
    });
  kinds.push(
    { kind: 'comment', length: syntax.commentStart.length, pattern: escapeRegex(syntax.commentStart) },
    { kind: 'block', length: syntax.blockStart.length, pattern: escapeRegex(syntax.blockStart) },
  );
  kinds.sort((a, b) => b.length - a.length);

  const search = new RegExp(kinds.map(({ pattern }) => `(${pattern})`).join('|'), 'g');
  return (text, from) => {
    search.lastIndex = from;
    const match = search.exec(text);
    if (match === null) return undefined;
    const which = kinds.findIndex((_, index) => match[index + 1] !== undefined);
    const kind = kinds[which]?.kind ?? 'block';
    return { kind, start: match.index, end: search.lastIndex };
  };
}

function escapeRegex(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
