/** `TokenStream` gives the tokens one after the other, with the errors that the parser reports about them. */

import { TemplateError } from '../errors.ts';
import { repr } from '../values/print.ts';
import type { Position } from './ast.ts';
import { meantInstead } from './syntax-suggestions.ts';
import { describeToken, describeType, type Token, type Tokens, type TokenType } from './token.ts';

const TEMPLATE_START: Position = { offset: 0, line: 1, column: 1 };

export class TokenStream {
  current: Token;
  /** The token before the current one. */
  previous: Token | undefined;
  /** How many tokens were before the current one. */
  index = 0;
  private readonly tokens: readonly Token[];
  private readonly fault: TemplateError | undefined;
  private readonly source: string;
  private readonly name: string | undefined;

  constructor({ tokens, fault }: Tokens, source: string, name: string | undefined) {
    this.tokens = tokens;
    this.fault = fault;
    this.source = source;
    this.name = name;
    this.current = this.at(0);
  }

  /** The current token; the stream moves on to the one after it. */
  next(): Token {
    const token = this.current;
    this.previous = token;
    this.current = this.at(++this.index);
    return token;
  }

  /** The token after the current one. */
  look(): Token {
    return this.at(this.index + 1);
  }

  isName(word: string): boolean {
    return this.current.type === 'name' && this.current.text === word;
  }

  isOperator(operator: string): boolean {
    return this.current.type === 'operator' && this.current.text === operator;
  }

  skipName(word: string): boolean {
    const is = this.isName(word);
    if (is) this.next();
    return is;
  }

  skipOperator(operator: string): boolean {
    const is = this.isOperator(operator);
    if (is) this.next();
    return is;
  }

  expect(type: TokenType): Token {
    if (this.current.type !== type) throw this.unexpected(describeType(type));
    return this.next();
  }

  expectName(word: string): Token {
    if (!this.isName(word)) throw this.unexpected(word);
    return this.next();
  }

  expectOperator(operator: string): Token {
    if (!this.isOperator(operator)) throw this.unexpected(operator);
    return this.next();
  }

  error(
    message: string,
    at: Position = this.current.at,
    more: { type?: string; near?: readonly string[]; note?: string | undefined } = {},
  ): TemplateError {
    return new TemplateError({
      type: more.type ?? 'TemplateSyntaxError',
      message,
      name: this.name,
      line: at.line,
      column: at.column,
      source: this.source,
      near: more.near,
      note: more.note,
    });
  }

  private unexpected(expected: string): TemplateError {
    const { current } = this;
    if (current.type === 'eof') return this.error(`unexpected end of template, expected ${repr(expected)}.`);
    return this.error(`expected token ${repr(expected)}, got ${repr(describeToken(current))}`, current.at, {
      near: meantInstead({ expected, got: current, before: this.previous }),
    });
  }

  private at(index: number): Token {
    const token = this.tokens[index];
    if (token !== undefined) return token;
    if (this.fault !== undefined) throw this.fault;
    // As in Jinja2, the end of the template is reported where its last token starts.
    const at = this.tokens.at(-1)?.at ?? TEMPLATE_START;
    return { type: 'eof', text: '', number: 0, at };
  }
}
