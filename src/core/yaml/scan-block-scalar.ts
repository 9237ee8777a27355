/** `scanBlockScalar` reads a block of text (`|` keeps its lines, `>` folds them) from the source. */
import { END, isBlankUnit, isBreakOrEnd, isBreakUnit, SPACE, TAB } from './yaml-characters.ts';
import { yamlProblem } from './yaml-problem.ts';
import type { YamlSource } from './yaml-source.ts';

export interface BlockText {
  readonly value: string;
  /** Behind its last line, before the break. */
  readonly end: number;
}

/** `parentIndent` is the column of the block around it, -1 where there is none. */
export function scanBlockScalar(source: YamlSource, parentIndent: number): BlockText {
  const folds = source.unit() === 0x3e; /* > */
  const { chomp, increment, end: headerEnd } = readHeader(source);
  const given = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  const first = readEmptyLines(source, given);
  const indent = given === 0 ? Math.max(first.widest, parentIndent + 1, 1) : given;
  let value = '';
  let end = headerEnd;
  let lineBreak = '';
  let emptyLines = first.breaks;
  let wasDeeper = false;
  while (source.column === indent && !source.isAtEnd) {
    const isDeeper = isBlankUnit(source.unit());
    const isFolded = folds && lineBreak === '\n' && !wasDeeper && !isDeeper;
    if (!isFolded) value += lineBreak;
    else if (emptyLines === '') value += ' ';
    const start = source.offset;
    source.offset = lineEnd(source);
    end = source.offset;
    value += emptyLines + source.text.slice(start, source.offset);
    wasDeeper = isDeeper;
    lineBreak = source.readBreak();
    emptyLines = readEmptyLines(source, indent).breaks;
  }
  if (chomp !== '-') value += lineBreak;
  return { value: chomp === '+' ? value + emptyLines : value, end };
}

interface Header {
  readonly chomp: '' | '+' | '-';
  /** 0: the first line tells. */
  readonly increment: number;
  /** Of its line, before the break. */
  readonly end: number;
}

function readHeader(source: YamlSource): Header {
  const [whole = '', before = '', digit = '', after = ''] =
    /^[|>]([+-]?)([0-9]?)([+-]?)/.exec(source.text.slice(source.offset, source.offset + 4)) ?? [];
  if (digit === '0') throw source.invalid(yamlProblem`the indentation of a block is a digit from 1 to 9`);
  // `|+-`: the second is no part of the header.
  const chomp = before === '' ? after : before;
  source.offset += before === '' ? whole.length : 1 + before.length + digit.length;
  source.skipWhile(isBlankUnit);
  if (source.unit() === 0x23 /* # */) source.offset = lineEnd(source);
  if (!isBreakOrEnd(source.unit()))
    throw source.invalid(yamlProblem`behind | or > a line can have +, -, a digit and a comment only`);
  const end = source.offset;
  source.readBreak();
  return { chomp: chomp as Header['chomp'], increment: Number(digit), end };
}

/** Passes lines with nothing but indentation. `indent` 0: not known yet, any depth is indentation. */
function readEmptyLines(
  source: YamlSource,
  indent: number,
): { readonly breaks: string; readonly widest: number } {
  let breaks = '';
  let widest = 0;
  for (;;) {
    while (source.unit() === SPACE && (indent === 0 || source.column < indent)) source.offset++;
    widest = Math.max(widest, source.column);
    if (source.unit() === TAB && (indent === 0 || source.column < indent))
      throw source.invalid(yamlProblem`a tab cannot stand here; YAML takes spaces only`);
    if (!isBreakUnit(source.unit())) return { breaks, widest };
    breaks += source.readBreak();
  }
}

function lineEnd({ text, offset }: YamlSource): number {
  let end = offset;
  for (let unit = text.charCodeAt(end); unit !== END && !isBreakUnit(unit); unit = text.charCodeAt(++end));
  return end;
}
