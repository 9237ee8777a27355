/** These are the methods of str that look for a text in it. Positions are code points, as everywhere in Python. */

import { Slice, sliceBounds } from '../container/slice.ts';
import { Tuple } from '../container/tuple.ts';
import { type Native, one, parsed, textArgument } from '../native.ts';
import { typeName } from '../type-name.ts';
import { PythonError, type Value } from '../value.ts';
import { codePointLength, codePointSlice, hasSurrogates } from './code-points.ts';
import { textOf } from './markup.ts';

export const SEARCH_METHODS: Readonly<Record<string, Native<string>>> = {
  find: parsed(1, 3, (text, args) => find(text, args, false)),
  rfind: parsed(1, 3, (text, args) => find(text, args, true)),
  index: parsed(1, 3, (text, args) => found(find(text, args, false))),
  rindex: parsed(1, 3, (text, args) => found(find(text, args, true))),
  count: parsed(1, 3, (text, args) => count(text, args)),
  startswith: parsed(1, 3, (text, args) => hasEnd(text, args, 'startswith')),
  endswith: parsed(1, 3, (text, args) => hasEnd(text, args, 'endswith')),
  removeprefix: one((text, value) => {
    const prefix = textArgument(value, 'removeprefix() argument must be str');
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  }),
  removesuffix: one((text, value) => {
    const suffix = textArgument(value, 'removesuffix() argument must be str');
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
  }),
};

/** What to look for, and the part of the text between the optional bounds; undefined where the bounds cross. */
function window(
  text: string,
  [, start, stop]: readonly Value[],
): { readonly from: number; readonly part: string } | undefined {
  if (start === undefined) return { from: 0, part: text };
  const length = codePointLength(text);
  const bounds = sliceBounds(new Slice(start, stop ?? null, null), length);
  // A start beyond the end, or the end, is not the same as an empty part: not even '' is found there.
  const from = startOf(start, length);
  if (from > length || (stop !== undefined && stop !== null && endOf(stop, length) < from)) return undefined;
  return { from, part: codePointSlice(text, from, from + bounds.count) };
}

function startOf(start: Value, length: number): number {
  const index = Number(start ?? 0);
  return index < 0 ? Math.max(0, index + length) : index;
}

function endOf(stop: Value, length: number): number {
  const index = Number(stop);
  return Math.min(length, index < 0 ? Math.max(0, index + length) : index);
}

function find(text: string, args: readonly Value[], last: boolean): number {
  const { from, part } = window(text, args) ?? { from: 0, part: undefined };
  const wanted = textArgument(args[0] as Value, 'must be str');
  if (part === undefined) return -1;
  const at = last ? part.lastIndexOf(wanted) : part.indexOf(wanted);
  if (at < 0) return -1;
  return from + (hasSurrogates(part) ? codePointLength(part.slice(0, at)) : at);
}

function found(index: number): number {
  if (index < 0) throw new PythonError('ValueError', 'substring not found');
  return index;
}

function count(text: string, args: readonly Value[]): number {
  const part = window(text, args)?.part;
  const wanted = textArgument(args[0] as Value, 'must be str');
  if (part === undefined) return 0;
  return wanted === '' ? codePointLength(part) + 1 : part.split(wanted).length - 1;
}

function hasEnd(text: string, args: readonly Value[], method: 'startswith' | 'endswith'): boolean {
  const part = window(text, args)?.part;
  const matches = (wanted: string) =>
    part !== undefined && (method === 'startswith' ? part.startsWith(wanted) : part.endsWith(wanted));
  const wanted = args[0] as Value;
  if (!(wanted instanceof Tuple)) {
    const single = textOf(wanted);
    if (single === undefined)
      throw new PythonError(
        'TypeError',
        `${method} first arg must be str or a tuple of str, not ${typeName(wanted)}`,
      );
    return matches(single);
  }
  return wanted.items.some((item) =>
    matches(textArgument(item, `tuple for ${method} must only contain str`)),
  );
}
