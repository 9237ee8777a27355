/**
 * `Scan` is where the lexer stands in the text, and what it has found so far. Shared by the parts that read text and
 * tags.
 */

import { SPACE_CLASS } from '../../regex/character-classes.ts';
import { TemplateError } from '../errors.ts';
import { SourceText } from './source-text.ts';
import type { Syntax } from './syntax-options.ts';
import type { Token, TokenType } from './token.ts';

const SPACES = new RegExp(`[${SPACE_CLASS}]*`, 'uy');

export class Scan {
  readonly syntax: Syntax;
  readonly text: string;
  readonly tokens: Token[] = [];
  pos = 0;
  private readonly name: string | undefined;
  private readonly written: string;
  private readonly source: SourceText;

  constructor(written: string, name: string | undefined, syntax: Syntax) {
    this.syntax = syntax;
    this.name = name;
    this.written = written;
    this.source = new SourceText(written, syntax.keepTrailingNewline);
    this.text = this.source.text;
  }

  add(type: TokenType, text: string, start: number, number: number | bigint = 0): void {
    this.tokens.push({ type, text, number, at: this.source.positionOf(start) });
  }

  fault(
    message: string,
    start: number,
    { type = 'TemplateSyntaxError', near = [] }: { type?: string; near?: readonly string[] } = {},
  ): TemplateError {
    const { line, column } = this.source.positionOf(start);
    return new TemplateError({
      type,
      message,
      name: this.name,
      line,
      column,
      source: this.written,
      near,
    });
  }

  /** The first offset at or after `from` that is no whitespace. */
  afterSpaces(from: number): number {
    const first = this.text.charCodeAt(from);
    if (first > 0x20 && first < 0x7f) return from;
    SPACES.lastIndex = from;
    SPACES.test(this.text);
    return SPACES.lastIndex;
  }

  /**
   * Where a closing delimiter that may stand at `from` ends, with the whitespace it takes along: all of it after `-`, one
   * newline where blocks are trimmed. `keeps` says whether a `+` may stand before the delimiter.
   */
  afterEnd(from: number, delimiter: string, { trims, keeps }: EndRules): number | undefined {
    const { text } = this;
    // A sign goes first: a delimiter of one's own may itself start with one.
    const sign = text.charAt(from);
    if ((sign === '-' || (sign === '+' && keeps)) && text.startsWith(delimiter, from + 1)) {
      const end = from + 1 + delimiter.length;
      return sign === '-' ? this.afterSpaces(end) : end;
    }
    if (!text.startsWith(delimiter, from)) return undefined;
    const end = from + delimiter.length;
    return trims && text.charAt(end) === '\n' ? end + 1 : end;
  }
}

export interface EndRules {
  readonly trims: boolean;
  readonly keeps: boolean;
}
