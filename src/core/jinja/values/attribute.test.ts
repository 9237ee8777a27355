import { describe, expect, it } from 'vitest';
import {
  attribute,
  bytes,
  call,
  compare,
  dict,
  float,
  item,
  markup,
  outcome,
  RENDER,
  slice,
  tuple,
} from '../../../../test/harness/states/jinja-values.ts';
import { attributeNames, attributeOf, methodOf } from './attribute.ts';
import { generator } from './container/iterator.ts';
import { Range } from './container/range.ts';
import { PySet } from './container/set.ts';
import { Func } from './func.ts';
import type { Value } from './value.ts';

describe('what has which attribute', () => {
  it.each<[string, () => Value, string]>([
    ["'a'.length", () => attribute('a', 'length'), "AttributeError: 'str' object has no attribute 'length'"],
    ["'a'.foo", () => attribute('a', 'foo'), "AttributeError: 'str' object has no attribute 'foo'"],
    ['[1].length', () => attribute([1], 'length'), "AttributeError: 'list' object has no attribute 'length'"],
    ['[1].push', () => attribute([1], 'push'), "AttributeError: 'list' object has no attribute 'push'"],
    [
      "{'a': 1}.a",
      () => attribute(dict(['a', 1]), 'a'),
      "AttributeError: 'dict' object has no attribute 'a'",
    ],
    [
      "{'a': 1}.size",
      () => attribute(dict(['a', 1]), 'size'),
      "AttributeError: 'dict' object has no attribute 'size'",
    ],
    [
      '(1,).items',
      () => attribute(tuple(1), 'items'),
      "AttributeError: 'tuple' object has no attribute 'items'",
    ],
    ['None.foo', () => attribute(null, 'foo'), "AttributeError: 'NoneType' object has no attribute 'foo'"],
    ['(5).toFixed', () => attribute(5, 'toFixed'), "AttributeError: 'int' object has no attribute 'toFixed'"],
    [
      '(1.5).value',
      () => attribute(float(1.5), 'value'),
      "AttributeError: 'float' object has no attribute 'value'",
    ],
    [
      'True.valueOf',
      () => attribute(true, 'valueOf'),
      "AttributeError: 'bool' object has no attribute 'valueOf'",
    ],
    [
      "b'a'.bytes",
      () => attribute(bytes(97), 'bytes'),
      "AttributeError: 'bytes' object has no attribute 'bytes'",
    ],
    ['range(3).start', () => attribute(new Range(0, 3), 'start'), '0'],
    ['range(3).stop', () => attribute(new Range(0, 3), 'stop'), '3'],
    ['range(3).step', () => attribute(new Range(0, 3), 'step'), '1'],
    ['range(5).count(3)', () => call(new Range(0, 5), 'count', [3]), '1'],
    ['range(5).index(3)', () => call(new Range(0, 5), 'index', [3]), '3'],
    ['range(5).index(7)', () => call(new Range(0, 5), 'index', [7]), 'ValueError: 7 is not in range'],
    [
      "range(5).index('a')",
      () => call(new Range(0, 5), 'index', ['a']),
      'ValueError: sequence.index(x): x not in sequence',
    ],
    [
      'range(5).index()',
      () => call(new Range(0, 5), 'index'),
      'TypeError: range.index() takes exactly one argument (0 given)',
    ],
    [
      'range(3).foo',
      () => attribute(new Range(0, 3), 'foo'),
      "AttributeError: 'range' object has no attribute 'foo'",
    ],
    [
      "{'a': 1}.keys().dict",
      () => attribute(call(dict(['a', 1]), 'keys'), 'dict'),
      "AttributeError: 'dict_keys' object has no attribute 'dict'",
    ],
    [
      "{'a': 1}.keys().mapping",
      () => attribute(call(dict(['a', 1]), 'keys'), 'mapping'),
      "mappingproxy({'a': 1})",
    ],
    [
      "{'a': 1}.values().mapping.get('a')",
      () => call(attribute(call(dict(['a', 1]), 'values'), 'mapping'), 'get', ['a']),
      '1',
    ],
    [
      "{'a': 1}.items().mapping == {'a': 1}",
      () => compare(attribute(call(dict(['a', 1]), 'items'), 'mapping'), '==', dict(['a', 1])),
      'True',
    ],
    [
      "{'a': 1}.items().mapping['a']",
      () => item(attribute(call(dict(['a', 1]), 'items'), 'mapping'), 'a'),
      '1',
    ],
    [
      "{'a': 1}.keys().mapping.pop",
      () => attribute(attribute(call(dict(['a', 1]), 'keys'), 'mapping'), 'pop'),
      "AttributeError: 'mappingproxy' object has no attribute 'pop'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

const VALUES: [string, Value][] = [
  ['str', 'text'],
  ['int', 5],
  ['large int', 2n ** 64n],
  ['bool', true],
  ['None', null],
  ['float', float(1.5)],
  ['list', [1, 2]],
  ['tuple', tuple(1, 2)],
  ['dict', dict(['a', 1])],
  ['dict_keys', call(dict(), 'keys')],
  ['dict_items', call(dict(), 'items')],
  ['dict_values', call(dict(), 'values')],
  ['Markup', markup('x')],
  ['bytes', bytes(1)],
  ['range', new Range(0, 3)],
  ['set', new PySet([1])],
  ['mappingproxy', attribute(call(dict(), 'keys'), 'mapping')],
  ['format', attribute('', 'format')],
  ['slice', slice(1, 2, null)],
  ['function', new Func('f', () => 1)],
  ['method', attributeOf('a', 'upper') ?? null],
  ['generator', generator('g', [1])],
];

/** Everything that JavaScript has on these objects and their prototypes. */
function javaScriptNames(value: unknown): string[] {
  const names: string[] = [];
  for (let object = Object(value); object !== null; object = Object.getPrototypeOf(object))
    names.push(...Object.getOwnPropertyNames(object));
  return names;
}

/** Names that Python has, too, and that are Python's here. */
const PYTHON_NAMES = new Set(VALUES.flatMap(([, value]) => attributeNames(value)));

describe('nothing of JavaScript is an attribute', () => {
  it.each(VALUES)('of a %s', (_type, value) => {
    const names = [...javaScriptNames(value), '__class__', '__dict__', '__globals__', '_private', '0'];
    const seen = names.filter((name) => attributeOf(value, name) !== undefined && !PYTHON_NAMES.has(name));
    expect(seen).toEqual([]);
  });

  it('and what has the name of one is the method of Python', () => {
    expect(outcome(() => attributeOf([1], 'pop') ?? null)).toBe(
      '<built-in method pop of list object at 0x7f0000000000>',
    );
    expect(outcome(() => attributeOf('a', 'split') ?? null)).toBe(
      '<built-in method split of str object at 0x7f0000000000>',
    );
  });
});

describe('the methods', () => {
  it('are all of Python 3.11', () => {
    const methods = (value: Value) => [...attributeNames(value)].sort().join(' ');
    expect(methods('')).toBe(
      'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill',
    );
    expect(methods([])).toBe('append clear copy count extend index insert pop remove reverse sort');
    expect(methods(tuple())).toBe('count index');
    expect(methods(dict())).toBe('clear copy fromkeys get items keys pop popitem setdefault update values');
    expect(methods(1)).toBe(
      'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes',
    );
    expect(methods(float(1))).toBe('as_integer_ratio conjugate fromhex hex imag is_integer real');
    expect(methods(new Range(0, 1))).toBe('count index start step stop');
    expect(methods(markup(''))).toBe(`${methods('')} escape striptags unescape`.split(' ').sort().join(' '));
  });

  it('can be kept and called later', () => {
    const list: Value[] = [];
    const append = attributeOf(list, 'append') ?? null;
    RENDER.call(append, { positional: [1], named: new Map() });
    expect(list).toEqual([1]);
  });

  it('are equal when they are of one object', () => {
    const list: Value[] = [];
    const bound = (value: Value, name: string) => attributeOf(value, name) ?? null;
    expect([
      compare(bound(list, 'append'), '==', bound(list, 'append')),
      compare(bound(list, 'append'), '==', bound(list, 'pop')),
      compare(bound(list, 'append'), '==', bound([], 'append')),
      compare(bound('a', 'upper'), '==', bound('a', 'upper')),
    ]).toEqual([true, false, false, true]);
    const keyed = dict([bound(list, 'append'), 1]);
    expect([keyed.has(bound(list, 'append')), keyed.has(bound([], 'append'))]).toEqual([true, false]);
  });

  it('can be had without being bound', () => {
    expect(methodOf('a', 'upper')?.('a', { positional: [], named: new Map() }, RENDER)).toBe('A');
    expect(methodOf(null, 'upper')).toBeUndefined();
  });
});
