import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes,
  call,
  dict,
  float,
  item,
  markup,
  outcome,
  slice,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { PyObject } from '../value.ts';
import { getItem } from './item.ts';
import { each } from './iterate.ts';
import { Range } from './range.ts';
import { Slice } from './slice.ts';

describe('index', () => {
  it.each<[string, () => Value, string]>([
    ['[1, 2, 3][0]', () => item([1, 2, 3], 0), '1'],
    ['[1, 2, 3][-1]', () => item([1, 2, 3], -1), '3'],
    ['[1, 2, 3][True]', () => item([1, 2, 3], true), '2'],
    ['(1, 2)[1]', () => item(tuple(1, 2), 1), '2'],
    ["'abc'[1]", () => item('abc', 1), "'b'"],
    ["'a😀b'[1]", () => item('a😀b', 1), "'😀'"],
    ["'a😀b'[-1]", () => item('a😀b', -1), "'b'"],
    ['range(10)[3]', () => item(new Range(0, 10), 3), '3'],
    ['range(0, 10, 3)[-1]', () => item(new Range(0, 10, 3), -1), '9'],
    ["b'abc'[0]", () => item(bytes(97, 98, 99), 0), '97'],
    ["{'a': 1}['a']", () => item(dict(['a', 1]), 'a'), '1'],
    ["{1: 'x'}[1.0]", () => item(dict([1, 'x']), float(1.0)), "'x'"],
    ["{1: 'x'}[True]", () => item(dict([1, 'x']), true), "'x'"],
    ["Markup('abc')[1]", () => item(markup('abc'), 1), "Markup('b')"],
    ['[1][1]', () => item([1], 1), 'IndexError: list index out of range'],
    ['[1][-2]', () => item([1], -2), 'IndexError: list index out of range'],
    ['()[0]', () => item(tuple(), 0), 'IndexError: tuple index out of range'],
    ["'a'[1]", () => item('a', 1), 'IndexError: string index out of range'],
    ["b'a'[1]", () => item(bytes(97), 1), 'IndexError: index out of range'],
    ['range(3)[3]', () => item(new Range(0, 3), 3), 'IndexError: range object index out of range'],
    ["{}['a']", () => item(dict(), 'a'), "KeyError: 'a'"],
    ['{}[1]', () => item(dict(), 1), 'KeyError: 1'],
    ['{}[[]]', () => item(dict(), []), "TypeError: unhashable type: 'list'"],
    ["[1]['a']", () => item([1], 'a'), 'TypeError: list indices must be integers or slices, not str'],
    [
      '[1][1.5]',
      () => item([1], float(1.5)),
      'TypeError: list indices must be integers or slices, not float',
    ],
    ['[1][None]', () => item([1], null), 'TypeError: list indices must be integers or slices, not NoneType'],
    ["(1,)['a']", () => item(tuple(1), 'a'), 'TypeError: tuple indices must be integers or slices, not str'],
    ["'a'['b']", () => item('a', 'b'), "TypeError: string indices must be integers, not 'str'"],
    ["b'a'['x']", () => item(bytes(97), 'x'), 'TypeError: byte indices must be integers or slices, not str'],
    [
      "range(3)['a']",
      () => item(new Range(0, 3), 'a'),
      'TypeError: range indices must be integers or slices, not str',
    ],
    [
      '[1][99999999999999999999]',
      () => item([1], 99999999999999999999n),
      "IndexError: cannot fit 'int' into an index-sized integer",
    ],
    [
      'range(3)[99999999999999999999]',
      () => item(new Range(0, 3), 99999999999999999999n),
      'IndexError: range object index out of range',
    ],
    ["(5)['a']", () => item(5, 'a'), "TypeError: 'int' object is not subscriptable"],
    ['None[0]', () => item(null, 0), "TypeError: 'NoneType' object is not subscriptable"],
    [
      "{'a': 1}.keys()[0]",
      () => item(call(dict(['a', 1]), 'keys'), 0),
      "TypeError: 'dict_keys' object is not subscriptable",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('slice', () => {
  it.each<[string, () => Value, string]>([
    ['[0, 1, 2, 3, 4][1:3]', () => item([0, 1, 2, 3, 4], slice(1, 3, null)), '[1, 2]'],
    ['[0, 1, 2, 3, 4][::-1]', () => item([0, 1, 2, 3, 4], slice(null, null, -1)), '[4, 3, 2, 1, 0]'],
    ['[0, 1, 2, 3, 4][-2:]', () => item([0, 1, 2, 3, 4], slice(-2, null, null)), '[3, 4]'],
    ['[0, 1, 2, 3, 4][:-2]', () => item([0, 1, 2, 3, 4], slice(null, -2, null)), '[0, 1, 2]'],
    ['[0, 1, 2, 3, 4][::2]', () => item([0, 1, 2, 3, 4], slice(null, null, 2)), '[0, 2, 4]'],
    ['[0, 1, 2, 3, 4][4:0:-2]', () => item([0, 1, 2, 3, 4], slice(4, 0, -2)), '[4, 2]'],
    ['[0, 1, 2, 3, 4][10:20]', () => item([0, 1, 2, 3, 4], slice(10, 20, null)), '[]'],
    ['[0, 1, 2, 3, 4][3:1]', () => item([0, 1, 2, 3, 4], slice(3, 1, null)), '[]'],
    ['[0, 1, 2][:-99:-1]', () => item([0, 1, 2], slice(null, -99, -1)), '[2, 1, 0]'],
    ['[0, 1, 2][-99:]', () => item([0, 1, 2], slice(-99, null, null)), '[0, 1, 2]'],
    ['[0, 1, 2][99::-1]', () => item([0, 1, 2], slice(99, null, -1)), '[2, 1, 0]'],
    ['[0, 1, 2][-99::-1]', () => item([0, 1, 2], slice(-99, null, -1)), '[]'],
    ['[0, 1, 2][2:-99:-1]', () => item([0, 1, 2], slice(2, -99, -1)), '[2, 1, 0]'],
    [
      '[0, 1, 2, 3, 4][-99999999999999999999:99999999999999999999]',
      () => item([0, 1, 2, 3, 4], slice(-99999999999999999999n, 99999999999999999999n, null)),
      '[0, 1, 2, 3, 4]',
    ],
    ['[0, 1][None:None:None]', () => item([0, 1], slice(null, null, null)), '[0, 1]'],
    ['[0, 1][True:]', () => item([0, 1], slice(true, null, null)), '[1]'],
    ['(0, 1, 2)[1:]', () => item(tuple(0, 1, 2), slice(1, null, null)), '(1, 2)'],
    ["'abcdef'[1:5:2]", () => item('abcdef', slice(1, 5, 2)), "'bd'"],
    ["'a😀b'[::-1]", () => item('a😀b', slice(null, null, -1)), "'b😀a'"],
    ["'a😀b'[1:2]", () => item('a😀b', slice(1, 2, null)), "'😀'"],
    ['range(10)[2:8:3]', () => item(new Range(0, 10), slice(2, 8, 3)), 'range(2, 8, 3)'],
    ['range(10)[::-1]', () => item(new Range(0, 10), slice(null, null, -1)), 'range(9, -1, -1)'],
    ['range(10)[5:2]', () => item(new Range(0, 10), slice(5, 2, null)), 'range(5, 2)'],
    ['range(12, 6, -2)[2:-4]', () => item(new Range(12, 6, -2), slice(2, -4, null)), 'range(8, 12, -2)'],
    ["b'abcd'[1:3]", () => item(bytes(97, 98, 99, 100), slice(1, 3, null)), "b'bc'"],
    ["Markup('abcd')[1:3]", () => item(markup('abcd'), slice(1, 3, null)), "Markup('bc')"],
    ['[1][::0]', () => item([1], slice(null, null, 0)), 'ValueError: slice step cannot be zero'],
    ["'a'[::0]", () => item('a', slice(null, null, 0)), 'ValueError: slice step cannot be zero'],
    [
      'range(3)[::0]',
      () => item(new Range(0, 3), slice(null, null, 0)),
      'ValueError: slice step cannot be zero',
    ],
    [
      "[1]['a':]",
      () => item([1], slice('a', null, null)),
      'TypeError: slice indices must be integers or None or have an __index__ method',
    ],
    [
      '[1][:1.5]',
      () => item([1], slice(null, float(1.5), null)),
      'TypeError: slice indices must be integers or None or have an __index__ method',
    ],
    ['{}[1:2]', () => item(dict(), slice(1, 2, null)), "TypeError: unhashable type: 'slice'"],
    ['(5)[1:2]', () => item(5, slice(1, 2, null)), "TypeError: 'int' object is not subscriptable"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('getItem', () => {
  it('is undefined where Python raises an IndexError, KeyError or TypeError', () => {
    const pairs: [Value, Value][] = [
      [[1], 5],
      [[1], -5],
      [[1], 'a'],
      [dict(), 'a'],
      [dict(), []],
      ['a', 7],
      [5, 0],
      [null, 'a'],
    ];
    expect(pairs.map(([value, key]) => getItem(value, key))).toEqual(pairs.map(() => undefined));
  });

  it('throws what Jinja2 does not catch', () => {
    expect(outcome(() => getItem([1], new Slice(null, null, 0)) ?? null)).toBe(
      'ValueError: slice step cannot be zero',
    );
  });

  it('sees nothing of JavaScript', () => {
    const names = ['length', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'push'];
    const values: Value[] = ['abc', [1], dict(['a', 1]), tuple(1), 5, float(1), null, true, markup('x')];
    for (const value of values) for (const name of names) expect(getItem(value, name)).toBeUndefined();
  });

  it('asks an object that has items of its own', () => {
    class Shelf extends PyObject {
      override readonly typeName = 'Shelf';
      override item(key: Value): Value | undefined {
        return key === 'book' ? 1 : undefined;
      }
    }
    expect([getItem(new Shelf(), 'book'), getItem(new Shelf(), 'jar')]).toEqual([1, undefined]);
    expect(outcome(() => item(new Shelf(), 'jar'))).toBe("KeyError: 'jar'");
  });
});

describe('any slice', () => {
  const bound = fc.option(fc.integer({ min: -12, max: 12 }));
  const step = fc.option(fc.integer({ min: -4, max: 4 }).filter((value) => value !== 0));

  it('takes the same places of a list, a tuple, a text and a range', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 }), bound, bound, step, (length, start, stop, by) => {
        const cut = slice(start, stop, by);
        const list = Array.from({ length }, (_, index) => index);
        const places = item(list, cut) as number[];
        expect(item(tuple(...list), cut)).toEqual(tuple(...places));
        const text = list.map((index) => String.fromCodePoint(0x1f600 + index)).join('');
        expect(item(text, cut)).toBe(places.map((index) => String.fromCodePoint(0x1f600 + index)).join(''));
        expect([...each(item(new Range(0, length), cut))]).toEqual(places);
        const steps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
        expect(steps.every((distance) => distance === (by ?? 1))).toBe(true);
      }),
    );
  });
});
