/**
 * These functions read a plain or quoted text from the source, over as many lines as it has, and fold its line breaks:
 * one becomes a blank, of several the first is dropped.
 */
import { isBlankUnit, isBreakUnit, isGap, isOneOf, TAB } from './yaml-characters.ts';
import { yamlProblem } from './yaml-problem.ts';
import type { YamlSource } from './yaml-source.ts';

export interface PlainText {
  readonly value: string;
  /** Behind its last word. */
  readonly end: number;
  /** Whether the line ended behind it, so that a key can come next. */
  readonly endsLine: boolean;
}

/** `indent` is the least column of a line that goes on with the text; brackets (`inFlow`) do not ask for one. */
export function scanPlain(source: YamlSource, inFlow: boolean, indent: number): PlainText {
  let value = '';
  let end = source.offset;
  let gap: Gap = NO_GAP;
  while (source.unit() !== 0x23 /* # */ && !source.isAtDocumentMark()) {
    const start = source.offset;
    source.offset = wordEnd(source, inFlow);
    if (source.offset > start) {
      value += gap.text + source.text.slice(start, source.offset);
      end = source.offset;
      gap = NO_GAP;
    }
    if (source.isAtEnd || !isGap(source.unit())) break;
    gap = readGap(source, false, indent);
    if (!inFlow && source.column < indent) break;
  }
  return { value, end, endsLine: gap.hasBreak };
}

function wordEnd(source: YamlSource, inFlow: boolean): number {
  const { text } = source;
  let offset = source.offset;
  for (; ; offset++) {
    const unit = text.charCodeAt(offset);
    if (isGap(unit)) return offset;
    if (unit === 0x3a /* : */) {
      const next = text.charCodeAt(offset + 1);
      if (isGap(next)) return offset;
      if (inFlow && isOneOf(next, ',?[]{}')) {
        source.offset = offset;
        throw source.invalid(yamlProblem`a colon in brackets needs a blank behind it`);
      }
    } else if (inFlow && isOneOf(unit, ',[]{}')) return offset;
  }
}

export function scanQuoted(source: YamlSource): string {
  const start = source.at();
  const quote = source.unit();
  const isDouble = quote === 0x22;
  let value = '';
  source.offset++;
  for (;;) {
    if (source.isAtDocumentMark())
      throw source.invalid(yamlProblem`the document ends inside of a quoted text; the quote is not closed`);
    if (source.isAtEnd) throw source.invalid(yamlProblem`the quote is not closed`, start);
    let joinsLines = false;
    let wordStart = source.offset;
    for (;;) {
      const unit = source.unit();
      if (isGap(unit)) break;
      if (unit === quote) {
        if (isDouble || source.unit(1) !== quote) break;
        value += source.text.slice(wordStart, source.offset + 1);
        source.offset += 2;
        wordStart = source.offset;
      } else if (isDouble && unit === 0x5c /* \ */) {
        value += source.text.slice(wordStart, source.offset);
        if (isBreakUnit(source.unit(1))) {
          source.offset++;
          source.readBreak();
          joinsLines = true;
          wordStart = source.offset;
          break;
        }
        value += readEscape(source);
        wordStart = source.offset;
      } else source.offset++;
    }
    value += source.text.slice(wordStart, source.offset);
    if (source.unit() === quote) {
      source.offset++;
      return value;
    }
    value += readGap(source, joinsLines, 0).text;
  }
}

interface Gap {
  readonly text: string;
  readonly hasBreak: boolean;
}

const NO_GAP: Gap = { text: '', hasBreak: false };

/** `joinsLines`: a backslash ended the line before, and stands for its break. */
function readGap(source: YamlSource, joinsLines: boolean, indent: number): Gap {
  const start = source.offset;
  let hasBreak = joinsLines;
  let first = '';
  let more = '';
  let blanksEnd = start;
  for (;;) {
    const unit = source.unit();
    if (isBlankUnit(unit)) {
      if (hasBreak && unit === TAB && source.column < indent)
        throw source.invalid(yamlProblem`a tab cannot stand here; YAML takes spaces only`);
      source.offset++;
      if (!hasBreak) blanksEnd = source.offset;
    } else if (!isBreakUnit(unit)) break;
    else if (hasBreak) more += source.readBreak();
    else {
      first = source.readBreak();
      hasBreak = true;
    }
  }
  if (!hasBreak) return { text: source.text.slice(start, blanksEnd), hasBreak };
  if (first === '\n') return { text: more === '' ? ' ' : more, hasBreak };
  return { text: first + more, hasBreak };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(source: YamlSource): string {
  const letter = String.fromCharCode(source.unit(1));
  const known = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (known !== undefined) {
    source.offset += 2;
    return known;
  }
  const length = Object.hasOwn(HEX_DIGITS, letter) ? (HEX_DIGITS[letter] ?? 0) : 0;
  if (length === 0)
    throw source.invalid(
      yamlProblem`\\${letter} is no escape of YAML; write \\\\ for a backslash, or use single quotes`,
    );
  const digits = source.text.slice(source.offset + 2, source.offset + 2 + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits))
    throw source.invalid(yamlProblem`\\${letter} needs ${length} hexadecimal digits`);
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw source.invalid(yamlProblem`\\${letter}${digits} is no character`);
  source.offset += 2 + length;
  return String.fromCodePoint(code);
}
