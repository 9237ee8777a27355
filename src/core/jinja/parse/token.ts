/** A token is what the lexer hands to the parser. */

import type { TemplateError } from '../errors.ts';
import type { Position } from './ast.ts';

export type TokenType =
  | 'data'
  | 'variableBegin'
  | 'variableEnd'
  | 'blockBegin'
  | 'blockEnd'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'eof';

export interface Token {
  readonly type: TokenType;
  /** The name or operator as written; template text after whitespace control; a string with its escapes read. */
  readonly text: string;
  /** Of an integer or a float. */
  readonly number: number | bigint;
  readonly at: Position;
}

/**
 * The tokens of a template. Where the text cannot be read on there is a fault after the last token: the parser throws it
 * when it gets there, because a mistake that comes earlier in the template is reported first.
 */
export interface Tokens {
  readonly tokens: readonly Token[];
  readonly fault: TemplateError | undefined;
}

const WORDS: Readonly<Record<TokenType, string>> = {
  data: 'template data / text',
  variableBegin: 'begin of print statement',
  variableEnd: 'end of print statement',
  blockBegin: 'begin of statement block',
  blockEnd: 'end of statement block',
  name: 'name',
  string: 'string',
  integer: 'integer',
  float: 'float',
  operator: 'operator',
  eof: 'end of template',
};

/** The kind of token in the words of an error message. */
export function describeType(type: TokenType): string {
  return WORDS[type];
}

/** A token in the words of an error message: names and operators as written, others by their kind. */
export function describeToken(token: Token): string {
  return token.type === 'name' || token.type === 'operator' ? token.text : WORDS[token.type];
}
