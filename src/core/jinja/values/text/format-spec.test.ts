import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytes,
  dict,
  float,
  LIMITS,
  markup,
  operate,
  outcome,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { formatValue } from './format-spec.ts';

describe('texts', () => {
  it.each<[string, () => Value, string]>([
    ["format('abc', '10')", () => formatValue('abc', '10', LIMITS), "'abc       '"],
    ["format('abc', '<10')", () => formatValue('abc', '<10', LIMITS), "'abc       '"],
    ["format('abc', '>10')", () => formatValue('abc', '>10', LIMITS), "'       abc'"],
    ["format('abc', '^10')", () => formatValue('abc', '^10', LIMITS), "'   abc    '"],
    ["format('abc', '*^9')", () => formatValue('abc', '*^9', LIMITS), "'***abc***'"],
    ["format('abc', '.2')", () => formatValue('abc', '.2', LIMITS), "'ab'"],
    ["format('abc', '5.2s')", () => formatValue('abc', '5.2s', LIMITS), "'ab   '"],
    ["format('abc', '05')", () => formatValue('abc', '05', LIMITS), "'abc00'"],
    ["format('a', '😀^5')", () => formatValue('a', '😀^5', LIMITS), "'😀😀a😀😀'"],
    ["format('😀', '>3')", () => formatValue('😀', '>3', LIMITS), "'  😀'"],
    ["format('abc', '')", () => formatValue('abc', '', LIMITS), "'abc'"],
    [
      "format('a', '=5')",
      () => formatValue('a', '=5', LIMITS),
      "ValueError: '=' alignment not allowed in string format specifier",
    ],
    [
      "format('a', '+')",
      () => formatValue('a', '+', LIMITS),
      'ValueError: Sign not allowed in string format specifier',
    ],
    [
      "format('a', ' ')",
      () => formatValue('a', ' ', LIMITS),
      'ValueError: Space not allowed in string format specifier',
    ],
    [
      "format('a', '#')",
      () => formatValue('a', '#', LIMITS),
      'ValueError: Alternate form (#) not allowed in string format specifier',
    ],
    ["format('a', ',')", () => formatValue('a', ',', LIMITS), "ValueError: Cannot specify ',' with 's'."],
    [
      "format('a', 'z')",
      () => formatValue('a', 'z', LIMITS),
      'ValueError: Negative zero coercion (z) not allowed in string format specifier',
    ],
    [
      "format('a', 'd')",
      () => formatValue('a', 'd', LIMITS),
      "ValueError: Unknown format code 'd' for object of type 'str'",
    ],
    [
      "format('a', '5q3')",
      () => formatValue('a', '5q3', LIMITS),
      "ValueError: Invalid format specifier '5q3' for object of type 'str'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('ints', () => {
  it.each<[string, () => Value, string]>([
    ["format(1234567, ',')", () => formatValue(1234567, ',', LIMITS), "'1,234,567'"],
    ["format(1234567, '_')", () => formatValue(1234567, '_', LIMITS), "'1_234_567'"],
    ["format(42, 'b')", () => formatValue(42, 'b', LIMITS), "'101010'"],
    ["format(42, '#b')", () => formatValue(42, '#b', LIMITS), "'0b101010'"],
    ["format(42, 'o')", () => formatValue(42, 'o', LIMITS), "'52'"],
    ["format(255, 'x')", () => formatValue(255, 'x', LIMITS), "'ff'"],
    ["format(255, '#X')", () => formatValue(255, '#X', LIMITS), "'0XFF'"],
    ["format(65, 'c')", () => formatValue(65, 'c', LIMITS), "'A'"],
    ["format(128512, '5c')", () => formatValue(128512, '5c', LIMITS), "'    😀'"],
    ["format(42, 'n')", () => formatValue(42, 'n', LIMITS), "'42'"],
    ["format(42, '+')", () => formatValue(42, '+', LIMITS), "'+42'"],
    ["format(42, ' ')", () => formatValue(42, ' ', LIMITS), "' 42'"],
    ["format(-42, '05')", () => formatValue(-42, '05', LIMITS), "'-0042'"],
    ["format(-42, '=+6')", () => formatValue(-42, '=+6', LIMITS), "'-   42'"],
    ["format(42, '<5')", () => formatValue(42, '<5', LIMITS), "'42   '"],
    ["format(42, '^6')", () => formatValue(42, '^6', LIMITS), "'  42  '"],
    ["format(42, '*>6')", () => formatValue(42, '*>6', LIMITS), "'****42'"],
    ["format(42, '05d')", () => formatValue(42, '05d', LIMITS), "'00042'"],
    ["format(1234567, '015,')", () => formatValue(1234567, '015,', LIMITS), "'000,001,234,567'"],
    ["format(1234, '08,')", () => formatValue(1234, '08,', LIMITS), "'0,001,234'"],
    ["format(65535, '#012_x')", () => formatValue(65535, '#012_x', LIMITS), "'0x0_0000_ffff'"],
    ["format(255, '_b')", () => formatValue(255, '_b', LIMITS), "'1111_1111'"],
    ["format(42, '.2f')", () => formatValue(42, '.2f', LIMITS), "'42.00'"],
    ["format(42, 'e')", () => formatValue(42, 'e', LIMITS), "'4.200000e+01'"],
    ["format(42, '%')", () => formatValue(42, '%', LIMITS), "'4200.000000%'"],
    [
      "format(10 ** 20, ',')",
      () => formatValue(operate(10, '**', 20), ',', LIMITS),
      "'100,000,000,000,000,000,000'",
    ],
    ["format(True, '')", () => formatValue(true, '', LIMITS), "'True'"],
    ["format(True, '5')", () => formatValue(true, '5', LIMITS), "'    1'"],
    ["format(True, 'd')", () => formatValue(true, 'd', LIMITS), "'1'"],
    [
      "format(10 ** 400, 'f')",
      () => formatValue(operate(10, '**', 400), 'f', LIMITS),
      'OverflowError: int too large to convert to float',
    ],
    [
      "format(1, '.3')",
      () => formatValue(1, '.3', LIMITS),
      'ValueError: Precision not allowed in integer format specifier',
    ],
    [
      "format(1, 's')",
      () => formatValue(1, 's', LIMITS),
      "ValueError: Unknown format code 's' for object of type 'int'",
    ],
    ["format(1, ',x')", () => formatValue(1, ',x', LIMITS), "ValueError: Cannot specify ',' with 'x'."],
    ["format(1, ',_')", () => formatValue(1, ',_', LIMITS), "ValueError: Cannot specify both ',' and '_'."],
    ["format(1, ',,')", () => formatValue(1, ',,', LIMITS), "ValueError: Cannot specify ',' with ','."],
    [
      "format(1, '+c')",
      () => formatValue(1, '+c', LIMITS),
      "ValueError: Sign not allowed with integer format specifier 'c'",
    ],
    ["format(-1, 'c')", () => formatValue(-1, 'c', LIMITS), 'OverflowError: %c arg not in range(0x110000)'],
    [
      "format(1, 'q')",
      () => formatValue(1, 'q', LIMITS),
      "ValueError: Unknown format code 'q' for object of type 'int'",
    ],
    [
      "format(1, 'é')",
      () => formatValue(1, 'é', LIMITS),
      "ValueError: Unknown format code '\\xe9' for object of type 'int'",
    ],
    ["format(1, '.')", () => formatValue(1, '.', LIMITS), 'ValueError: Format specifier missing precision'],
    [
      "format(1, 'z')",
      () => formatValue(1, 'z', LIMITS),
      'ValueError: Negative zero coercion (z) not allowed in integer format specifier',
    ],
    [
      "format(1, 'abc')",
      () => formatValue(1, 'abc', LIMITS),
      "ValueError: Invalid format specifier 'abc' for object of type 'int'",
    ],
    [
      "format(1, '99999999999999999999')",
      () => formatValue(1, '99999999999999999999', LIMITS),
      'ValueError: Too many decimal digits in format string',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('floats', () => {
  it.each<[string, () => Value, string]>([
    ["format(1.5, '')", () => formatValue(float(1.5), '', LIMITS), "'1.5'"],
    ["format(1.0, '10')", () => formatValue(float(1.0), '10', LIMITS), "'       1.0'"],
    ["format(3.14159, '.2f')", () => formatValue(float(3.14159), '.2f', LIMITS), "'3.14'"],
    ["format(3.14159, '8.3f')", () => formatValue(float(3.14159), '8.3f', LIMITS), "'   3.142'"],
    ["format(3.14159, '+.1e')", () => formatValue(float(3.14159), '+.1e', LIMITS), "'+3.1e+00'"],
    ["format(1234567.891, ',.2f')", () => formatValue(float(1234567.891), ',.2f', LIMITS), "'1,234,567.89'"],
    [
      "format(1234567.891, '020,.2f')",
      () => formatValue(float(1234567.891), '020,.2f', LIMITS),
      "'0,000,001,234,567.89'",
    ],
    ["format(1234567.891, '_')", () => formatValue(float(1234567.891), '_', LIMITS), "'1_234_567.891'"],
    ["format(0.5, '%')", () => formatValue(float(0.5), '%', LIMITS), "'50.000000%'"],
    ["format(0.12345, '.2%')", () => formatValue(float(0.12345), '.2%', LIMITS), "'12.35%'"],
    ["format(1e20, ',')", () => formatValue(float(1e20), ',', LIMITS), "'1e+20'"],
    ["format(100.0, '.3')", () => formatValue(float(100.0), '.3', LIMITS), "'1e+02'"],
    ["format(12.0, '.3')", () => formatValue(float(12.0), '.3', LIMITS), "'12.0'"],
    ["format(1e-7, '.3')", () => formatValue(float(1e-7), '.3', LIMITS), "'1e-07'"],
    ["format(123456.0, '.3g')", () => formatValue(float(123456.0), '.3g', LIMITS), "'1.23e+05'"],
    ["format(1.0, '#.3g')", () => formatValue(float(1.0), '#.3g', LIMITS), "'1.00'"],
    ["format(1e100, '#')", () => formatValue(float(1e100), '#', LIMITS), "'1.e+100'"],
    ["format(1.5, 'n')", () => formatValue(float(1.5), 'n', LIMITS), "'1.5'"],
    ["format(float('inf'), '010')", () => formatValue(float(Infinity), '010', LIMITS), "'0000000inf'"],
    ["format(float('nan'), '+f')", () => formatValue(float(Number.NaN), '+f', LIMITS), "'+nan'"],
    ["format(float('inf'), 'F')", () => formatValue(float(Infinity), 'F', LIMITS), "'INF'"],
    ["format(-0.0, '')", () => formatValue(float(-0.0), '', LIMITS), "'-0.0'"],
    ["format(-0.0, 'z')", () => formatValue(float(-0.0), 'z', LIMITS), "'0.0'"],
    ["format(-0.001, 'z.1f')", () => formatValue(float(-0.001), 'z.1f', LIMITS), "'0.0'"],
    ["format(-1.5, '=8')", () => formatValue(float(-1.5), '=8', LIMITS), "'-    1.5'"],
    ["format(2.5, '.0f')", () => formatValue(float(2.5), '.0f', LIMITS), "'2'"],
    ["format(1e22, 'f')", () => formatValue(float(1e22), 'f', LIMITS), "'10000000000000000000000.000000'"],
    [
      "format(1.5, 'd')",
      () => formatValue(float(1.5), 'd', LIMITS),
      "ValueError: Unknown format code 'd' for object of type 'float'",
    ],
    [
      "format(1.5, 's')",
      () => formatValue(float(1.5), 's', LIMITS),
      "ValueError: Unknown format code 's' for object of type 'float'",
    ],
    [
      "format(1.5, ',n')",
      () => formatValue(float(1.5), ',n', LIMITS),
      "ValueError: Cannot specify ',' with 'n'.",
    ],
    [
      "format(1, '.99999999999f')",
      () => formatValue(1, '.99999999999f', LIMITS),
      'ValueError: precision too big',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('others', () => {
  it.each<[string, () => Value, string]>([
    ["format(None, '')", () => formatValue(null, '', LIMITS), "'None'"],
    ["format([1], '')", () => formatValue([1], '', LIMITS), "'[1]'"],
    [
      "format(None, '5')",
      () => formatValue(null, '5', LIMITS),
      'TypeError: unsupported format string passed to NoneType.__format__',
    ],
    [
      "format([1], '5')",
      () => formatValue([1], '5', LIMITS),
      'TypeError: unsupported format string passed to list.__format__',
    ],
    [
      "format({}, '>5')",
      () => formatValue(dict(), '>5', LIMITS),
      'TypeError: unsupported format string passed to dict.__format__',
    ],
    [
      "format(b'a', '5')",
      () => formatValue(bytes(97), '5', LIMITS),
      'TypeError: unsupported format string passed to bytes.__format__',
    ],
    ["format(Markup('<'), '5')", () => formatValue(markup('<'), '5', LIMITS), "'<    '"],
    [
      "format(Markup('<'), 'd')",
      () => formatValue(markup('<'), 'd', LIMITS),
      "ValueError: Unknown format code 'd' for object of type 'Markup'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any int', () => {
  it('has a separator after every third digit from the right', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        const int = Number.isSafeInteger(Number(value)) ? Number(value) : value;
        const text = formatValue(int, ',', LIMITS);
        expect(text.replaceAll(',', '')).toBe(`${value}`);
        expect(text).toMatch(/^-?[0-9]{1,3}(?:,[0-9]{3})*$/);
      }),
    );
  });

  it('with zeros in groups is at least as wide as asked, by one at most, and never starts with a separator', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (value, width) => {
        const text = formatValue(value, `0${width},`, LIMITS);
        const bare = formatValue(value, ',', LIMITS);
        expect(text).toMatch(/^-?[0-9]{1,3}(?:,[0-9]{3})*$/);
        expect(text.length).toBeGreaterThanOrEqual(Math.max(width, bare.length));
        expect(text.length).toBeLessThanOrEqual(Math.max(width + 1, bare.length));
        expect(Number(text.replaceAll(',', ''))).toBe(value);
      }),
    );
  });
});

describe('bounds', () => {
  it.each(['999999999', '>999999999', '.999999999f'])('%s', (spec) => {
    expect(outcome(() => formatValue(float(1), spec, LIMITS))).toMatch(
      /^OverflowError: a text of 999999999 characters/,
    );
  });
});
