/** These are Salt's filters that turn data into another shape: entries, tables of MySQL, texts as bytes. */
import { Dict } from '../../values/container/dict.ts';
import { getItem } from '../../values/container/item.ts';
import { each } from '../../values/container/iterate.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { repr, str } from '../../values/print.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/markup.ts';
import { encodeText } from '../../values/text/text-codec.ts';
import { truthy } from '../../values/truthy.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { callMethod, counted } from '../filters/text-values.ts';
import { alias, type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { asNumber } from './salt-text.ts';

const ENCODE = [
  'data',
  ['encoding', null],
  ['errors', 'strict'],
  ['keep', false],
  ['preserve_dict_class', false],
  ['preserve_tuples', false],
] as const;

const encodeDict = saltFilter('json_encode_dict', signature('encode_dict', ENCODE), (given, render) => {
  const [data, encoding, errors, , , preserveTuples] = given;
  if (!(data instanceof Dict)) callMethod(data, 'items', [], render);
  return encodedDict(data as Dict, { encoding, errors, preserveTuples: truthy(preserveTuples) }, render);
});
const encodeList = saltFilter('json_encode_list', signature('encode_list', ENCODE), (given, render) => {
  const [data, encoding, errors, , , preserveTuples] = given;
  return encodedList(data, { encoding, errors, preserveTuples: truthy(preserveTuples) }, render);
});

export const SALT_ENTRIES_FILTERS: readonly LibraryFunction[] = [
  saltFilter('from_entries', signature('from_entries', ['entries']), ([entries], render) =>
    fromEntries(entries, render),
  ),
  alias('json_decode_dict', encodeDict),
  alias('json_decode_list', encodeList),
  encodeDict,
  encodeList,
  saltFilter('mysql_to_dict', signature('mysql_to_dict', ['data', 'key']), ([data, key], render) =>
    mysqlToDict(data, key, render),
  ),
  saltFilter('to_entries', signature('to_entries', ['data']), ([data]) => {
    if (data instanceof Dict) return [...data.entries()].map(([key, value]) => entry(key, value));
    if (Array.isArray(data)) return data.map((value, index) => entry(index, value));
    throw new PythonError('SaltException', 'Input data must be a dict or list');
  }),
];

function entry(key: Value, value: Value): Dict {
  return Dict.of([
    ['key', key],
    ['value', value],
  ]);
}

/** Each entry's `key`, else its `name`, in any case; an entry whose key is false is left out. */
function fromEntries(entries: Value, render: RenderContext): Dict {
  const result = new Dict();
  for (const each of counted(entries, render)) {
    const fields = new Map<string, Value>();
    for (const [name, value] of pairsOf(each, render)) fields.set(foldKey(name), value);
    const key = ['key', 'name']
      .map((name) => fields.get(name))
      .find((found) => found !== undefined && truthy(found));
    if (key !== undefined) result.set(key, fields.get('value') ?? null);
  }
  return result;
}

function foldKey(name: Value): string {
  const text = textOf(name);
  return text === undefined ? repr(name) : text.toLowerCase();
}

function pairsOf(value: Value, render: RenderContext): readonly (readonly [Value, Value])[] {
  if (value instanceof Dict) return [...value.entries()];
  return Array.from(counted(value, render), (pair) => [getItem(pair, 0) ?? null, getItem(pair, 1) ?? null]);
}

/** The lines of a table between bars: the first row has the names, `key` is the column that names a row. */
function mysqlToDict(data: Value, key: Value, render: RenderContext): Dict {
  const result = new Dict();
  let headers: readonly string[] = [''];
  for (const line of counted(data, render)) {
    if (!truthy(line) || truthy(callMethod(line, 'startswith', ['+'], render))) continue;
    const cells = [...each(callMethod(line, 'split', ['|'], render))].map((cell) =>
      str(callMethod(cell, 'strip', [], render)),
    );
    if (headers.length <= 1) {
      headers = cells;
      continue;
    }
    const row = new Dict();
    for (let field = 1; field < headers.length - 1; field++) {
      const cell = cells[field];
      if (cell === undefined) throw new PythonError('IndexError', 'list index out of range');
      row.set(headers[field] ?? '', asNumber(cell));
    }
    const name = row.get(key);
    if (name === undefined) throw new PythonError('KeyError', repr(key));
    result.set(name, row);
  }
  return result;
}

interface Encoding {
  readonly encoding: Value;
  readonly errors: Value;
  readonly preserveTuples: boolean;
}

function encodedDict(dict: Dict, encoding: Encoding, render: RenderContext): Dict {
  return Dict.of(
    [...dict.entries()].map(([key, value]) => [
      encoded(key, encoding, render),
      encoded(value, encoding, render),
    ]),
  );
}

function encodedList(data: Value, encoding: Encoding, render: RenderContext): Value[] {
  return Array.from(counted(data, render), (item) => encoded(item, encoding, render));
}

/** Texts as bytes, at any depth; what is no text stays. Salt makes lists of tuples unless told otherwise. */
function encoded(value: Value, encoding: Encoding, render: RenderContext): Value {
  if (Array.isArray(value)) return encodedList(value, encoding, render);
  if (value instanceof Dict) return encodedDict(value, encoding, render);
  if (value instanceof Tuple) {
    const items = encodedList(value, encoding, render);
    return encoding.preserveTuples ? new Tuple(items) : items;
  }
  const text = textOf(value);
  if (text === undefined || value instanceof Bytes) return value;
  return encodeText(
    text,
    encoding.encoding === null ? 'utf-8' : str(encoding.encoding),
    str(encoding.errors),
  );
}
