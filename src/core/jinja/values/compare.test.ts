import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyText,
  bytes,
  call,
  compare,
  dict,
  float,
  markup,
  operate,
  outcome,
  tuple,
} from '../../../../test/harness/states/jinja-values.ts';
import { equals, lessThan, order } from './compare.ts';
import { generator } from './container/iterator.ts';
import { Range } from './container/range.ts';
import type { Value } from './value.ts';

describe('equality', () => {
  it.each<[string, () => Value, string]>([
    ['1 == 1.0', () => compare(1, '==', float(1.0)), 'True'],
    ['True == 1', () => compare(true, '==', 1), 'True'],
    ['True == 1.0', () => compare(true, '==', float(1.0)), 'True'],
    ['0 == False', () => compare(0, '==', false), 'True'],
    ["'1' == 1", () => compare('1', '==', 1), 'False'],
    ['None == False', () => compare(null, '==', false), 'False'],
    ["'a' == Markup('a')", () => compare('a', '==', markup('a')), 'True'],
    ["Markup('a') == 'a'", () => compare(markup('a'), '==', 'a'), 'True'],
    ["'a' == b'a'", () => compare('a', '==', bytes(97)), 'False'],
    ['[1, 2.0] == [1.0, 2]', () => compare([1, float(2.0)], '==', [float(1.0), 2]), 'True'],
    ['[1] == (1,)', () => compare([1], '==', tuple(1)), 'False'],
    ['(1, 2) == (1, 2)', () => compare(tuple(1, 2), '==', tuple(1, 2)), 'True'],
    [
      "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}",
      () => compare(dict(['a', 1], ['b', 2]), '==', dict(['b', 2], ['a', 1])),
      'True',
    ],
    ["{'a': 1} == {'a': 2}", () => compare(dict(['a', 1]), '==', dict(['a', 2])), 'False'],
    ["{1: 'x'} == {True: 'x'}", () => compare(dict([1, 'x']), '==', dict([true, 'x'])), 'True'],
    ['10 ** 20 == 1e20', () => compare(operate(10, '**', 20), '==', float(1e20)), 'True'],
    [
      '10 ** 20 + 1 == 1e20',
      () => compare(operate(operate(10, '**', 20), '+', 1), '==', float(1e20)),
      'False',
    ],
    [
      '9007199254740993 == 9007199254740992.0',
      () => compare(9007199254740993n, '==', float(9007199254740992.0)),
      'False',
    ],
    ["float('nan') == float('nan')", () => compare(float(Number.NaN), '==', float(Number.NaN)), 'False'],
    ['range(3) == range(0, 3, 1)', () => compare(new Range(0, 3), '==', new Range(0, 3, 1)), 'True'],
    ['range(0) == range(2, 1)', () => compare(new Range(0, 0), '==', new Range(2, 1)), 'True'],
    ['range(0, 3, 2) == range(0, 4, 2)', () => compare(new Range(0, 3, 2), '==', new Range(0, 4, 2)), 'True'],
    [
      "{'a': 1}.keys() == {'a': 2}.keys()",
      () => compare(call(dict(['a', 1]), 'keys'), '==', call(dict(['a', 2]), 'keys')),
      'True',
    ],
    [
      "{'a': 1}.items() == {'a': 1}.items()",
      () => compare(call(dict(['a', 1]), 'items'), '==', call(dict(['a', 1]), 'items')),
      'True',
    ],
    [
      "{'a': 1}.values() == {'a': 1}.values()",
      () => compare(call(dict(['a', 1]), 'values'), '==', call(dict(['a', 1]), 'values')),
      'False',
    ],
    ['1 != 2', () => compare(1, '!=', 2), 'True'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('order', () => {
  it.each<[string, () => Value, string]>([
    ['1 < 1.5', () => compare(1, '<', float(1.5)), 'True'],
    ['True < 2', () => compare(true, '<', 2), 'True'],
    [
      '2 ** 53 + 1 > 2.0 ** 53',
      () => compare(operate(operate(2, '**', 53), '+', 1), '>', operate(float(2.0), '**', 53)),
      'True',
    ],
    ["float('nan') < 1", () => compare(float(Number.NaN), '<', 1), 'False'],
    ["'a' < 'b'", () => compare('a', '<', 'b'), 'True'],
    ["'Z' < 'a'", () => compare('Z', '<', 'a'), 'True'],
    ["'a' < 'ab'", () => compare('a', '<', 'ab'), 'True'],
    ["'😀' > '\uffff'", () => compare('😀', '>', '\uffff'), 'True'],
    ["Markup('a') < 'b'", () => compare(markup('a'), '<', 'b'), 'True'],
    ['[1, 2] < [1, 3]', () => compare([1, 2], '<', [1, 3]), 'True'],
    ['[1] < [1, 0]', () => compare([1], '<', [1, 0]), 'True'],
    ["[1, 'a'] < [2, 3]", () => compare([1, 'a'], '<', [2, 3]), 'True'],
    ['(1, 2) <= (1, 2)', () => compare(tuple(1, 2), '<=', tuple(1, 2)), 'True'],
    ["b'a' < b'b'", () => compare(bytes(97), '<', bytes(98)), 'True'],
    [
      "{'a': 1}.keys() < {'a': 1, 'b': 2}.keys()",
      () => compare(call(dict(['a', 1]), 'keys'), '<', call(dict(['a', 1], ['b', 2]), 'keys')),
      'True',
    ],
    [
      "{'a': 1}.items() <= {'a': 1}.items()",
      () => compare(call(dict(['a', 1]), 'items'), '<=', call(dict(['a', 1]), 'items')),
      'True',
    ],
    [
      "{'a': 1}.keys() > {'b': 1}.keys()",
      () => compare(call(dict(['a', 1]), 'keys'), '>', call(dict(['b', 1]), 'keys')),
      'False',
    ],
    [
      "1 < 'a'",
      () => compare(1, '<', 'a'),
      "TypeError: '<' not supported between instances of 'int' and 'str'",
    ],
    [
      "'a' >= 1",
      () => compare('a', '>=', 1),
      "TypeError: '>=' not supported between instances of 'str' and 'int'",
    ],
    [
      "[1] < ['a']",
      () => compare([1], '<', ['a']),
      "TypeError: '<' not supported between instances of 'int' and 'str'",
    ],
    [
      '[1] < (1,)',
      () => compare([1], '<', tuple(1)),
      "TypeError: '<' not supported between instances of 'list' and 'tuple'",
    ],
    [
      '{} < {}',
      () => compare(dict(), '<', dict()),
      "TypeError: '<' not supported between instances of 'dict' and 'dict'",
    ],
    [
      'None < None',
      () => compare(null, '<', null),
      "TypeError: '<' not supported between instances of 'NoneType' and 'NoneType'",
    ],
    [
      'None <= 1',
      () => compare(null, '<=', 1),
      "TypeError: '<=' not supported between instances of 'NoneType' and 'int'",
    ],
    [
      "{'a': 1}.keys() < [1]",
      () => compare(call(dict(['a', 1]), 'keys'), '<', [1]),
      "TypeError: '<' not supported between instances of 'dict_keys' and 'list'",
    ],
    [
      'range(1) < range(2)',
      () => compare(new Range(0, 1), '<', new Range(0, 2)),
      "TypeError: '<' not supported between instances of 'range' and 'range'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('in', () => {
  it.each<[string, () => Value, string]>([
    ["'b' in 'abc'", () => compare('b', 'in', 'abc'), 'True'],
    ["'' in 'abc'", () => compare('', 'in', 'abc'), 'True'],
    ["'x' in 'abc'", () => compare('x', 'in', 'abc'), 'False'],
    ["Markup('b') in 'abc'", () => compare(markup('b'), 'in', 'abc'), 'True'],
    ['1 in [1.0]', () => compare(1, 'in', [float(1.0)]), 'True'],
    ['True in [1]', () => compare(true, 'in', [1]), 'True'],
    ["'a' in ('a',)", () => compare('a', 'in', tuple('a')), 'True'],
    ["'a' in {'a': 1}", () => compare('a', 'in', dict(['a', 1])), 'True'],
    ['1 in {True: 0}', () => compare(1, 'in', dict([true, 0])), 'True'],
    ['3 in range(5)', () => compare(3, 'in', new Range(0, 5)), 'True'],
    ['3.0 in range(5)', () => compare(float(3.0), 'in', new Range(0, 5)), 'True'],
    ['3.5 in range(5)', () => compare(float(3.5), 'in', new Range(0, 5)), 'False'],
    ['4 in range(0, 10, 3)', () => compare(4, 'in', new Range(0, 10, 3)), 'False'],
    ["'a' in range(5)", () => compare('a', 'in', new Range(0, 5)), 'False'],
    ["1 in {'a': 1}.values()", () => compare(1, 'in', call(dict(['a', 1]), 'values')), 'True'],
    [
      "('a', 1) in {'a': 1}.items()",
      () => compare(tuple('a', 1), 'in', call(dict(['a', 1]), 'items')),
      'True',
    ],
    [
      "('a', 2) in {'a': 1}.items()",
      () => compare(tuple('a', 2), 'in', call(dict(['a', 1]), 'items')),
      'False',
    ],
    ["97 in b'abc'", () => compare(97, 'in', bytes(97, 98, 99)), 'True'],
    ["b'bc' in b'abc'", () => compare(bytes(98, 99), 'in', bytes(97, 98, 99)), 'True'],
    [
      "1 in 'abc'",
      () => compare(1, 'in', 'abc'),
      "TypeError: 'in <string>' requires string as left operand, not int",
    ],
    ['1 in 5', () => compare(1, 'in', 5), "TypeError: argument of type 'int' is not iterable"],
    ['1 in None', () => compare(1, 'in', null), "TypeError: argument of type 'NoneType' is not iterable"],
    ['[] in {}', () => compare([], 'in', dict()), "TypeError: unhashable type: 'list'"],
    ['[] in {}.keys()', () => compare([], 'in', call(dict(), 'keys')), "TypeError: unhashable type: 'list'"],
    ["300 in b'a'", () => compare(300, 'in', bytes(97)), 'ValueError: byte must be in range(0, 256)'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('containers that nest', () => {
  it('find the same NaN in a list, but not an equal one', () => {
    const nan = float(Number.NaN);
    expect([compare(nan, 'in', [nan]), compare(float(Number.NaN), 'in', [nan])]).toEqual([true, false]);
    expect([equals([nan], [nan]), equals(nan, nan)]).toEqual([true, false]);
  });

  it('are compared only so deep', () => {
    const loop = (): Value => {
      const list: Value[] = [];
      list.push(list);
      return list;
    };
    const error = 'RecursionError: maximum recursion depth exceeded in comparison';
    expect(outcome(() => equals(loop(), loop()))).toBe(error);
    expect(outcome(() => order('<', loop(), loop()))).toBe(error);
    expect(equals([1], [1])).toBe(true);
  });

  it('are compared only so long', () => {
    const doubled = (): Value => {
      let list: Value = [1];
      for (let i = 0; i < 60; i++) list = [list, list];
      return list;
    };
    expect(outcome(() => equals(doubled(), doubled()))).toMatch('MemoryError');
  });

  it('an iterator is searched by consuming it', () => {
    const items = generator('f', [1, 2, 3]);
    expect([compare(2, 'in', items), compare(1, 'in', items)]).toEqual([true, false]);
  });
});

describe('any values', () => {
  const plain = fc.oneof(
    fc.integer(),
    fc.double().map(float),
    anyText,
    fc.boolean(),
    fc.bigInt().filter((value) => !Number.isSafeInteger(Number(value))),
  );

  it('are equal the same both ways, and to themselves unless they are NaN', () => {
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        expect(equals(a, b)).toBe(equals(b, a));
        expect(equals([a], [a])).toBe(true);
      }),
    );
  });

  it('texts are ordered by code points', () => {
    const points = (text: string) => Array.from(text, (point) => point.codePointAt(0) ?? 0);
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(lessThan(a, b)).toBe(lessThan(points(a), points(b)));
      }),
    );
  });

  it('numbers of different kinds are ordered by their true values', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
        fc.integer({ min: -3, max: 3 }),
        (a, offset) => {
          const near = Number(a) + offset;
          expect(lessThan(a, float(near))).toBe(a < BigInt(near));
        },
      ),
    );
  });
});
