import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attribute,
  call,
  changing,
  dict,
  float,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import { Func } from '../func.ts';
import type { Value } from '../value.ts';
import { Range } from './range.ts';

describe('list', () => {
  it.each<[string, () => Value, string]>([
    ['changing([1]).append(2)', () => changing([1], 'append', [2]), '[None, [1, 2]]'],
    ['changing([]).append([])', () => changing([], 'append', [[]]), '[None, [[]]]'],
    ['changing([1]).append(None)', () => changing([1], 'append', [null]), '[None, [1, None]]'],
    [
      'changing([1]).append()',
      () => changing([1], 'append'),
      'TypeError: list.append() takes exactly one argument (0 given)',
    ],
    [
      'changing([1]).append(1, 2)',
      () => changing([1], 'append', [1, 2]),
      'TypeError: list.append() takes exactly one argument (2 given)',
    ],
    ['changing([1, 2]).clear()', () => changing([1, 2], 'clear'), '[None, []]'],
    ['changing([]).clear()', () => changing([], 'clear'), '[None, []]'],
    [
      'changing([1]).clear(1)',
      () => changing([1], 'clear', [1]),
      'TypeError: list.clear() takes no arguments (1 given)',
    ],
    ['[1, [2]].copy()', () => call([1, [2]], 'copy'), '[1, [2]]'],
    ['[].copy()', () => call([], 'copy'), '[]'],
    ['[1].copy(1)', () => call([1], 'copy', [1]), 'TypeError: list.copy() takes no arguments (1 given)'],
    ['[1, 1.0, True, 2].count(1)', () => call([1, float(1.0), true, 2], 'count', [1]), '3'],
    ["['a', 'b'].count('a')", () => call(['a', 'b'], 'count', ['a']), '1'],
    ['[].count(1)', () => call([], 'count', [1]), '0'],
    ['[[1], [1]].count([1])', () => call([[1], [1]], 'count', [[1]]), '2'],
    ['[1].count()', () => call([1], 'count'), 'TypeError: list.count() takes exactly one argument (0 given)'],
    ['changing([1]).extend([2, 3])', () => changing([1], 'extend', [[2, 3]]), '[None, [1, 2, 3]]'],
    ["changing([1]).extend('ab')", () => changing([1], 'extend', ['ab']), "[None, [1, 'a', 'b']]"],
    ["changing([1]).extend({'a': 1})", () => changing([1], 'extend', [dict(['a', 1])]), "[None, [1, 'a']]"],
    ['changing([1]).extend(range(2))', () => changing([1], 'extend', [new Range(0, 2)]), '[None, [1, 0, 1]]'],
    [
      'changing([1]).extend(5)',
      () => changing([1], 'extend', [5]),
      "TypeError: 'int' object is not iterable",
    ],
    ['[1, 2, 3].index(2)', () => call([1, 2, 3], 'index', [2]), '1'],
    ['[1, 2, 1].index(1, 1)', () => call([1, 2, 1], 'index', [1, 1]), '2'],
    ['[1, 2, 3].index(3, -1)', () => call([1, 2, 3], 'index', [3, -1]), '2'],
    ['[1, 2].index(2, 0, -1)', () => call([1, 2], 'index', [2, 0, -1]), 'ValueError: 2 is not in list'],
    ['[1.0].index(True)', () => call([float(1.0)], 'index', [true]), '0'],
    ['[1].index(2)', () => call([1], 'index', [2]), 'ValueError: 2 is not in list'],
    ["[1].index('a')", () => call([1], 'index', ['a']), "ValueError: 'a' is not in list"],
    [
      "[1].index(1, 'a')",
      () => call([1], 'index', [1, 'a']),
      'TypeError: slice indices must be integers or have an __index__ method',
    ],
    ['[1].index()', () => call([1], 'index'), 'TypeError: index expected at least 1 argument, got 0'],
    ['changing([1, 2]).insert(1, 9)', () => changing([1, 2], 'insert', [1, 9]), '[None, [1, 9, 2]]'],
    ['changing([1, 2]).insert(-1, 9)', () => changing([1, 2], 'insert', [-1, 9]), '[None, [1, 9, 2]]'],
    ['changing([1, 2]).insert(99, 9)', () => changing([1, 2], 'insert', [99, 9]), '[None, [1, 2, 9]]'],
    ['changing([1, 2]).insert(-99, 9)', () => changing([1, 2], 'insert', [-99, 9]), '[None, [9, 1, 2]]'],
    ['changing([]).insert(0, 1)', () => changing([], 'insert', [0, 1]), '[None, [1]]'],
    [
      'changing([1]).insert(1)',
      () => changing([1], 'insert', [1]),
      'TypeError: insert expected 2 arguments, got 1',
    ],
    [
      "changing([1]).insert('a', 1)",
      () => changing([1], 'insert', ['a', 1]),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    ['changing([1, 2, 3]).pop()', () => changing([1, 2, 3], 'pop'), '[3, [1, 2]]'],
    ['changing([1, 2, 3]).pop(0)', () => changing([1, 2, 3], 'pop', [0]), '[1, [2, 3]]'],
    ['changing([1, 2, 3]).pop(-2)', () => changing([1, 2, 3], 'pop', [-2]), '[2, [1, 3]]'],
    ['changing([1]).pop(True)', () => changing([1], 'pop', [true]), 'IndexError: pop index out of range'],
    ['changing([1]).pop(5)', () => changing([1], 'pop', [5]), 'IndexError: pop index out of range'],
    ['changing([]).pop()', () => changing([], 'pop'), 'IndexError: pop from empty list'],
    [
      "changing([1]).pop('a')",
      () => changing([1], 'pop', ['a']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      'changing([1]).pop(1, 2)',
      () => changing([1], 'pop', [1, 2]),
      'TypeError: pop expected at most 1 argument, got 2',
    ],
    ['changing([1, 2, 1]).remove(1)', () => changing([1, 2, 1], 'remove', [1]), '[None, [2, 1]]'],
    ['changing([1.0]).remove(1)', () => changing([float(1.0)], 'remove', [1]), '[None, []]'],
    ['changing([[]]).remove([])', () => changing([[]], 'remove', [[]]), '[None, []]'],
    ["changing(['a', 'b']).remove('b')", () => changing(['a', 'b'], 'remove', ['b']), "[None, ['a']]"],
    [
      'changing([1]).remove(2)',
      () => changing([1], 'remove', [2]),
      'ValueError: list.remove(x): x not in list',
    ],
    [
      'changing([1]).remove()',
      () => changing([1], 'remove'),
      'TypeError: list.remove() takes exactly one argument (0 given)',
    ],
    ['changing([1, 2, 3]).reverse()', () => changing([1, 2, 3], 'reverse'), '[None, [3, 2, 1]]'],
    ['changing([]).reverse()', () => changing([], 'reverse'), '[None, []]'],
    [
      'changing([1]).reverse(1)',
      () => changing([1], 'reverse', [1]),
      'TypeError: list.reverse() takes no arguments (1 given)',
    ],
    ['changing([3, 1, 2]).sort()', () => changing([3, 1, 2], 'sort'), '[None, [1, 2, 3]]'],
    ["changing(['b', 'a', 'C']).sort()", () => changing(['b', 'a', 'C'], 'sort'), "[None, ['C', 'a', 'b']]"],
    [
      'changing([3, 1, 2]).sort(reverse=True)',
      () => changing([3, 1, 2], 'sort', [], [['reverse', true]]),
      '[None, [3, 2, 1]]',
    ],
    [
      'changing([1, 1.0, True]).sort(reverse=True)',
      () => changing([1, float(1.0), true], 'sort', [], [['reverse', true]]),
      '[None, [1, 1.0, True]]',
    ],
    [
      'changing([[2, 1], [1, 9]]).sort()',
      () =>
        changing(
          [
            [2, 1],
            [1, 9],
          ],
          'sort',
        ),
      '[None, [[1, 9], [2, 1]]]',
    ],
    [
      "changing([(1, 'b'), (1, 'a')]).sort(key=None)",
      () => changing([tuple(1, 'b'), tuple(1, 'a')], 'sort', [], [['key', null]]),
      "[None, [(1, 'a'), (1, 'b')]]",
    ],
    ['changing([]).sort()', () => changing([], 'sort'), '[None, []]'],
    [
      "changing([1, 'a']).sort()",
      () => changing([1, 'a'], 'sort'),
      "TypeError: '<' not supported between instances of 'str' and 'int'",
    ],
    [
      'changing([1, None]).sort()',
      () => changing([1, null], 'sort'),
      "TypeError: '<' not supported between instances of 'NoneType' and 'int'",
    ],
    [
      'changing([1]).sort(1)',
      () => changing([1], 'sort', [1]),
      'TypeError: sort() takes no positional arguments',
    ],
    [
      'changing([1]).sort(foo=1)',
      () => changing([1], 'sort', [], [['foo', 1]]),
      "TypeError: 'foo' is an invalid keyword argument for sort()",
    ],
    [
      'changing([1]).sort(key=5)',
      () => changing([1], 'sort', [], [['key', 5]]),
      "TypeError: 'int' object is not callable",
    ],
    [
      "changing([1]).sort(reverse='a')",
      () => changing([1], 'sort', [], [['reverse', 'a']]),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('tuple', () => {
  it.each<[string, () => Value, string]>([
    ['(1, 2, 1).count(1)', () => call(tuple(1, 2, 1), 'count', [1]), '2'],
    ['().count(1)', () => call(tuple(), 'count', [1]), '0'],
    ["('a', 'b').count('a')", () => call(tuple('a', 'b'), 'count', ['a']), '1'],
    ['(1, 1.0).count(True)', () => call(tuple(1, float(1.0)), 'count', [true]), '2'],
    [
      '(1,).count()',
      () => call(tuple(1), 'count'),
      'TypeError: tuple.count() takes exactly one argument (0 given)',
    ],
    ['(1, 2).index(2)', () => call(tuple(1, 2), 'index', [2]), '1'],
    ['(1, 2, 1).index(1, 1)', () => call(tuple(1, 2, 1), 'index', [1, 1]), '2'],
    ['(1,).index(2)', () => call(tuple(1), 'index', [2]), 'ValueError: tuple.index(x): x not in tuple'],
    [
      "(1,).index(1, 'a')",
      () => call(tuple(1), 'index', [1, 'a']),
      'TypeError: slice indices must be integers or have an __index__ method',
    ],
    ['(1,).index()', () => call(tuple(1), 'index'), 'TypeError: index expected at least 1 argument, got 0'],
    [
      '(1,).append',
      () => attribute(tuple(1), 'append'),
      "AttributeError: 'tuple' object has no attribute 'append'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('sort', () => {
  it('sorts by a key, and keeps equal items in their order, also in reverse', () => {
    const tens = new Func('tens', ({ positional: [value] }) => Math.floor((value as number) / 10));
    expect(changing([21, 13, 22, 11], 'sort', [], [['key', tens]])[1]).toEqual([13, 11, 21, 22]);
    const reversed: [string, Value][] = [
      ['key', tens],
      ['reverse', true],
    ];
    expect(changing([21, 13, 22, 11], 'sort', [], reversed)[1]).toEqual([21, 22, 13, 11]);
  });

  it('orders any whole numbers, and leaves the list as it was when it cannot', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (list) => {
        expect(changing([...list], 'sort')[1]).toEqual([...list].sort((a, b) => a - b));
      }),
    );
    const mixed: Value[] = [2, 1, 'a'];
    expect(outcome(() => call(mixed, 'sort'))).toBe(
      "TypeError: '<' not supported between instances of 'str' and 'int'",
    );
    expect(mixed).toEqual([2, 1, 'a']);
  });
});

describe('a list', () => {
  it('is shared by everyone who holds it', () => {
    const list: Value[] = [1];
    const holder = [list, list];
    call(list, 'append', [2]);
    expect(holder).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('that extends itself takes what it held before', () => {
    const list: Value[] = [1, 2];
    call(list, 'extend', [list]);
    expect(list).toEqual([1, 2, 1, 2]);
  });

  it('grows no longer than the limit', () => {
    const list: Value[] = Array(10_000).fill(0);
    const error = 'OverflowError: a sequence of 10001 items is longer than the limit of 10000';
    expect(outcome(() => call(list, 'append', [1]))).toBe(error);
    expect(outcome(() => call(list, 'insert', [0, 1]))).toBe(error);
    expect(outcome(() => call(list, 'extend', [[1]]))).toBe(error);
  });
});
