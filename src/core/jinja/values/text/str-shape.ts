/** These are the methods of str that pad, trim, replace and join. */
import { checkTextLength } from '../bounds.ts';
import { iteratorOf } from '../container/iterate.ts';
import { keyed, type Native, one, sizeOf, some, textArgument } from '../native.ts';
import { typeName } from '../type-name.ts';
import { PythonError, type RenderContext, type RenderLimits, type Value } from '../value.ts';
import { codePointLength } from './code-points.ts';
import { textOf } from './markup.ts';
import { ONE_SPACE } from './unicode.ts';

export const SHAPE_METHODS: Readonly<Record<string, Native<string>>> = {
  center: some(1, 2, (text, [width, fill], { limits }) => {
    const missing = missingWidth(text, width as Value, limits);
    const character = fillOf(fill);
    // Python puts the odd one to the left where the width is odd, to the right where it is even.
    const left = Math.floor(missing / 2) + (missing & (codePointLength(text) + missing) & 1);
    return character.repeat(left) + text + character.repeat(missing - left);
  }),
  ljust: some(1, 2, (text, [width, fill], { limits }) => {
    const missing = missingWidth(text, width as Value, limits);
    return text + fillOf(fill).repeat(missing);
  }),
  rjust: some(1, 2, (text, [width, fill], { limits }) => {
    const missing = missingWidth(text, width as Value, limits);
    return fillOf(fill).repeat(missing) + text;
  }),
  zfill: one((text, width, { limits }) => {
    const zeros = '0'.repeat(missingWidth(text, width, limits));
    return /^[-+]/.test(text) ? text.charAt(0) + zeros + text.slice(1) : zeros + text;
  }),
  expandtabs: keyed(['tabsize'], (text, [size = 8], { limits }) =>
    expandTabs(text, sizeOf(size, 'int'), limits),
  ),
  strip: some(0, 1, (text, [characters]) => strip(text, characters, 'strip')),
  lstrip: some(0, 1, (text, [characters]) => strip(text, characters, 'lstrip')),
  rstrip: some(0, 1, (text, [characters]) => strip(text, characters, 'rstrip')),
  replace: some(2, 3, (text, [from, to, count], { limits }) => {
    const wanted = textArgument(from as Value, 'replace() argument 1 must be str');
    const replacement = textArgument(to as Value, 'replace() argument 2 must be str');
    return replace(text, wanted, replacement, count === undefined ? -1 : sizeOf(count), limits);
  }),
  join: one((separator, values, render) => join(separator, values, render)),
};

function missingWidth(text: string, width: Value, limits: RenderLimits): number {
  const wanted = sizeOf(width);
  checkTextLength(wanted, limits);
  return Math.max(0, wanted - codePointLength(text));
}

function fillOf(value: Value | undefined): string {
  if (value === undefined) return ' ';
  const fill = textOf(value);
  if (fill === undefined)
    throw new PythonError(
      'TypeError',
      `The fill character must be a unicode character, not ${typeName(value)}`,
    );
  if (codePointLength(fill) !== 1)
    throw new PythonError('TypeError', 'The fill character must be exactly one character long');
  return fill;
}

function expandTabs(text: string, size: number, limits: RenderLimits): string {
  let column = 0;
  let expanded = '';
  for (const point of text) {
    if (point === '\t') {
      const spaces = size > 0 ? size - (column % size) : 0;
      checkTextLength(expanded.length + spaces, limits);
      expanded += ' '.repeat(spaces);
      column += spaces;
    } else {
      expanded += point;
      column = point === '\n' || point === '\r' ? 0 : column + 1;
    }
  }
  return expanded;
}

type Strip = 'strip' | 'lstrip' | 'rstrip';

function strip(text: string, characters: Value | undefined, method: Strip): string {
  const stripped = strippedBy(characters, method);
  const points = [...text];
  let start = 0;
  let end = points.length;
  if (method !== 'rstrip') while (start < end && stripped(points[start] as string)) start++;
  if (method !== 'lstrip') while (end > start && stripped(points[end - 1] as string)) end--;
  return points.slice(start, end).join('');
}

function strippedBy(characters: Value | undefined, method: Strip): (point: string) => boolean {
  if (characters === undefined || characters === null) return (point) => ONE_SPACE.test(point);
  const set = textOf(characters);
  if (set === undefined) throw new PythonError('TypeError', `${method} arg must be None or str`);
  const points = new Set(set);
  return (point) => points.has(point);
}

function replace(
  text: string,
  wanted: string,
  replacement: string,
  count: number,
  limits: RenderLimits,
): string {
  const parts = wanted === '' ? ['', ...text, ''] : text.split(wanted);
  const most = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1);
  checkTextLength(text.length + most * (replacement.length - wanted.length), limits);
  const changed = parts.slice(0, most + 1).join(replacement);
  const rest = parts.slice(most + 1);
  return rest.length === 0 ? changed : [changed, ...rest].join(wanted);
}

function join(separator: string, values: Value, render: RenderContext): string {
  const iterator = iteratorOf(values);
  if (iterator === undefined) throw new PythonError('TypeError', 'can only join an iterable');
  const parts: string[] = [];
  let length = 0;
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    const part = textOf(next.value);
    if (part === undefined)
      throw new PythonError(
        'TypeError',
        `sequence item ${parts.length}: expected str instance, ${typeName(next.value)} found`,
      );
    length += part.length + (parts.length > 0 ? separator.length : 0);
    checkTextLength(length, render.limits);
    parts.push(part);
  }
  render.charge(parts.length);
  return parts.join(separator);
}
