import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes,
  call,
  changing,
  dict,
  float,
  item,
  markup,
  outcome,
  slice,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { Dict } from './dict.ts';
import { Range } from './range.ts';

describe('dict', () => {
  it.each<[string, () => Value, string]>([
    ["{'a': 1}.get('a')", () => call(dict(['a', 1]), 'get', ['a']), '1'],
    ["{'a': 1}.get('b')", () => call(dict(['a', 1]), 'get', ['b']), 'None'],
    ["{'a': 1}.get('b', 2)", () => call(dict(['a', 1]), 'get', ['b', 2]), '2'],
    ["{'a': None}.get('a', 2)", () => call(dict(['a', null]), 'get', ['a', 2]), 'None'],
    ["{1: 'x'}.get(True)", () => call(dict([1, 'x']), 'get', [true]), "'x'"],
    ['{}.get()', () => call(dict(), 'get'), 'TypeError: get expected at least 1 argument, got 0'],
    [
      '{}.get(1, 2, 3)',
      () => call(dict(), 'get', [1, 2, 3]),
      'TypeError: get expected at most 2 arguments, got 3',
    ],
    ['{}.get([])', () => call(dict(), 'get', [[]]), "TypeError: unhashable type: 'list'"],
    [
      '{}.get(key=1)',
      () => call(dict(), 'get', [], [['key', 1]]),
      'TypeError: dict.get() takes no keyword arguments',
    ],
    ["{'a': 1, 'b': 2}.keys()", () => call(dict(['a', 1], ['b', 2]), 'keys'), "dict_keys(['a', 'b'])"],
    ['{}.keys()', () => call(dict(), 'keys'), 'dict_keys([])'],
    ['{}.keys(1)', () => call(dict(), 'keys', [1]), 'TypeError: dict.keys() takes no arguments (1 given)'],
    ["{'a': 1}.values()", () => call(dict(['a', 1]), 'values'), 'dict_values([1])'],
    ['{}.values()', () => call(dict(), 'values'), 'dict_values([])'],
    ["{'a': 1}.items()", () => call(dict(['a', 1]), 'items'), "dict_items([('a', 1)])"],
    [
      '{}.items(x=1)',
      () => call(dict(), 'items', [], [['x', 1]]),
      'TypeError: dict.items() takes no keyword arguments',
    ],
    ["changing({'a': 1}).pop('a')", () => changing(dict(['a', 1]), 'pop', ['a']), '[1, {}]'],
    ["changing({'a': None}).pop('a', 2)", () => changing(dict(['a', null]), 'pop', ['a', 2]), '[None, {}]'],
    ["changing({}).pop('a', 2)", () => changing(dict(), 'pop', ['a', 2]), '[2, {}]'],
    ["changing({}).pop('a', None)", () => changing(dict(), 'pop', ['a', null]), '[None, {}]'],
    ["changing({}).pop('a')", () => changing(dict(), 'pop', ['a']), "KeyError: 'a'"],
    ['changing({}).pop([])', () => changing(dict(), 'pop', [[]]), 'KeyError: []'],
    [
      "changing({'a': 1}).pop([])",
      () => changing(dict(['a', 1]), 'pop', [[]]),
      "TypeError: unhashable type: 'list'",
    ],
    [
      'changing({}).pop()',
      () => changing(dict(), 'pop'),
      'TypeError: pop expected at least 1 argument, got 0',
    ],
    [
      "changing({'a': 1, 'b': 2}).popitem()",
      () => changing(dict(['a', 1], ['b', 2]), 'popitem'),
      "[('b', 2), {'a': 1}]",
    ],
    [
      'changing({}).popitem()',
      () => changing(dict(), 'popitem'),
      "KeyError: 'popitem(): dictionary is empty'",
    ],
    [
      'changing({}).popitem(1)',
      () => changing(dict(), 'popitem', [1]),
      'TypeError: dict.popitem() takes no arguments (1 given)',
    ],
    [
      "changing({'a': 1}).setdefault('a', 2)",
      () => changing(dict(['a', 1]), 'setdefault', ['a', 2]),
      "[1, {'a': 1}]",
    ],
    ["changing({}).setdefault('a', 2)", () => changing(dict(), 'setdefault', ['a', 2]), "[2, {'a': 2}]"],
    ["changing({}).setdefault('a')", () => changing(dict(), 'setdefault', ['a']), "[None, {'a': None}]"],
    [
      "changing({'a': None}).setdefault('a', 2)",
      () => changing(dict(['a', null]), 'setdefault', ['a', 2]),
      "[None, {'a': None}]",
    ],
    [
      'changing({}).setdefault([], 1)',
      () => changing(dict(), 'setdefault', [[], 1]),
      "TypeError: unhashable type: 'list'",
    ],
    [
      'changing({}).setdefault()',
      () => changing(dict(), 'setdefault'),
      'TypeError: setdefault expected at least 1 argument, got 0',
    ],
    [
      "changing({'a': 1}).update({'a': 2, 'b': 3})",
      () => changing(dict(['a', 1]), 'update', [dict(['a', 2], ['b', 3])]),
      "[None, {'a': 2, 'b': 3}]",
    ],
    [
      "changing({'a': 1}).update(b=2)",
      () => changing(dict(['a', 1]), 'update', [], [['b', 2]]),
      "[None, {'a': 1, 'b': 2}]",
    ],
    [
      "changing({}).update([('a', 1), ['b', 2]])",
      () => changing(dict(), 'update', [[tuple('a', 1), ['b', 2]]]),
      "[None, {'a': 1, 'b': 2}]",
    ],
    [
      "changing({}).update(['ab', 'cd'])",
      () => changing(dict(), 'update', [['ab', 'cd']]),
      "[None, {'a': 'b', 'c': 'd'}]",
    ],
    [
      "changing({}).update({'a': 1}, a=2)",
      () => changing(dict(), 'update', [dict(['a', 1])], [['a', 2]]),
      "[None, {'a': 2}]",
    ],
    ['changing({}).update()', () => changing(dict(), 'update'), '[None, {}]'],
    [
      "changing({1: 'a'}).update({True: 'b'})",
      () => changing(dict([1, 'a']), 'update', [dict([true, 'b'])]),
      "[None, {1: 'b'}]",
    ],
    [
      'changing({}).update(5)',
      () => changing(dict(), 'update', [5]),
      "TypeError: 'int' object is not iterable",
    ],
    [
      'changing({}).update([1])',
      () => changing(dict(), 'update', [[1]]),
      'TypeError: cannot convert dictionary update sequence element #0 to a sequence',
    ],
    [
      'changing({}).update([(1,)])',
      () => changing(dict(), 'update', [[tuple(1)]]),
      'ValueError: dictionary update sequence element #0 has length 1; 2 is required',
    ],
    [
      'changing({}).update([(1, 2, 3)])',
      () => changing(dict(), 'update', [[tuple(1, 2, 3)]]),
      'ValueError: dictionary update sequence element #0 has length 3; 2 is required',
    ],
    [
      "changing({}).update('a')",
      () => changing(dict(), 'update', ['a']),
      'ValueError: dictionary update sequence element #0 has length 1; 2 is required',
    ],
    [
      'changing({}).update(1, 2)',
      () => changing(dict(), 'update', [1, 2]),
      'TypeError: update expected at most 1 argument, got 2',
    ],
    [
      'changing({}).update([([], 1)])',
      () => changing(dict(), 'update', [[tuple([], 1)]]),
      "TypeError: unhashable type: 'list'",
    ],
    ["changing({'a': 1}).clear()", () => changing(dict(['a', 1]), 'clear'), '[None, {}]'],
    [
      "changing({'a': 1}).clear(1)",
      () => changing(dict(['a', 1]), 'clear', [1]),
      'TypeError: dict.clear() takes no arguments (1 given)',
    ],
    ["{'a': [1]}.copy()", () => call(dict(['a', [1]]), 'copy'), "{'a': [1]}"],
    ['{}.copy(1)', () => call(dict(), 'copy', [1]), 'TypeError: dict.copy() takes no arguments (1 given)'],
    ["{}.fromkeys('aab')", () => call(dict(), 'fromkeys', ['aab']), "{'a': None, 'b': None}"],
    ['{}.fromkeys([1, True], 5)', () => call(dict(), 'fromkeys', [[1, true], 5]), '{1: 5}'],
    ["{'x': 1}.fromkeys(())", () => call(dict(['x', 1]), 'fromkeys', [tuple()]), '{}'],
    ['{}.fromkeys(5)', () => call(dict(), 'fromkeys', [5]), "TypeError: 'int' object is not iterable"],
    ['{}.fromkeys([[]])', () => call(dict(), 'fromkeys', [[[]]]), "TypeError: unhashable type: 'list'"],
    [
      '{}.fromkeys()',
      () => call(dict(), 'fromkeys'),
      'TypeError: fromkeys expected at least 1 argument, got 0',
    ],
    [
      "{'a': 1}.keys().isdisjoint(['b'])",
      () => call(call(dict(['a', 1]), 'keys'), 'isdisjoint', [['b']]),
      'True',
    ],
    [
      "{'a': 1}.keys().isdisjoint(['a'])",
      () => call(call(dict(['a', 1]), 'keys'), 'isdisjoint', [['a']]),
      'False',
    ],
    [
      "{'a': 1}.items().isdisjoint([('a', 1)])",
      () => call(call(dict(['a', 1]), 'items'), 'isdisjoint', [[tuple('a', 1)]]),
      'False',
    ],
    [
      "{'a': 1}.keys().isdisjoint({'a': 1, 'b': 1}.keys())",
      () => call(call(dict(['a', 1]), 'keys'), 'isdisjoint', [call(dict(['a', 1], ['b', 1]), 'keys')]),
      'False',
    ],
    [
      "{'a': 1}.keys().isdisjoint(5)",
      () => call(call(dict(['a', 1]), 'keys'), 'isdisjoint', [5]),
      "TypeError: 'int' object is not iterable",
    ],
    [
      "{'a': 1}.values().isdisjoint([])",
      () => call(call(dict(['a', 1]), 'values'), 'isdisjoint', [[]]),
      "AttributeError: 'dict_values' object has no attribute 'isdisjoint'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('keys', () => {
  it('are one where they are equal, and keep their first spelling', () => {
    const ones = dict([1, 'a'], [true, 'b'], [float(1), 'c'], ['1', 'd']);
    expect(outcome(() => ones)).toBe("{1: 'c', '1': 'd'}");
    const texts = dict(['a', 1], [markup('a'), 2]);
    expect(outcome(() => texts)).toBe("{'a': 2}");
    const large = dict([2n ** 64n, 'a'], [float(2 ** 64), 'b']);
    expect(outcome(() => large)).toBe("{18446744073709551616: 'b'}");
  });

  it('are found by their parts where they are tuples', () => {
    const grid = dict([tuple(1, 'a'), 'x']);
    expect(item(grid, tuple(float(1), markup('a')))).toBe('x');
    expect(outcome(() => item(grid, tuple(1, ['a'])))).toBe("TypeError: unhashable type: 'list'");
    expect(outcome(() => item(grid, tuple(1, tuple('a'))))).toBe("KeyError: (1, ('a',))");
  });

  it('of different kinds are never taken for each other', () => {
    const names: Value[] = [
      '\0',
      '\0str\0',
      'tuple:',
      '',
      0,
      null,
      tuple(),
      tuple(''),
      tuple('', ''),
      bytes(0),
      new Range(0, 1),
    ];
    const all = Dict.of(names.map((name, index) => [name, index]));
    expect(names.map((name) => all.get(name))).toEqual(names.map((_, index) => index));
  });

  it('that are the same NaN are found, other NaNs are not', () => {
    const nan = float(Number.NaN);
    const holder = dict([nan, 1]);
    expect([holder.get(nan), holder.get(float(Number.NaN))]).toEqual([1, undefined]);
    expect([dict([tuple(nan), 1]).get(tuple(nan))]).toEqual([1]);
  });

  it.each<[string, Value]>([
    ['list', []],
    ['dict', dict()],
    ['slice', slice(1, 2, null)],
    ['dict_keys', call(dict(), 'keys')],
  ])('cannot be a %s', (type, key) => {
    expect(outcome(() => dict([key, 1]))).toBe(`TypeError: unhashable type: '${type}'`);
  });

  it('nested without end are refused', () => {
    let deep: Value = tuple();
    for (let i = 0; i < 2000; i++) deep = tuple(deep);
    expect(outcome(() => dict([deep, 1]))).toMatch('RecursionError');
    let wide: Value = tuple('x');
    for (let i = 0; i < 40; i++) wide = tuple(wide, wide);
    expect(outcome(() => dict([wide, 1]))).toMatch('MemoryError: a tuple is too large to be a key');
  });
});

describe('a dict', () => {
  it('behaves as a Map does with keys of one kind', () => {
    const step = fc.tuple(
      fc.constantFrom('set', 'delete', 'clear'),
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.integer(),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = new Map<string, Value>();
        const dict = new Dict();
        for (const [what, key, value] of steps) {
          if (what === 'set') {
            map.set(key, value);
            dict.set(key, value);
          } else if (what === 'delete') {
            expect(dict.delete(key)).toBe(map.get(key));
            map.delete(key);
          } else if (value % 5 === 0) {
            map.clear();
            dict.clear();
          }
        }
        expect([...dict.entries()]).toEqual([...map]);
        expect(dict.reversed()).toEqual([...map].reverse());
      }),
    );
  });

  it('is seen through its views as it is now', () => {
    const changing = dict(['a', 1]);
    const keys = call(changing, 'keys');
    call(changing, 'update', [], [['b', 2]]);
    expect(outcome(() => keys)).toBe("dict_keys(['a', 'b'])");
  });

  it('is copied flat', () => {
    const inner: Value[] = [1];
    const copy = call(dict(['a', inner]), 'copy');
    inner.push(2);
    expect(outcome(() => copy)).toBe("{'a': [1, 2]}");
  });
});
