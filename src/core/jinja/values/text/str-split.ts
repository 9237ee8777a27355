/** These are the methods of str that take it apart. */

import { Tuple } from '../container/tuple.ts';
import { keyed, type Native, one, sizeOf, textArgument } from '../native.ts';
import { typeName } from '../type-name.ts';
import { PythonError, type Value } from '../value.ts';
import { textOf } from './markup.ts';
import { LEADING_SPACE, ONE_SPACE, SPACE_RUN } from './unicode.ts';

export const SPLIT_METHODS: Readonly<Record<string, Native<string>>> = {
  split: keyed(['sep', 'maxsplit'], (text, [sep = null, max = -1], render) => {
    const most = splitsMax(max);
    const parts = split(text, separatorOf(sep), most);
    render.charge(parts.length);
    return parts;
  }),
  rsplit: keyed(['sep', 'maxsplit'], (text, [sep = null, max = -1], render) => {
    const most = splitsMax(max);
    const parts = splitFromEnd(text, separatorOf(sep), most);
    render.charge(parts.length);
    return parts;
  }),
  splitlines: keyed(['keepends'], (text, [keepEnds = false], render) => {
    const lines = pythonSplitLines(text, sizeOf(keepEnds, 'int') !== 0);
    render.charge(lines.length);
    return lines;
  }),
  partition: one((text, value) => {
    const separator = partitionBy(value);
    const at = text.indexOf(separator);
    return new Tuple(
      at < 0 ? [text, '', ''] : [text.slice(0, at), separator, text.slice(at + separator.length)],
    );
  }),
  rpartition: one((text, value) => {
    const separator = partitionBy(value);
    const at = text.lastIndexOf(separator);
    return new Tuple(
      at < 0 ? ['', '', text] : [text.slice(0, at), separator, text.slice(at + separator.length)],
    );
  }),
};

/** undefined: split at runs of spaces. */
function separatorOf(value: Value): string | undefined {
  if (value === null) return undefined;
  const separator = textOf(value);
  if (separator === undefined)
    throw new PythonError('TypeError', `must be str or None, not ${typeName(value)}`);
  if (separator === '') throw new PythonError('ValueError', 'empty separator');
  return separator;
}

function splitsMax(value: Value): number {
  const max = sizeOf(value);
  return max < 0 ? Number.POSITIVE_INFINITY : max;
}

function partitionBy(value: Value): string {
  const separator = textArgument(value, 'must be str');
  if (separator === '') throw new PythonError('ValueError', 'empty separator');
  return separator;
}

function split(text: string, separator: string | undefined, max: number): string[] {
  if (separator === undefined) return splitWords(text, max);
  if (max === Number.POSITIVE_INFINITY) return text.split(separator);
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(separator); at >= 0 && parts.length < max; at = text.indexOf(separator, from)) {
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

function splitWords(text: string, max: number): string[] {
  const words: string[] = [];
  let rest = text.replace(LEADING_SPACE, '');
  if (max === Number.POSITIVE_INFINITY) return rest.split(SPACE_RUN).filter((word) => word !== '');
  while (rest !== '' && words.length < max) {
    const gap = SPACE_RUN.exec(rest);
    if (gap === null) break;
    words.push(rest.slice(0, gap.index));
    rest = rest.slice(gap.index + gap[0].length);
  }
  if (rest !== '') words.push(rest);
  return words;
}

function splitFromEnd(text: string, separator: string | undefined, max: number): string[] {
  if (max === Number.POSITIVE_INFINITY && separator === undefined) return splitWords(text, max);
  return separator === undefined ? splitWordsFromEnd(text, max) : splitAtFromEnd(text, separator, max);
}

/** Matches from the right, so that overlapping separators are found where `split` does not find them. */
function splitAtFromEnd(text: string, separator: string, max: number): string[] {
  const parts: string[] = [];
  let end = text.length;
  while (parts.length < max && end >= separator.length) {
    const at = text.lastIndexOf(separator, end - separator.length);
    if (at < 0) break;
    parts.push(text.slice(at + separator.length, end));
    end = at;
  }
  parts.push(text.slice(0, end));
  return parts.reverse();
}

function splitWordsFromEnd(text: string, max: number): string[] {
  const words: string[] = [];
  let end = trimmedEnd(text, text.length);
  while (end > 0 && words.length < max) {
    let start = end;
    while (start > 0 && !ONE_SPACE.test(text.charAt(start - 1))) start--;
    words.push(text.slice(start, end));
    end = trimmedEnd(text, start);
  }
  if (end > 0) words.push(text.slice(0, end));
  return words.reverse();
}

function trimmedEnd(text: string, from: number): number {
  let end = from;
  while (end > 0 && ONE_SPACE.test(text.charAt(end - 1))) end--;
  return end;
}

const LINE_END = /\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]/g;

export function pythonSplitLines(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const match of text.matchAll(LINE_END)) {
    const end = match.index + match[0].length;
    lines.push(text.slice(from, keepEnds ? end : match.index));
    from = end;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}
