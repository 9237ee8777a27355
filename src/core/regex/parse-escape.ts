/** These functions read what follows a backslash in a pattern, as Python's `re` does. */
import type { Category } from './character-set.ts';
import type { PatternReader } from './pattern-reader.ts';
import { PatternFault } from './pattern-tree.ts';

export type Escape =
  | { readonly kind: 'point'; readonly point: number }
  | { readonly kind: 'reference'; readonly group: number };

const CONTROLS: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const POINT_MAX = 0x10ffff;
const OCTAL_MAX = 0o377;

export function categoryOf(letter: string, ascii: boolean): Category | undefined {
  return /^[dDsSwW]$/.test(letter) ? { letter, ascii } : undefined;
}

/** A character in square brackets. `start` is where the backslash stands; the reader is behind it. */
export function readEscapeInBrackets(reader: PatternReader, start: number): { readonly point: number } {
  if (!/^[0-9]$/.test(reader.next ?? '')) return readLetter(reader, start);
  const first = reader.get();
  if (/[89]/.test(first)) throw new PatternFault(`bad escape \\${first}`, start);
  reader.takeWhile(/[0-7]/, 2);
  return { point: octal(reader, start) };
}

/** The same elsewhere, where digits may also refer to a group. */
export function readEscape(reader: PatternReader, start: number): Escape {
  if (/^[0-9]$/.test(reader.next ?? '')) return number(reader, start, reader.get());
  return { kind: 'point', ...readLetter(reader, start) };
}

function readLetter(reader: PatternReader, start: number): { readonly point: number } {
  const letter = reader.get();
  const control = CONTROLS[letter];
  if (control !== undefined) return { point: control };
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) return { point: hexPoint(reader, start, digits) };
  if (letter === 'N')
    throw new PatternFault('escapes by Unicode name (`\\N{…}`) are not supported', start, true);
  if (/[A-Za-z]/.test(letter)) throw new PatternFault(`bad escape \\${letter}`, start);
  return { point: letter.codePointAt(0) ?? 0 };
}

function hexPoint(reader: PatternReader, start: number, digits: number): number {
  const hex = reader.takeWhile(/[0-9a-fA-F]/, digits);
  if (hex.length !== digits) throw new PatternFault(`incomplete escape ${reader.since(start)}`, start);
  const point = Number.parseInt(hex, 16);
  if (point > POINT_MAX) throw new PatternFault(`bad escape ${reader.since(start)}`, start);
  return point;
}

/** Three octal digits, or up to three after a zero, are a character; other digits are a group. */
function number(reader: PatternReader, start: number, first: string): Escape {
  if (first === '0') {
    reader.takeWhile(/[0-7]/, 2);
    return { kind: 'point', point: Number.parseInt(reader.since(start + 1), 8) };
  }
  const second = reader.takeWhile(/[0-9]/, 1);
  if (/^[0-7]{2}$/.test(first + second) && /^[0-7]$/.test(reader.next ?? '')) {
    reader.skip(1);
    return { kind: 'point', point: octal(reader, start) };
  }
  return { kind: 'reference', group: Number(first + second) };
}

function octal(reader: PatternReader, start: number): number {
  const point = Number.parseInt(reader.since(start + 1), 8);
  if (point > OCTAL_MAX)
    throw new PatternFault(`octal escape value ${reader.since(start)} outside of range 0-0o377`, start);
  return point;
}
