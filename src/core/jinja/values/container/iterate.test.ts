import { describe, expect, it } from 'vitest';
import {
  bytes,
  call,
  dict,
  float,
  markup,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import { truthy } from '../truthy.ts';
import type { Value } from '../value.ts';
import { Dict } from './dict.ts';
import { iterate, lengthOf, toArray, unpack } from './iterate.ts';
import { Range } from './range.ts';

describe('len and list', () => {
  it.each<[string, () => Value, string]>([
    ["len('abc')", () => lengthOf('abc'), '3'],
    ["len('a😀')", () => lengthOf('a😀'), '2'],
    ['len([1, 2])', () => lengthOf([1, 2]), '2'],
    ['len((1,))', () => lengthOf(tuple(1)), '1'],
    ["len({'a': 1})", () => lengthOf(dict(['a', 1])), '1'],
    ['len(range(0, 10, 3))', () => lengthOf(new Range(0, 10, 3)), '4'],
    ["len({'a': 1}.items())", () => lengthOf(call(dict(['a', 1]), 'items')), '1'],
    ["len(Markup('ab'))", () => lengthOf(markup('ab')), '2'],
    ["len(b'abc')", () => lengthOf(bytes(97, 98, 99)), '3'],
    ['len(5)', () => lengthOf(5), "TypeError: object of type 'int' has no len()"],
    ['len(None)', () => lengthOf(null), "TypeError: object of type 'NoneType' has no len()"],
    ["list('a😀')", () => toArray('a😀'), "['a', '😀']"],
    ["list({'a': 1, 'b': 2})", () => toArray(dict(['a', 1], ['b', 2])), "['a', 'b']"],
    ["list({'a': 1}.items())", () => toArray(call(dict(['a', 1]), 'items')), "[('a', 1)]"],
    ['list(range(3, 0, -1))', () => toArray(new Range(3, 0, -1)), '[3, 2, 1]'],
    ["list(b'ab')", () => toArray(bytes(97, 98)), '[97, 98]'],
    ["list(Markup('ab'))", () => toArray(markup('ab')), "['a', 'b']"],
    ['list(5)', () => toArray(5), "TypeError: 'int' object is not iterable"],
    ['list(None)', () => toArray(null), "TypeError: 'NoneType' object is not iterable"],
    ["bool('')", () => truthy(''), 'False'],
    ['bool([])', () => truthy([]), 'False'],
    ['bool({})', () => truthy(dict()), 'False'],
    ['bool(())', () => truthy(tuple()), 'False'],
    ['bool(0.0)', () => truthy(float(0.0)), 'False'],
    ['bool(range(0))', () => truthy(new Range(0, 0)), 'False'],
    ['bool({}.keys())', () => truthy(call(dict(), 'keys')), 'False'],
    ["bool(Markup(''))", () => truthy(markup('')), 'False'],
    ["bool('0')", () => truthy('0'), 'True'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('unpack', () => {
  it.each<[Value, number, string]>([
    [[1, 2], 2, '[1, 2]'],
    [tuple(1, 2), 2, '[1, 2]'],
    ['ab', 2, "['a', 'b']"],
    [[1], 2, 'ValueError: not enough values to unpack (expected 2, got 1)'],
    [[1, 2, 3], 2, 'ValueError: too many values to unpack (expected 2)'],
    [5, 2, 'TypeError: cannot unpack non-iterable int object'],
    [null, 1, 'TypeError: cannot unpack non-iterable NoneType object'],
  ])('%j into %i', (value, count, printed) => {
    expect(outcome(() => [...unpack(value, count)])).toBe(printed);
  });
});

describe('what changes while it is iterated', () => {
  it('a list gives what was added, too', () => {
    const list: Value[] = [1, 2];
    const seen: Value[] = [];
    const iterator = iterate(list);
    for (let next = iterator.next(); !next.done && seen.length < 5; next = iterator.next()) {
      seen.push(next.value);
      list.push(0);
    }
    expect(seen).toEqual([1, 2, 0, 0, 0]);
  });

  it('a dict that grows or shrinks is an error', () => {
    for (const change of [(dict: Dict) => dict.set('new', 1), (dict: Dict) => dict.delete('a')]) {
      const dict = Dict.of([
        ['a', 1],
        ['b', 2],
      ]);
      const iterator = dict.keys();
      iterator.next();
      change(dict);
      expect(outcome(() => iterator.next().value as Value)).toBe(
        'RuntimeError: dictionary changed size during iteration',
      );
    }
  });

  it('a dict whose values change is fine', () => {
    const dict = Dict.of([
      ['a', 1],
      ['b', 2],
    ]);
    const seen: Value[] = [];
    for (const key of dict.keys()) {
      dict.set(key, 0);
      seen.push(key);
    }
    expect(seen).toEqual(['a', 'b']);
  });
});
