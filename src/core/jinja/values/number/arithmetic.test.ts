import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes,
  call,
  dict,
  float,
  LIMITS,
  markup,
  operate,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import { type Operator, PyObject, type Value } from '../value.ts';
import { add, unary, unary as unaryOf } from './arithmetic.ts';
import { normalInt } from './integer.ts';

describe('int', () => {
  it.each<[string, () => Value, string]>([
    ['1 + 2', () => operate(1, '+', 2), '3'],
    ['True + True', () => operate(true, '+', true), '2'],
    ['7 // 2', () => operate(7, '//', 2), '3'],
    ['-7 // 2', () => operate(-7, '//', 2), '-4'],
    ['7 // -2', () => operate(7, '//', -2), '-4'],
    ['-7 // -2', () => operate(-7, '//', -2), '3'],
    ['7 % 3', () => operate(7, '%', 3), '1'],
    ['-7 % 3', () => operate(-7, '%', 3), '2'],
    ['7 % -3', () => operate(7, '%', -3), '-2'],
    ['-7 % -3', () => operate(-7, '%', -3), '-1'],
    ['0 * -5', () => operate(0, '*', -5), '0'],
    ['-6 // 3', () => operate(-6, '//', 3), '-2'],
    ['7 / 2', () => operate(7, '/', 2), '3.5'],
    ['6 / 3', () => operate(6, '/', 3), '2.0'],
    ['-1 / 3', () => operate(-1, '/', 3), '-0.3333333333333333'],
    ['2 ** 10', () => operate(2, '**', 10), '1024'],
    ['2 ** 0', () => operate(2, '**', 0), '1'],
    ['(-2) ** 3', () => operate(-2, '**', 3), '-8'],
    ['2 ** -1', () => operate(2, '**', -1), '0.5'],
    ['0 ** 0', () => operate(0, '**', 0), '1'],
    ['2 ** 64', () => operate(2, '**', 64), '18446744073709551616'],
    ['9007199254740991 + 1', () => operate(9007199254740991, '+', 1), '9007199254740992'],
    ['9007199254740993 - 9007199254740992', () => operate(9007199254740993n, '-', 9007199254740992n), '1'],
    ['-9007199254740991 - 2', () => operate(-9007199254740991, '-', 2), '-9007199254740993'],
    ['3037000500 * 3037000500', () => operate(3037000500, '*', 3037000500), '9223372037000250000'],
    ['94906267 * 94906267', () => operate(94906267, '*', 94906267), '9007199515875289'],
    ['10 ** 20 // 7', () => operate(operate(10, '**', 20), '//', 7), '14285714285714285714'],
    ['-(10 ** 20) // 7', () => operate(unary('-', operate(10, '**', 20)), '//', 7), '-14285714285714285715'],
    ['10 ** 20 % -7', () => operate(operate(10, '**', 20), '%', -7), '-5'],
    ['10 ** 20 / 3', () => operate(operate(10, '**', 20), '/', 3), '3.333333333333333e+19'],
    ['10 ** 400 / 10 ** 399', () => operate(operate(10, '**', 400), '/', operate(10, '**', 399)), '10.0'],
    ['1 / 10 ** 330', () => operate(1, '/', operate(10, '**', 330)), '0.0'],
    ['10 ** 300 / 10 ** 400', () => operate(operate(10, '**', 300), '/', operate(10, '**', 400)), '1e-100'],
    ['0 / -9007199254740993', () => operate(0, '/', -9007199254740993n), '-0.0'],
    [
      '10 ** 400 / 3',
      () => operate(operate(10, '**', 400), '/', 3),
      'OverflowError: integer division result too large for a float',
    ],
    ['1 // 0', () => operate(1, '//', 0), 'ZeroDivisionError: integer division or modulo by zero'],
    ['1 % 0', () => operate(1, '%', 0), 'ZeroDivisionError: integer modulo by zero'],
    ['1 / 0', () => operate(1, '/', 0), 'ZeroDivisionError: division by zero'],
    ['0 ** -1', () => operate(0, '**', -1), 'ZeroDivisionError: 0.0 cannot be raised to a negative power'],
    [
      '10 ** 400 * 1.0',
      () => operate(operate(10, '**', 400), '*', float(1.0)),
      'OverflowError: int too large to convert to float',
    ],
    ['-True', () => unary('-', true), '-1'],
    ['+True', () => unary('+', true), '1'],
    ['- -5', () => unary('-', -5), '5'],
    ['-9007199254740993', () => -9007199254740993n, '-9007199254740993'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('float', () => {
  it.each<[string, () => Value, string]>([
    ['1.5 + 1', () => operate(float(1.5), '+', 1), '2.5'],
    ['1 + 1.5', () => operate(1, '+', float(1.5)), '2.5'],
    ['True + 0.5', () => operate(true, '+', float(0.5)), '1.5'],
    ['0.1 + 0.2', () => operate(float(0.1), '+', float(0.2)), '0.30000000000000004'],
    ['1.0 * 3', () => operate(float(1.0), '*', 3), '3.0'],
    ['7.5 // 2', () => operate(float(7.5), '//', 2), '3.0'],
    ['-7.5 // 2', () => operate(float(-7.5), '//', 2), '-4.0'],
    ['7.5 % 2', () => operate(float(7.5), '%', 2), '1.5'],
    ['-7.5 % 2', () => operate(float(-7.5), '%', 2), '0.5'],
    ['7.5 % -2', () => operate(float(7.5), '%', -2), '-0.5'],
    ['-0.0 + 0', () => operate(float(-0.0), '+', 0), '0.0'],
    ['4.0 % -2', () => operate(float(4.0), '%', -2), '-0.0'],
    ['-4.0 // 8', () => operate(float(-4.0), '//', 8), '-1.0'],
    ['1e308 * 10', () => operate(float(1e308), '*', 10), 'inf'],
    ['5.0 // 0.1', () => operate(float(5.0), '//', float(0.1)), '49.0'],
    ['1.0 / 0', () => operate(float(1.0), '/', 0), 'ZeroDivisionError: float division by zero'],
    ['1.0 // 0', () => operate(float(1.0), '//', 0), 'ZeroDivisionError: float floor division by zero'],
    ['1.0 % 0', () => operate(float(1.0), '%', 0), 'ZeroDivisionError: float modulo'],
    ['2.0 ** 0.5', () => operate(float(2.0), '**', float(0.5)), '1.4142135623730951'],
    ['2 ** 0.5', () => operate(2, '**', float(0.5)), '1.4142135623730951'],
    ['2 ** -0.5', () => operate(2, '**', float(-0.5)), '0.7071067811865476'],
    ['100 ** -2', () => operate(100, '**', -2), '0.0001'],
    [
      '10.0 ** 400',
      () => operate(float(10.0), '**', 400),
      "OverflowError: (34, 'Numerical result out of range')",
    ],
    [
      '0.0 ** -1',
      () => operate(float(0.0), '**', -1),
      'ZeroDivisionError: 0.0 cannot be raised to a negative power',
    ],
    ["1.0 ** float('nan')", () => operate(float(1.0), '**', float(Number.NaN)), '1.0'],
    ["float('nan') ** 0", () => operate(float(Number.NaN), '**', 0), '1.0'],
    ["(-1.0) ** float('inf')", () => operate(float(-1.0), '**', float(Infinity)), '1.0'],
    ['(-8.0) ** 3', () => operate(float(-8.0), '**', 3), '-512.0'],
    ['(-2.0) ** -3', () => operate(float(-2.0), '**', -3), '-0.125'],
    ['7.0 ** 0.333', () => operate(float(7.0), '**', float(0.333)), '1.911690787697772'],
    ['1.1 ** 10', () => operate(float(1.1), '**', 10), '2.5937424601000023'],
    ['9.0 ** 100.5', () => operate(float(9.0), '**', float(100.5)), '7.968419666276243e+95'],
    [
      '1.0000001 ** -1e9',
      () => operate(float(1.0000001), '**', float(-1000000000.0)),
      '3.7200943592418933e-44',
    ],
    ["float('inf') % 3", () => operate(float(Infinity), '%', 3), 'nan'],
    ["3 % float('inf')", () => operate(3, '%', float(Infinity)), '3.0'],
    ["-3 % float('inf')", () => operate(-3, '%', float(Infinity)), 'inf'],
    ["float('inf') // 1", () => operate(float(Infinity), '//', 1), 'nan'],
    ['-(1.5)', () => float(-1.5), '-1.5'],
    ['-(0.0)', () => float(-0.0), '-0.0'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('sequences', () => {
  it.each<[string, () => Value, string]>([
    ["'a' + 'b'", () => operate('a', '+', 'b'), "'ab'"],
    ['[1] + [2]', () => operate([1], '+', [2]), '[1, 2]'],
    ['(1,) + (2,)', () => operate(tuple(1), '+', tuple(2)), '(1, 2)'],
    ["b'a' + b'b'", () => operate(bytes(97), '+', bytes(98)), "b'ab'"],
    ["'ab' * 3", () => operate('ab', '*', 3), "'ababab'"],
    ["3 * 'ab'", () => operate(3, '*', 'ab'), "'ababab'"],
    ["'ab' * -1", () => operate('ab', '*', -1), "''"],
    ['[1, 2] * 2', () => operate([1, 2], '*', 2), '[1, 2, 1, 2]'],
    ['2 * (1,)', () => operate(2, '*', tuple(1)), '(1, 1)'],
    ["b'ab' * 2", () => operate(bytes(97, 98), '*', 2), "b'abab'"],
    ["'ab' * True", () => operate('ab', '*', true), "'ab'"],
    ['[] * 5', () => operate([], '*', 5), '[]'],
    ["'a' + 1", () => operate('a', '+', 1), 'TypeError: can only concatenate str (not "int") to str'],
    [
      '[1] + (2,)',
      () => operate([1], '+', tuple(2)),
      'TypeError: can only concatenate list (not "tuple") to list',
    ],
    [
      '(1,) + [2]',
      () => operate(tuple(1), '+', [2]),
      'TypeError: can only concatenate tuple (not "list") to tuple',
    ],
    ["b'a' + 'b'", () => operate(bytes(97), '+', 'b'), "TypeError: can't concat str to bytes"],
    ["1 + 'a'", () => operate(1, '+', 'a'), "TypeError: unsupported operand type(s) for +: 'int' and 'str'"],
    [
      'None + 1',
      () => operate(null, '+', 1),
      "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'",
    ],
    [
      '{} + {}',
      () => operate(dict(), '+', dict()),
      "TypeError: unsupported operand type(s) for +: 'dict' and 'dict'",
    ],
    [
      "'a' * 'b'",
      () => operate('a', '*', 'b'),
      "TypeError: can't multiply sequence by non-int of type 'str'",
    ],
    [
      "'a' * 1.5",
      () => operate('a', '*', float(1.5)),
      "TypeError: can't multiply sequence by non-int of type 'float'",
    ],
    [
      "1.5 * 'a'",
      () => operate(float(1.5), '*', 'a'),
      "TypeError: can't multiply sequence by non-int of type 'float'",
    ],
    [
      '[1] * None',
      () => operate([1], '*', null),
      "TypeError: can't multiply sequence by non-int of type 'NoneType'",
    ],
    [
      "'a' - 'b'",
      () => operate('a', '-', 'b'),
      "TypeError: unsupported operand type(s) for -: 'str' and 'str'",
    ],
    ["'a' / 2", () => operate('a', '/', 2), "TypeError: unsupported operand type(s) for /: 'str' and 'int'"],
    [
      "'a' ** 2",
      () => operate('a', '**', 2),
      "TypeError: unsupported operand type(s) for ** or pow(): 'str' and 'int'",
    ],
    ['[1] % 2', () => operate([1], '%', 2), "TypeError: unsupported operand type(s) for %: 'list' and 'int'"],
    ["-'a'", () => unary('-', 'a'), "TypeError: bad operand type for unary -: 'str'"],
    ['+None', () => unary('+', null), "TypeError: bad operand type for unary +: 'NoneType'"],
    [
      "'a' * 99999999999999999999",
      () => operate('a', '*', 99999999999999999999n),
      "OverflowError: cannot fit 'int' into an index-sized integer",
    ],
    [
      "{'a': 1, 'b': 2}.keys() - ['a']",
      () => operate(call(dict(['a', 1], ['b', 2]), 'keys'), '-', ['a']),
      "{'b'}",
    ],
    ["['a', 'b'] - {'a': 1}.keys()", () => operate(['a', 'b'], '-', call(dict(['a', 1]), 'keys')), "{'b'}"],
    [
      "{'a': 1}.items() - [('a', 1)]",
      () => operate(call(dict(['a', 1]), 'items'), '-', [tuple('a', 1)]),
      'set()',
    ],
    [
      "{'a': 1}.keys() - 5",
      () => operate(call(dict(['a', 1]), 'keys'), '-', 5),
      "TypeError: 'int' object is not iterable",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('Markup', () => {
  it.each<[string, () => Value, string]>([
    ["Markup('<b>') + '<i>'", () => operate(markup('<b>'), '+', '<i>'), "Markup('<b>&lt;i&gt;')"],
    ["'<i>' + Markup('<b>')", () => operate('<i>', '+', markup('<b>')), "Markup('&lt;i&gt;<b>')"],
    ["Markup('<b>') + Markup('<i>')", () => operate(markup('<b>'), '+', markup('<i>')), "Markup('<b><i>')"],
    ["Markup('a') * 2", () => operate(markup('a'), '*', 2), "Markup('aa')"],
    ["2 * Markup('a')", () => operate(2, '*', markup('a')), "Markup('aa')"],
    [
      "Markup('a') + 1",
      () => operate(markup('a'), '+', 1),
      "TypeError: unsupported operand type(s) for +: 'Markup' and 'int'",
    ],
    [
      "1 + Markup('a')",
      () => operate(1, '+', markup('a')),
      "TypeError: unsupported operand type(s) for +: 'int' and 'Markup'",
    ],
    [
      "[1] + Markup('a')",
      () => operate([1], '+', markup('a')),
      'TypeError: can only concatenate list (not "Markup") to list',
    ],
    [
      "b'a' + Markup('a')",
      () => operate(bytes(97), '+', markup('a')),
      "TypeError: can't concat Markup to bytes",
    ],
    [
      "Markup('a') * 'b'",
      () => operate(markup('a'), '*', 'b'),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "'a' * Markup('b')",
      () => operate('a', '*', markup('b')),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "Markup('%s %s') % ('<', Markup('<'))",
      () => operate(markup('%s %s'), '%', tuple('<', markup('<'))),
      "Markup('&lt; <')",
    ],
    ["Markup('%r') % '<'", () => operate(markup('%r'), '%', '<'), "Markup('&#39;&lt;&#39;')"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

const big = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
const near = fc
  .integer({ min: -5, max: 5 })
  .chain((offset) =>
    fc.constantFrom(0n, 2n ** 31n, 2n ** 53n, -(2n ** 53n), 2n ** 63n).map((base) => base + BigInt(offset)),
  );
const int = fc.oneof(big, near, fc.maxSafeInteger().map(BigInt));

describe('any whole numbers', () => {
  const run = (a: bigint, operator: Operator, b: bigint) => operate(normalInt(a), operator, normalInt(b));
  const isNormal = (value: Value) =>
    typeof value === 'number'
      ? Number.isSafeInteger(value) && !Object.is(value, -0)
      : typeof value === 'bigint' && !Number.isSafeInteger(Number(value));

  it('add, subtract and multiply exactly, in their one representation', () => {
    fc.assert(
      fc.property(int, int, (a, b) => {
        const results = [run(a, '+', b), run(a, '-', b), run(a, '*', b)];
        expect(results.map((value) => BigInt(value as bigint))).toEqual([a + b, a - b, a * b]);
        expect(results.every(isNormal)).toBe(true);
      }),
    );
  });

  it('divide so that quotient and remainder belong together, the remainder with the sign of the divisor', () => {
    fc.assert(
      fc.property(
        int,
        int.filter((value) => value !== 0n),
        (a, b) => {
          const quotient = run(a, '//', b);
          const rest = run(a, '%', b);
          expect(isNormal(quotient) && isNormal(rest)).toBe(true);
          expect(BigInt(quotient as bigint) * b + BigInt(rest as bigint)).toBe(a);
          const sized = BigInt(rest as bigint);
          expect(b > 0n ? sized >= 0n && sized < b : sized <= 0n && sized > b).toBe(true);
        },
      ),
    );
  });

  it('are raised exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -40n, max: 40n }), fc.bigInt({ min: 0n, max: 40n }), (a, b) => {
        expect(BigInt(run(a, '**', b) as bigint)).toBe(a ** b);
      }),
    );
  });
});

describe('bounds', () => {
  it.each<[string, () => Value, RegExp]>([
    ['a power', () => operate(7, '**', 10 ** 6), /^OverflowError: a whole number of more than 65536 bits/],
    ['a power of a large number', () => operate(7, '**', 2n ** 64n), /^OverflowError: a whole number/],
    ['a product', () => operate(2n ** 40000n, '*', 2n ** 40000n), /^OverflowError: a whole number/],
    ['a repeated text', () => operate('ab', '*', 10 ** 9), /^OverflowError: a text of 2000000000 characters/],
    [
      'a repeated list',
      () => operate([1, 2], '*', 10 ** 9),
      /^OverflowError: a sequence of 2000000000 items/,
    ],
    [
      'a longer text',
      () => add('x'.repeat(60_000), 'x'.repeat(60_000), LIMITS),
      /^OverflowError: a text of 120000/,
    ],
    [
      'a longer list',
      () => operate(Array(9000).fill(1), '+', Array(9000).fill(1)),
      /^OverflowError: a sequence/,
    ],
    [
      'a complex number',
      () => operate(-8, '**', float(0.5)),
      /^ValueError: .* complex, which is not supported$/,
    ],
  ])('%s', (_what, run, error) => {
    expect(outcome(run)).toMatch(error);
  });

  it('0, 1 and -1 may be raised to anything', () => {
    expect([0, 1, -1].map((base) => operate(base, '**', 2n ** 64n))).toEqual([0, 1, 1]);
    expect(operate(-1, '**', 2n ** 64n + 1n)).toBe(-1);
  });
});

describe('an object with operators of its own', () => {
  class Odd extends PyObject {
    override readonly typeName = 'Odd';
    override operate(operator: Operator, _other: Value, reflected: boolean): Value | undefined {
      return operator === '+' ? (reflected ? 'right' : 'left') : undefined;
    }
    override unary(operator: '-' | '+'): Value | undefined {
      return operator === '-' ? 'negated' : undefined;
    }
  }

  it('is asked on both sides, before texts and lists are', () => {
    const odd = new Odd();
    expect([
      operate(odd, '+', 1),
      operate(1, '+', odd),
      operate('a', '+', odd),
      operate([], '+', odd),
    ]).toEqual(['left', 'right', 'right', 'right']);
    expect(outcome(() => operate(odd, '-', 1))).toBe(
      "TypeError: unsupported operand type(s) for -: 'Odd' and 'int'",
    );
    expect(unaryOf('-', odd)).toBe('negated');
    expect(outcome(() => unaryOf('+', odd))).toBe("TypeError: bad operand type for unary +: 'Odd'");
  });
});
