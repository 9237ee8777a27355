/** These are `str.translate` and the tables that `str.maketrans` makes for it. */
import { checkTextLength } from '../bounds.ts';
import { Dict } from '../container/dict.ts';
import { subscript } from '../container/item.ts';
import { type Native, one, some, textArgument } from '../native.ts';
import { intOf } from '../number/integer.ts';
import { PythonError, type RenderLimits, type Value } from '../value.ts';
import { codePointLength } from './code-points.ts';
import { textOf } from './markup.ts';

export const TRANSLATE_METHODS: Readonly<Record<string, Native<string>>> = {
  translate: one((text, table, { limits }) => translate(text, table, limits)),
  maketrans: some(1, 3, (_text, args) => makeTable(args)),
};

function translate(text: string, table: Value, limits: RenderLimits): string {
  let translated = '';
  for (const point of text) {
    const entry = entryFor(table, codeOf(point));
    translated += entry === undefined ? point : replacementOf(entry);
    checkTextLength(translated.length, limits);
  }
  return translated;
}

/** undefined where the table has none, which leaves the character as it is. */
function entryFor(table: Value, code: number): Value | undefined {
  try {
    return subscript(table, code);
  } catch (error) {
    if (error instanceof PythonError && (error.type === 'KeyError' || error.type === 'IndexError'))
      return undefined;
    throw error;
  }
}

function replacementOf(entry: Value): string {
  if (entry === null) return '';
  const text = textOf(entry);
  if (text !== undefined) return text;
  const code = intOf(entry);
  if (code === undefined)
    throw new PythonError('TypeError', 'character mapping must return integer, None or str');
  if (code < 0 || code > 0x10ffff)
    throw new PythonError('ValueError', 'character mapping must be in range(0x110000)');
  return String.fromCodePoint(Number(code));
}

function makeTable([first, second, third]: readonly Value[]): Dict {
  if (second === undefined) return tableOf(first as Value);
  const to = textArgument(second, 'maketrans() argument 2 must be str');
  const deleted = third === undefined ? '' : textArgument(third, 'maketrans() argument 3 must be str');
  const from = textOf(first as Value);
  if (from === undefined)
    throw new PythonError(
      'TypeError',
      'first maketrans argument must be a string if there is a second argument',
    );
  if (codePointLength(from) !== codePointLength(to))
    throw new PythonError('ValueError', 'the first two maketrans arguments must have equal length');
  const targets = [...to];
  const table = new Dict();
  for (const [index, point] of [...from].entries()) table.set(codeOf(point), codeOf(targets[index] ?? ''));
  for (const point of deleted) table.set(codeOf(point), null);
  return table;
}

/** A dict whose keys may be characters becomes one whose keys are their numbers. */
function tableOf(mapping: Value): Dict {
  if (!(mapping instanceof Dict))
    throw new PythonError('TypeError', 'if you give only one argument to maketrans it must be a dict');
  const table = new Dict();
  for (const [key, value] of mapping.entries()) {
    const text = textOf(key);
    if (text !== undefined && codePointLength(text) !== 1)
      throw new PythonError('ValueError', 'string keys in translate table must be of length 1');
    if (text === undefined && intOf(key) === undefined)
      throw new PythonError('TypeError', 'keys in translate table must be strings or integers');
    table.set(text === undefined ? key : codeOf(text), value);
  }
  return table;
}

function codeOf(point: string): number {
  return point.codePointAt(0) ?? 0;
}
