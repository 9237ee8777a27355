import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attribute,
  bytes,
  call,
  float,
  operate,
  outcome,
  type tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { normalInt } from './integer.ts';

describe('int and bool', () => {
  it.each<[string, () => Value, string]>([
    ['(5).bit_length()', () => call(5, 'bit_length'), '3'],
    ['(0).bit_length()', () => call(0, 'bit_length'), '0'],
    ['(-256).bit_length()', () => call(-256, 'bit_length'), '9'],
    ['(2 ** 64).bit_length()', () => call(operate(2, '**', 64), 'bit_length'), '65'],
    ['True.bit_length()', () => call(true, 'bit_length'), '1'],
    ['(2147483648).bit_length()', () => call(2147483648, 'bit_length'), '32'],
    ['(7).bit_count()', () => call(7, 'bit_count'), '3'],
    ['(-7).bit_count()', () => call(-7, 'bit_count'), '3'],
    ['(0).bit_count()', () => call(0, 'bit_count'), '0'],
    ['(2 ** 70 - 1).bit_count()', () => call(operate(operate(2, '**', 70), '-', 1), 'bit_count'), '70'],
    ['True.bit_count()', () => call(true, 'bit_count'), '1'],
    ['(5).conjugate()', () => call(5, 'conjugate'), '5'],
    ['True.conjugate()', () => call(true, 'conjugate'), '1'],
    ['(-5).conjugate()', () => call(-5, 'conjugate'), '-5'],
    ['(2 ** 64).conjugate()', () => call(operate(2, '**', 64), 'conjugate'), '18446744073709551616'],
    ['(0).conjugate()', () => call(0, 'conjugate'), '0'],
    ['(5).as_integer_ratio()', () => call(5, 'as_integer_ratio'), '(5, 1)'],
    ['(-5).as_integer_ratio()', () => call(-5, 'as_integer_ratio'), '(-5, 1)'],
    ['False.as_integer_ratio()', () => call(false, 'as_integer_ratio'), '(0, 1)'],
    ['(0).as_integer_ratio()', () => call(0, 'as_integer_ratio'), '(0, 1)'],
    [
      '(2 ** 64).as_integer_ratio()',
      () => call(operate(2, '**', 64), 'as_integer_ratio'),
      '(18446744073709551616, 1)',
    ],
    ['(500).to_bytes(2)', () => call(500, 'to_bytes', [2]), "b'\\x01\\xf4'"],
    ["(500).to_bytes(2, 'little')", () => call(500, 'to_bytes', [2, 'little']), "b'\\xf4\\x01'"],
    ['(-5).to_bytes(2, signed=True)', () => call(-5, 'to_bytes', [2], [['signed', true]]), "b'\\xff\\xfb'"],
    ['(0).to_bytes(0)', () => call(0, 'to_bytes', [0]), "b''"],
    ['(5).to_bytes()', () => call(5, 'to_bytes'), "b'\\x05'"],
    ['(500).to_bytes()', () => call(500, 'to_bytes'), 'OverflowError: int too big to convert'],
    [
      '(-5).to_bytes(2)',
      () => call(-5, 'to_bytes', [2]),
      "OverflowError: can't convert negative int to unsigned",
    ],
    [
      '(128).to_bytes(1, signed=True)',
      () => call(128, 'to_bytes', [1], [['signed', true]]),
      'OverflowError: int too big to convert',
    ],
    [
      "(5).to_bytes(2, 'x')",
      () => call(5, 'to_bytes', [2, 'x']),
      "ValueError: byteorder must be either 'little' or 'big'",
    ],
    ['(5).to_bytes(-1)', () => call(5, 'to_bytes', [-1]), 'ValueError: length argument must be non-negative'],
    [
      "(5).to_bytes('a')",
      () => call(5, 'to_bytes', ['a']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "(5).to_bytes(2, 'big', True)",
      () => call(5, 'to_bytes', [2, 'big', true]),
      'TypeError: to_bytes() takes at most 2 positional arguments (3 given)',
    ],
    ["(1).from_bytes(b'ab')", () => call(1, 'from_bytes', [bytes(97, 98)]), '24930'],
    ["(1).from_bytes(b'ab', 'little')", () => call(1, 'from_bytes', [bytes(97, 98), 'little']), '25185'],
    ["(1).from_bytes([1, 2], 'big')", () => call(1, 'from_bytes', [[1, 2], 'big']), '258'],
    [
      "(1).from_bytes(b'\\xff', signed=True)",
      () => call(1, 'from_bytes', [bytes(255)], [['signed', true]]),
      '-1',
    ],
    ["(1).from_bytes(b'')", () => call(1, 'from_bytes', [bytes()]), '0'],
    ["True.from_bytes(b'a')", () => call(true, 'from_bytes', [bytes(97)]), 'True'],
    [
      "(1).from_bytes('ab')",
      () => call(1, 'from_bytes', ['ab']),
      "TypeError: cannot convert 'str' object to bytes",
    ],
    [
      '(1).from_bytes(1)',
      () => call(1, 'from_bytes', [1]),
      "TypeError: cannot convert 'int' object to bytes",
    ],
    [
      '(1).from_bytes([300])',
      () => call(1, 'from_bytes', [[300]]),
      'ValueError: bytes must be in range(0, 256)',
    ],
    [
      '(1).from_bytes()',
      () => call(1, 'from_bytes'),
      "TypeError: from_bytes() missing required argument 'bytes' (pos 1)",
    ],
    ['(5).real', () => attribute(5, 'real'), '5'],
    ['(5).imag', () => attribute(5, 'imag'), '0'],
    ['(5).numerator', () => attribute(5, 'numerator'), '5'],
    ['(5).denominator', () => attribute(5, 'denominator'), '1'],
    ['True.real', () => attribute(true, 'real'), '1'],
    ['True.denominator', () => attribute(true, 'denominator'), '1'],
    [
      '(5).bit_length(1)',
      () => call(5, 'bit_length', [1]),
      'TypeError: int.bit_length() takes no arguments (1 given)',
    ],
    ['(5).foo', () => attribute(5, 'foo'), "AttributeError: 'int' object has no attribute 'foo'"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('float', () => {
  it.each<[string, () => Value, string]>([
    ['(1.5).is_integer()', () => call(float(1.5), 'is_integer'), 'False'],
    ['(2.0).is_integer()', () => call(float(2.0), 'is_integer'), 'True'],
    ['(-0.0).is_integer()', () => call(float(-0.0), 'is_integer'), 'True'],
    ["float('inf').is_integer()", () => call(float(Infinity), 'is_integer'), 'False'],
    ["float('nan').is_integer()", () => call(float(Number.NaN), 'is_integer'), 'False'],
    ['(1.5).as_integer_ratio()', () => call(float(1.5), 'as_integer_ratio'), '(3, 2)'],
    [
      '(0.1).as_integer_ratio()',
      () => call(float(0.1), 'as_integer_ratio'),
      '(3602879701896397, 36028797018963968)',
    ],
    ['(-0.0).as_integer_ratio()', () => call(float(-0.0), 'as_integer_ratio'), '(0, 1)'],
    ['(1e20).as_integer_ratio()', () => call(float(1e20), 'as_integer_ratio'), '(100000000000000000000, 1)'],
    [
      '(5e-324).as_integer_ratio()',
      () => call(float(5e-324), 'as_integer_ratio'),
      '(1, 202402253307310618352495346718917307049556649764142118356901358027430339567995346891960383701437124495187077864316811911389808737385793476867013399940738509921517424276566361364466907742093216341239767678472745068562007483424692698618103355649159556340810056512358769552333414615230502532186327508646006263307707741093494784)',
    ],
    [
      "float('inf').as_integer_ratio()",
      () => call(float(Infinity), 'as_integer_ratio'),
      'OverflowError: cannot convert Infinity to integer ratio',
    ],
    [
      "float('nan').as_integer_ratio()",
      () => call(float(Number.NaN), 'as_integer_ratio'),
      'ValueError: cannot convert NaN to integer ratio',
    ],
    ['(1.5).hex()', () => call(float(1.5), 'hex'), "'0x1.8000000000000p+0'"],
    ['(0.1).hex()', () => call(float(0.1), 'hex'), "'0x1.999999999999ap-4'"],
    ['(-0.0).hex()', () => call(float(-0.0), 'hex'), "'-0x0.0p+0'"],
    ['(5e-324).hex()', () => call(float(5e-324), 'hex'), "'0x0.0000000000001p-1022'"],
    ['(1e300).hex()', () => call(float(1e300), 'hex'), "'0x1.7e43c8800759cp+996'"],
    ["float('-inf').hex()", () => call(float(-Infinity), 'hex'), "'-inf'"],
    ["float('nan').hex()", () => call(float(Number.NaN), 'hex'), "'nan'"],
    ["(0.0).fromhex('0x1.8p3')", () => call(float(0.0), 'fromhex', ['0x1.8p3']), '12.0'],
    ["(0.0).fromhex('-0x.8p-1')", () => call(float(0.0), 'fromhex', ['-0x.8p-1']), '-0.25'],
    ["(0.0).fromhex('ff')", () => call(float(0.0), 'fromhex', ['ff']), '255.0'],
    ["(0.0).fromhex(' inf ')", () => call(float(0.0), 'fromhex', [' inf ']), 'inf'],
    ["(0.0).fromhex('nan')", () => call(float(0.0), 'fromhex', ['nan']), 'nan'],
    ["(0.0).fromhex('0x1p-1074')", () => call(float(0.0), 'fromhex', ['0x1p-1074']), '5e-324'],
    ["(0.0).fromhex('0x1p-1076')", () => call(float(0.0), 'fromhex', ['0x1p-1076']), '0.0'],
    [
      "(0.0).fromhex('0x1.fffffffffffff8p1023')",
      () => call(float(0.0), 'fromhex', ['0x1.fffffffffffff8p1023']),
      'OverflowError: hexadecimal value too large to represent as a float',
    ],
    [
      "(0.0).fromhex('0x1p5000')",
      () => call(float(0.0), 'fromhex', ['0x1p5000']),
      'OverflowError: hexadecimal value too large to represent as a float',
    ],
    [
      "(0.0).fromhex('x')",
      () => call(float(0.0), 'fromhex', ['x']),
      'ValueError: invalid hexadecimal floating-point string',
    ],
    [
      "(0.0).fromhex('')",
      () => call(float(0.0), 'fromhex', ['']),
      'ValueError: invalid hexadecimal floating-point string',
    ],
    [
      '(0.0).fromhex(1)',
      () => call(float(0.0), 'fromhex', [1]),
      'TypeError: bad argument type for built-in operation',
    ],
    ['(1.5).conjugate()', () => call(float(1.5), 'conjugate'), '1.5'],
    ['(-0.0).conjugate()', () => call(float(-0.0), 'conjugate'), '-0.0'],
    ['(1.5).real', () => attribute(float(1.5), 'real'), '1.5'],
    ['(1.5).imag', () => attribute(float(1.5), 'imag'), '0.0'],
    [
      '(1.5).numerator',
      () => attribute(float(1.5), 'numerator'),
      "AttributeError: 'float' object has no attribute 'numerator'",
    ],
    [
      '(1.5).hex(1)',
      () => call(float(1.5), 'hex', [1]),
      'TypeError: float.hex() takes no arguments (1 given)',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any number', () => {
  it('comes back from its bytes', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 79n), max: 2n ** 79n - 1n }),
        fc.constantFrom('big', 'little'),
        (value, order) => {
          const int = normalInt(value);
          const stored = call(int, 'to_bytes', [10, order], [['signed', true]]);
          expect(call(0, 'from_bytes', [stored, order], [['signed', true]])).toBe(int);
        },
      ),
    );
  });

  it('comes back from its hexadecimal text, and is its ratio', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(call(float(0), 'fromhex', [call(float(value), 'hex')])).toEqual(float(value));
        const { items } = call(float(value), 'as_integer_ratio') as ReturnType<typeof tuple>;
        expect(operate(items[0] as Value, '/', items[1] as Value)).toEqual(float(value + 0));
      }),
    );
  });
});
