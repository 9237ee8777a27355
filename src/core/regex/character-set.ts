/**
 * Sets of characters as Python's `re` has them: a test for one code point, and a key that equal sets share. Case is
 * ignored as Python ignores it, which differs a little from JavaScript and from RE2.
 */
import { SPACE_CLASS, WORD_CLASS } from './character-classes.ts';

export interface CharacterSet {
  readonly key: string;
  readonly has: (point: number) => boolean;
}

export interface CharacterRange {
  readonly from: number;
  readonly to: number;
}

/** `\w`, `\d` or `\s`; a capital is everything else. */
export interface Category {
  readonly letter: string;
  readonly ascii: boolean;
}

export interface CaseRule {
  readonly ignoreCase: boolean;
  readonly ascii: boolean;
}

export function anyCharacter(withNewline: boolean): CharacterSet {
  return withNewline ? { key: '.s', has: () => true } : { key: '.', has: (point) => point !== NEWLINE };
}

const NEWLINE = 0x0a;

const UNICODE_CLASSES: Readonly<Record<string, RegExp>> = {
  w: new RegExp(`[${WORD_CLASS}]`, 'u'),
  d: /\p{Nd}/u,
  s: new RegExp(`[${SPACE_CLASS}]`, 'u'),
};
const ASCII_CLASSES: Readonly<Record<string, RegExp>> = { w: /\w/, d: /\d/, s: /[\t-\r ]/ };

export function isWordCharacter(point: number, ascii: boolean): boolean {
  return isIn({ letter: 'w', ascii }, point);
}

function isIn({ letter, ascii }: Category, point: number): boolean {
  const small = letter.toLowerCase();
  const found = (ascii ? ASCII_CLASSES : UNICODE_CLASSES)[small]?.test(String.fromCodePoint(point)) === true;
  return found === (letter === small);
}

/** What stands in square brackets, or a single letter or category. */
export function characterSet(
  ranges: readonly CharacterRange[],
  categories: readonly Category[],
  isNegated: boolean,
  rule: CaseRule,
): CharacterSet {
  const within = rule.ignoreCase
    ? ignoringCase(ranges, rule.ascii)
    : (point: number) => covers(ranges, point);
  const holds = (point: number) => within(point) || categories.some((category) => isIn(category, point));
  const key = JSON.stringify([
    ranges.map(({ from, to }) => [from, to]),
    categories.map(({ letter, ascii }) => letter + (ascii ? 'a' : '')),
    isNegated,
    ranges.length > 0 && rule.ignoreCase ? (rule.ascii ? 'ia' : 'i') : '',
  ]);
  return { key, has: isNegated ? (point) => !holds(point) : holds };
}

function covers(ranges: readonly CharacterRange[], point: number): boolean {
  return ranges.some(({ from, to }) => from <= point && point <= to);
}

function ignoringCase(ranges: readonly CharacterRange[], ascii: boolean): (point: number) => boolean {
  if (ascii)
    return (point) => covers(ranges, point) || (isAsciiLetter(point) && covers(ranges, point ^ CASE_BIT));
  if (ranges.length === 0) return () => false;
  const inside = ranges.map(({ from, to }) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('');
  const folding = new RegExp(`[${inside}]`, 'iu');
  return (point) => {
    const letter = String.fromCodePoint(point);
    return folding.test(letter) || kinOf(letter).some((other) => folding.test(other));
  };
}

const CASE_BIT = 0x20;

function isAsciiLetter(point: number): boolean {
  const small = point | CASE_BIT;
  return point < 0x80 && small >= 0x61 && small <= 0x7a;
}

/** Letters that are one for Python and not for the case folding of Unicode, which JavaScript's flag `i` has. */
const KIN = ['iIıİ', '\u0390\u1fd3', '\u03b0\u1fe3', '\ufb05\ufb06'];

function kinOf(letter: string): readonly string[] {
  const family = KIN.find((letters) => letters.includes(letter));
  return family === undefined ? [] : [...family];
}
