/**
 * These functions point at the place in an expression where something is wrong: a column for programs, two lines with a
 * caret for people.
 */
import { type SourcePosition, type ZesterError, zesterError } from '../errors/zester-error.ts';
import { printableLine } from '../printable.ts';

export interface TargetPlace {
  readonly at: SourcePosition;
  /** The expression, or a window of it, and a caret under the place. */
  readonly excerpt: string;
}

const SHOWN_CHARS_MAX = 72;
const QUOTED_CHARS_MAX = 40;

/** `column` counts from 1. One behind the end is moved to the last character. */
export function placeIn(expression: string, column: number): TargetPlace {
  const inside = Math.max(1, Math.min(column, expression.length));
  return { at: { file: 'target', column: inside }, excerpt: excerptAt(expression, inside) };
}

export interface Limit {
  readonly max: number;
  /** Of what, in the plural. */
  readonly what: string;
}

export function tooLarge(expression: string, column: number, limit: Limit): ZesterError {
  const place = placeIn(expression, column);
  return zesterError('TARGET_TOO_LARGE', { ...limit, excerpt: place.excerpt }, place);
}

/** Text of a person inside a message: in backquotes, shortened, nothing that a terminal would obey. */
export function quoted(text: string): string {
  return `\`${printableLine(text, QUOTED_CHARS_MAX)}\``;
}

function excerptAt(expression: string, column: number): string {
  const start = Math.max(0, Math.min(column - SHOWN_CHARS_MAX / 2, expression.length - SHOWN_CHARS_MAX));
  const end = Math.min(expression.length, start + SHOWN_CHARS_MAX);
  const before = start > 0 ? '…' : '';
  const after = end < expression.length ? '…' : '';
  const line = `${before}${printableLine(expression.slice(start, end))}${after}`;
  return `  ${line}\n  ${' '.repeat(before.length + column - 1 - start)}^`;
}
