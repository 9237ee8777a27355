/**
 * The lexer cuts a target expression into words and parentheses. Blanks separate words. Quotes, single or double,
 * anywhere in a word keep blanks, parentheses and the words `and`, `or`, `not` from meaning anything, and are taken
 * off. Parentheses inside a word belong to it as long as they pair up, so that `E@^(web|db)-` and `Intel(R)` need no
 * quotes.
 */
import { zesterError } from '../errors/zester-error.ts';
import { TOKENS_MAX } from './target.ts';
import { placeIn, tooLarge } from './target-error.ts';

export type TargetToken = Parenthesis | Word;

export interface Parenthesis {
  readonly kind: '(' | ')';
  readonly column: number;
}

export interface Word {
  readonly kind: 'word';
  /** Without quotes. */
  readonly text: string;
  /** `and`, `or`, `not`, unless it was quoted. */
  readonly operator: TargetOperator | undefined;
  readonly isQuoted: boolean;
  readonly column: number;
  /** The column of a character of the text; behind the last one, that of the last one. */
  readonly columnOf: (offset: number) => number;
}

export type TargetOperator = 'and' | 'or' | 'not';

export function lexTarget(expression: string): TargetToken[] {
  const tokens: TargetToken[] = [];
  let at = 0;
  while (at < expression.length) {
    if (tokens.length > TOKENS_MAX)
      throw tooLarge(expression, at + 1, { max: TOKENS_MAX, what: 'words and parentheses' });
    const char = expression.charAt(at);
    if (isBlank(char)) {
      at++;
    } else if (char === '(' || char === ')') {
      tokens.push({ kind: char, column: ++at });
    } else {
      const { word, end } = readWord(expression, at);
      tokens.push(word);
      at = end;
    }
  }
  return tokens;
}

/** A stretch of the expression as if it were one word: for callers that say what the whole of it is. */
export function wholeWord(expression: string): Word | undefined {
  const text = expression.trim();
  const start = expression.length - expression.trimStart().length;
  return text === '' ? undefined : makeWord(text, start, { isQuoted: false });
}

export function operatorOf(text: string): TargetOperator | undefined {
  if (text.length > 3) return undefined;
  const lower = text.toLowerCase();
  return lower === 'and' || lower === 'or' || lower === 'not' ? lower : undefined;
}

export function isBlank(char: string): boolean {
  return /\s/.test(char);
}

/** Reads from a character that is neither blank nor a parenthesis. */
function readWord(expression: string, start: number): { readonly word: Word; readonly end: number } {
  /** Offsets of the parentheses inside the word that are still open. */
  const open: number[] = [];
  const pieces: Piece[] = [];
  let at = start;
  let pieceStart = start;
  const endPiece = () => pieces.push({ text: expression.slice(pieceStart, at), start: pieceStart });
  while (at < expression.length) {
    const char = expression.charAt(at);
    if (char === '"' || char === "'") {
      endPiece();
      const close = closingQuote(expression, at);
      pieces.push({ text: expression.slice(at + 1, close), start: at + 1 });
      at = close;
      pieceStart = close + 1;
    } else if (char === '(') {
      // `not(web*)`: here the parenthesis is one of the expression.
      if (pieces.length === 0 && operatorOf(expression.slice(start, at)) !== undefined) break;
      open.push(at);
    } else if (char === ')') {
      if (open.pop() === undefined) break;
    } else if (isBlank(char)) {
      break;
    }
    at++;
  }
  endPiece();
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw unclosedParenthesis(expression, unclosed + 1);
  return { word: joinPieces(pieces, start), end: at };
}

interface Piece {
  readonly text: string;
  readonly start: number;
}

function joinPieces(pieces: readonly Piece[], start: number): Word {
  const isQuoted = pieces.length > 1;
  const text = pieces.map((piece) => piece.text).join('');
  if (!isQuoted) return makeWord(text, start, { isQuoted });
  const columnOf = (offset: number): number => {
    let left = Math.min(offset, text.length - 1);
    for (const piece of pieces) {
      if (left < piece.text.length) return piece.start + Math.max(left, 0) + 1;
      left -= piece.text.length;
    }
    return start + 1;
  };
  return { kind: 'word', text, operator: undefined, isQuoted, column: start + 1, columnOf };
}

function makeWord(text: string, start: number, { isQuoted }: { readonly isQuoted: boolean }): Word {
  const columnOf = (offset: number) => start + Math.min(offset, text.length - 1) + 1;
  return { kind: 'word', text, operator: operatorOf(text), isQuoted, column: start + 1, columnOf };
}

function closingQuote(expression: string, open: number): number {
  const close = expression.indexOf(expression.charAt(open), open + 1);
  if (close >= 0) return close;
  const place = placeIn(expression, open + 1);
  throw zesterError('TARGET_SYNTAX', { problem: 'the quote is never closed', excerpt: place.excerpt }, place);
}

export function unclosedParenthesis(expression: string, column: number): Error {
  const place = placeIn(expression, column);
  const problem = 'the parenthesis is never closed';
  return zesterError('TARGET_SYNTAX', { problem, excerpt: place.excerpt }, place);
}
