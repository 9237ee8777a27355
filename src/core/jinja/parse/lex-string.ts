/**
 * `readEscapes` reads the escapes of a string literal as Python's `unicode-escape` does: an unknown escape keeps its
 * backslash.
 */

const SIMPLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const HEX_FAULTS: Readonly<Record<string, string>> = {
  x: 'truncated \\xXX escape',
  u: 'truncated \\uXXXX escape',
  U: 'truncated \\UXXXXXXXX escape',
};
const CODE_POINT_MAX = 0x10ffff;
const OCTAL = /[0-7]{1,3}/y;
const NAMED = /N\{[^}]+\}/y;

/** The string's value, or what is wrong with an escape and where it stands in the literal. */
export function readEscapes(
  literal: string,
): { readonly text: string } | { readonly fault: string; readonly index: number } {
  let start = literal.indexOf('\\');
  if (start < 0) return { text: literal };
  let text = '';
  let copied = 0;
  for (; start >= 0; start = literal.indexOf('\\', copied)) {
    text += literal.slice(copied, start);
    const read = readEscape(literal, start + 1);
    if (typeof read === 'string') return { fault: read, index: start };
    text += read.text;
    copied = read.end;
  }
  return { text: text + literal.slice(copied) };
}

/** What the escape whose letter is at `index` stands for and where it ends, or what is wrong with it. */
function readEscape(
  literal: string,
  index: number,
): { readonly text: string; readonly end: number } | string {
  const letter = literal.charAt(index);
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { text: simple, end: index + 1 };
  const digits = HEX_DIGITS[letter];
  if (digits !== undefined) return readHex(literal, index, letter, digits);
  if (letter === 'N') return namedEscapeFault(literal, index);
  OCTAL.lastIndex = index;
  const octal = OCTAL.exec(literal)?.[0];
  if (octal !== undefined)
    return { text: String.fromCharCode(Number.parseInt(octal, 8)), end: index + octal.length };
  return keepBackslash(literal, index);
}

function readHex(
  literal: string,
  index: number,
  letter: string,
  digits: number,
): { readonly text: string; readonly end: number } | string {
  const end = index + 1 + digits;
  const hex = literal.slice(index + 1, end);
  if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return HEX_FAULTS[letter] ?? '';
  const point = Number.parseInt(hex, 16);
  if (point > CODE_POINT_MAX) return 'illegal Unicode character';
  return { text: String.fromCodePoint(point), end };
}

/** The table of all Unicode names is large and nobody writes templates with it. */
function namedEscapeFault(literal: string, index: number): string {
  NAMED.lastIndex = index;
  return NAMED.test(literal)
    ? 'escapes by Unicode name (\\N{...}) are not supported, write \\u and the number instead'
    : 'malformed \\N character escape';
}

/**
 * Jinja2 writes a string's non-ASCII characters as escapes before it reads the escapes. A backslash right before such a
 * character therefore escapes the new backslash, and the rest of the escape stays as text.
 */
function keepBackslash(literal: string, index: number): { readonly text: string; readonly end: number } {
  const point = literal.codePointAt(index) ?? 0;
  const end = index + (point > 0xffff ? 2 : 1);
  if (point <= 0x7f) return { text: `\\${literal.slice(index, end)}`, end };
  const hex = point.toString(16);
  if (point <= 0xff) return { text: `\\x${hex}`, end };
  return { text: point <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`, end };
}
