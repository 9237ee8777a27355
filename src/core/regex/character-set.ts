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
  const apart = joined(ranges);
  const within = rule.ignoreCase ? ignoringCase(apart, rule.ascii) : (point: number) => covers(apart, point);
  const holds = (point: number) => within(point) || categories.some((category) => isIn(category, point));
  const key = JSON.stringify([
    apart.map(({ from, to }) => [from, to]),
    categories.map(({ letter, ascii }) => letter + (ascii ? 'a' : '')),
    isNegated,
    ranges.length > 0 && rule.ignoreCase ? (rule.ascii ? 'ia' : 'i') : '',
  ]);
  return { key, has: isNegated ? (point) => !holds(point) : holds };
}

/** In order, and none touches another. */
function joined(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const apart: CharacterRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last === undefined || from > last.to + 1) apart.push({ from, to });
    else apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return apart;
}

/** A search by halves: brackets may hold thousands of letters, and are asked for every letter of a text. */
function covers(apart: readonly CharacterRange[], point: number): boolean {
  let low = 0;
  let high = apart.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((apart[middle]?.to ?? 0) < point) low = middle + 1;
    else high = middle;
  }
  const range = apart[low];
  return range !== undefined && range.from <= point;
}

function ignoringCase(ranges: readonly CharacterRange[], ascii: boolean): (point: number) => boolean {
  if (ascii)
    return (point) => covers(ranges, point) || (isAsciiLetter(point) && covers(ranges, point ^ CASE_BIT));
  if (ranges.length === 0) return () => false;
  const inside = ranges.map(({ from, to }) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('');
  const folding = new RegExp(`[${inside}]`, 'iu');
  return (point) => {
    const letter = String.fromCodePoint(point);
    return folding.test(letter) || KIN.get(letter)?.some((other) => folding.test(other)) === true;
  };
}

const CASE_BIT = 0x20;

function isAsciiLetter(point: number): boolean {
  const small = point | CASE_BIT;
  return point < 0x80 && small >= 0x61 && small <= 0x7a;
}

/** Letters that are one for Python and not for the case folding of Unicode, which JavaScript's flag `i` has. */
const KIN: ReadonlyMap<string, readonly string[]> = new Map(
  ['iIıİ', '\u0390\u1fd3', '\u03b0\u1fe3', '\ufb05\ufb06'].flatMap((family) =>
    [...family].map((letter) => [letter, [...family]] as const),
  ),
);
