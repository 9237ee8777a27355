/** This part of the lexer reads the inside of a tag: names, numbers, strings and operators up to the end of the tag. */

import { WORD_CLASS } from '../../regex/character-classes.ts';
import { repr } from '../values/print.ts';
import { codePointLength } from '../values/text/code-points.ts';
import { readNumber } from './lex-number.ts';
import type { Scan } from './lex-scan.ts';
import { readEscapes } from './lex-string.ts';
import { EXPRESSION_NESTING_MAX, NESTED_TOO_DEEP } from './parse-depth.ts';

/** Reads tokens from the scan's position to behind the end of the tag, or to the end of the template. */
export function lexTag(scan: Scan, kind: 'variable' | 'block' | 'lineStatement'): void {
  const endAt = END_FINDERS[kind];
  /** The closing brackets that are still to come: within brackets nothing ends the tag. */
  const closers: string[] = [];
  while (scan.pos < scan.text.length) {
    if (closers.length === 0) {
      const end = endAt(scan);
      if (end !== undefined) {
        scan.add(kind === 'variable' ? 'variableEnd' : 'blockEnd', '', scan.pos);
        scan.pos = end;
        return;
      }
    }
    const afterSpaces = scan.afterSpaces(scan.pos);
    if (afterSpaces > scan.pos) scan.pos = afterSpaces;
    else lexToken(scan, closers);
  }
  // The end of the template ends a line statement, but no other tag.
  if (kind === 'lineStatement' && closers.length === 0) scan.add('blockEnd', '', scan.pos);
}

const END_FINDERS: Readonly<
  Record<'variable' | 'block' | 'lineStatement', (scan: Scan) => number | undefined>
> = {
  variable: (scan) => scan.afterEnd(scan.pos, scan.syntax.variableEnd, { trims: false, keeps: false }),
  block: (scan) =>
    scan.afterEnd(scan.pos, scan.syntax.blockEnd, { trims: scan.syntax.trimBlocks, keeps: true }),
  lineStatement: endOfLineStatement,
};

/** A line statement takes the blank lines that follow along, but not the indentation of the line after them. */
function endOfLineStatement(scan: Scan): number | undefined {
  const end = scan.afterSpaces(scan.pos);
  if (end === scan.text.length) return end;
  const newline = scan.text.slice(scan.pos, end).lastIndexOf('\n');
  return newline < 0 ? undefined : scan.pos + newline + 1;
}

const ASCII_NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NAME = new RegExp(`[${WORD_CLASS}\\p{XID_Continue}]+`, 'uy');
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const OPERATOR = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function lexToken(scan: Scan, closers: string[]): void {
  const { text, pos } = scan;
  const char = text.charAt(pos);
  if (char >= '0' && char <= '9') lexNumber(scan);
  else if (!lexName(scan) && !lexString(scan, char)) lexOperator(scan, closers);
}

function match(pattern: RegExp, text: string, pos: number): string | undefined {
  pattern.lastIndex = pos;
  return pattern.exec(text)?.[0];
}

function lexNumber(scan: Scan): void {
  const number = readNumber(scan.text, scan.pos);
  if (typeof number === 'string') throw scan.fault(number, scan.pos);
  scan.add(number.type, scan.text.slice(scan.pos, number.end), scan.pos, number.value);
  scan.pos = number.end;
}

function lexName(scan: Scan): boolean {
  const { text, pos } = scan;
  const ascii = match(ASCII_NAME, text, pos);
  const stop = pos + (ascii?.length ?? 0);
  // A letter outside of ASCII may go on where the fast expression stops, or start the name.
  const name = text.charCodeAt(stop) > 0x7f ? match(NAME, text, pos) : ascii;
  if (name === undefined) return false;
  if (name !== ascii && !IDENTIFIER.test(name)) throw scan.fault('Invalid character in identifier', pos);
  scan.add('name', name, pos);
  scan.pos += name.length;
  return true;
}

function lexString(scan: Scan, quote: string): boolean {
  if (quote !== "'" && quote !== '"') return false;
  const { text, pos } = scan;
  const end = endOfString(text, pos, quote);
  if (end === undefined) return false;
  const { newlineSequence } = scan.syntax;
  const inside = text.slice(pos + 1, end - 1);
  const read = readEscapes(newlineSequence === '\n' ? inside : inside.replaceAll('\n', newlineSequence));
  if ('fault' in read) throw scan.fault(read.fault, pos);
  scan.add('string', read.text, pos);
  scan.pos = end;
  return true;
}

/** Behind the closing quote, or undefined where there is none. */
function endOfString(text: string, start: number, quote: string): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === quote) return at + 1;
    if (char === '\\') at++;
  }
  return undefined;
}

function lexOperator(scan: Scan, closers: string[]): void {
  const operator = match(OPERATOR, scan.text, scan.pos);
  if (operator === undefined) throw unexpectedChar(scan);
  const closer = CLOSERS[operator];
  if (closer !== undefined) {
    // The parser would refuse it too, but only after all of it has been read.
    if (closers.length >= EXPRESSION_NESTING_MAX)
      throw scan.fault(NESTED_TOO_DEEP, scan.pos, { type: 'LimitError' });
    closers.push(closer);
  } else if (operator === ')' || operator === ']' || operator === '}') {
    const expected = closers.pop();
    if (expected === undefined) throw scan.fault(`unexpected '${operator}'`, scan.pos);
    if (expected !== operator) throw scan.fault(`unexpected '${operator}', expected '${expected}'`, scan.pos);
  }
  scan.add('operator', operator, scan.pos);
  scan.pos += operator.length;
}

/** What people write who come from other languages. */
const FOREIGN_OPERATORS: Readonly<Record<string, string>> = { '&': 'and', '!': 'not' };

function unexpectedChar(scan: Scan): Error {
  const { text, pos } = scan;
  const char = String.fromCodePoint(text.codePointAt(pos) ?? 0);
  const meant = FOREIGN_OPERATORS[char];
  return scan.fault(
    `unexpected char ${repr(char)} at ${codePointLength(text.slice(0, pos))}`,
    pos,
    meant === undefined ? {} : { near: [meant] },
  );
}
