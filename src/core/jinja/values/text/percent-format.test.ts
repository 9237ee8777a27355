import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dict,
  float,
  markup,
  operate,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('conversions', () => {
  it.each<[string, () => Value, string]>([
    ["'%s' % 'a'", () => operate('%s', '%', 'a'), "'a'"],
    ["'%s and %s' % ('a', 1)", () => operate('%s and %s', '%', tuple('a', 1)), "'a and 1'"],
    ["'%r' % 'a'", () => operate('%r', '%', 'a'), '"\'a\'"'],
    ["'%a' % 'é'", () => operate('%a', '%', 'é'), '"\'\\\\xe9\'"'],
    ["'%s' % None", () => operate('%s', '%', null), "'None'"],
    ["'%s' % [1, 'a']", () => operate('%s', '%', [1, 'a']), '"[1, \'a\']"'],
    ["'%s' % {'a': 1}", () => operate('%s', '%', dict(['a', 1])), '"{\'a\': 1}"'],
    ["'%s' % ((1, 2),)", () => operate('%s', '%', tuple(tuple(1, 2))), "'(1, 2)'"],
    ["'%d' % 3.9", () => operate('%d', '%', float(3.9)), "'3'"],
    ["'%d' % -3.9", () => operate('%d', '%', float(-3.9)), "'-3'"],
    ["'%i' % True", () => operate('%i', '%', true), "'1'"],
    ["'%u' % 5", () => operate('%u', '%', 5), "'5'"],
    ["'%d' % 10 ** 20", () => operate('%d', '%', operate(10, '**', 20)), "'100000000000000000000'"],
    ["'%x' % 255", () => operate('%x', '%', 255), "'ff'"],
    ["'%X' % 255", () => operate('%X', '%', 255), "'FF'"],
    ["'%#x' % 255", () => operate('%#x', '%', 255), "'0xff'"],
    ["'%#X' % -255", () => operate('%#X', '%', -255), "'-0XFF'"],
    ["'%o' % 8", () => operate('%o', '%', 8), "'10'"],
    ["'%#o' % 8", () => operate('%#o', '%', 8), "'0o10'"],
    ["'%c' % 65", () => operate('%c', '%', 65), "'A'"],
    ["'%c' % 'é'", () => operate('%c', '%', 'é'), "'é'"],
    ["'%c' % 128512", () => operate('%c', '%', 128512), "'😀'"],
    ["'%e' % 12345.678", () => operate('%e', '%', float(12345.678)), "'1.234568e+04'"],
    ["'%E' % 0.00012", () => operate('%E', '%', float(0.00012)), "'1.200000E-04'"],
    ["'%f' % 1.5", () => operate('%f', '%', float(1.5)), "'1.500000'"],
    ["'%F' % float('inf')", () => operate('%F', '%', float(Infinity)), "'INF'"],
    ["'%g' % 1e-5", () => operate('%g', '%', float(1e-5)), "'1e-05'"],
    ["'%g' % 123456789", () => operate('%g', '%', 123456789), "'1.23457e+08'"],
    ["'%G' % 1e20", () => operate('%G', '%', float(1e20)), "'1E+20'"],
    ["'%.2f' % 2.675", () => operate('%.2f', '%', float(2.675)), "'2.67'"],
    ["'%.0f' % 0.5", () => operate('%.0f', '%', float(0.5)), "'0'"],
    ["'%.0f' % 1.5", () => operate('%.0f', '%', float(1.5)), "'2'"],
    ["'%.0f' % 2.5", () => operate('%.0f', '%', float(2.5)), "'2'"],
    ["'%.1f' % 0.25", () => operate('%.1f', '%', float(0.25)), "'0.2'"],
    ["'%.3e' % 9.9995", () => operate('%.3e', '%', float(9.9995)), "'9.999e+00'"],
    ["'%.30f' % 0.1", () => operate('%.30f', '%', float(0.1)), "'0.100000000000000005551115123126'"],
    ["'%.2f' % 1e22", () => operate('%.2f', '%', float(1e22)), "'10000000000000000000000.00'"],
    ["'%.0e' % 15", () => operate('%.0e', '%', 15), "'2e+01'"],
    ["'%.3g' % 1234.5", () => operate('%.3g', '%', float(1234.5)), "'1.23e+03'"],
    ["'%#.3g' % 1", () => operate('%#.3g', '%', 1), "'1.00'"],
    ["'%#.0f' % 1", () => operate('%#.0f', '%', 1), "'1.'"],
    ["'%.0g' % 0.5", () => operate('%.0g', '%', float(0.5)), "'0.5'"],
    [
      "'%5d|%-5d|%05d' % (42, 42, 42)",
      () => operate('%5d|%-5d|%05d', '%', tuple(42, 42, 42)),
      "'   42|42   |00042'",
    ],
    ["'%+d % d %+d' % (5, 5, -5)", () => operate('%+d % d %+d', '%', tuple(5, 5, -5)), "'+5  5 -5'"],
    [
      "'%5s|%-5s|%.2s' % ('abc', 'abc', 'abc')",
      () => operate('%5s|%-5s|%.2s', '%', tuple('abc', 'abc', 'abc')),
      "'  abc|abc  |ab'",
    ],
    [
      "'%5.1f|%-8.2e|%08.3f' % (3.14159, 1234.5, -3.14159)",
      () => operate('%5.1f|%-8.2e|%08.3f', '%', tuple(float(3.14159), float(1234.5), float(-3.14159))),
      "'  3.1|1.23e+03|-003.142'",
    ],
    ["'%.5d' % 42", () => operate('%.5d', '%', 42), "'00042'"],
    ["'%8.5d' % -42", () => operate('%8.5d', '%', -42), "'  -00042'"],
    ["'%#08x' % 255", () => operate('%#08x', '%', 255), "'0x0000ff'"],
    ["'%-08d|' % 5", () => operate('%-08d|', '%', 5), "'5       |'"],
    ["'%*d' % (5, 42)", () => operate('%*d', '%', tuple(5, 42)), "'   42'"],
    ["'%-*d|' % (5, 42)", () => operate('%-*d|', '%', tuple(5, 42)), "'42   |'"],
    ["'%*d|' % (-5, 42)", () => operate('%*d|', '%', tuple(-5, 42)), "'42   |'"],
    ["'%.*f' % (2, 3.14159)", () => operate('%.*f', '%', tuple(2, float(3.14159))), "'3.14'"],
    ["'%ld %hd %Ld' % (1, 2, 3)", () => operate('%ld %hd %Ld', '%', tuple(1, 2, 3)), "'1 2 3'"],
    ["'%%' % ()", () => operate('%%', '%', tuple()), "'%'"],
    ["'100%%' % {}", () => operate('100%%', '%', dict()), "'100%'"],
    [
      "'%(a)s %(b)03d' % {'a': 1, 'b': 2}",
      () => operate('%(a)s %(b)03d', '%', dict(['a', 1], ['b', 2])),
      "'1 002'",
    ],
    ["'%(a(b))s' % {'a(b)': 3}", () => operate('%(a(b))s', '%', dict(['a(b)', 3])), "'3'"],
    ["'%(a)s' % {'a': 1, 'c': 2}", () => operate('%(a)s', '%', dict(['a', 1], ['c', 2])), "'1'"],
    ["'plain' % ()", () => operate('plain', '%', tuple()), "'plain'"],
    ["'plain' % {'a': 1}", () => operate('plain', '%', dict(['a', 1])), "'plain'"],
    ["'plain' % []", () => operate('plain', '%', []), "'plain'"],
    ["'é😀%5s' % '😀'", () => operate('é😀%5s', '%', '😀'), "'é😀    😀'"],
    ["'%.1s' % '😀a'", () => operate('%.1s', '%', '😀a'), "'😀'"],
    ["'%s' % Markup('<')", () => operate('%s', '%', markup('<')), "'<'"],
    [
      "'%d' % float('nan')",
      () => operate('%d', '%', float(Number.NaN)),
      'ValueError: cannot convert float NaN to integer',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('errors', () => {
  it.each<[string, () => Value, string]>([
    ["'%s %s' % 1", () => operate('%s %s', '%', 1), 'TypeError: not enough arguments for format string'],
    [
      "'%s' % (1, 2)",
      () => operate('%s', '%', tuple(1, 2)),
      'TypeError: not all arguments converted during string formatting',
    ],
    [
      "'plain' % 1",
      () => operate('plain', '%', 1),
      'TypeError: not all arguments converted during string formatting',
    ],
    [
      "'plain' % 'a'",
      () => operate('plain', '%', 'a'),
      'TypeError: not all arguments converted during string formatting',
    ],
    ["'%d' % 'a'", () => operate('%d', '%', 'a'), 'TypeError: %d format: a real number is required, not str'],
    [
      "'%d' % None",
      () => operate('%d', '%', null),
      'TypeError: %d format: a real number is required, not NoneType',
    ],
    [
      "'%d' % float('inf')",
      () => operate('%d', '%', float(Infinity)),
      'OverflowError: cannot convert float infinity to integer',
    ],
    [
      "'%x' % 1.5",
      () => operate('%x', '%', float(1.5)),
      'TypeError: %x format: an integer is required, not float',
    ],
    ["'%f' % 'a'", () => operate('%f', '%', 'a'), 'TypeError: must be real number, not str'],
    ["'%c' % 'ab'", () => operate('%c', '%', 'ab'), 'TypeError: %c requires int or char'],
    ["'%c' % 1.5", () => operate('%c', '%', float(1.5)), 'TypeError: %c requires int or char'],
    ["'%c' % -1", () => operate('%c', '%', -1), 'OverflowError: %c arg not in range(0x110000)'],
    [
      "'%y' % 1",
      () => operate('%y', '%', 1),
      "ValueError: unsupported format character 'y' (0x79) at index 1",
    ],
    [
      "'é%y' % 1",
      () => operate('é%y', '%', 1),
      "ValueError: unsupported format character 'y' (0x79) at index 2",
    ],
    [
      "'%é' % 1",
      () => operate('%é', '%', 1),
      "ValueError: unsupported format character '?' (0xe9) at index 1",
    ],
    ["'%' % ()", () => operate('%', '%', tuple()), 'ValueError: incomplete format'],
    ["'%(a' % {}", () => operate('%(a', '%', dict()), 'ValueError: incomplete format key'],
    ["'%(a)s' % {}", () => operate('%(a)s', '%', dict()), "KeyError: 'a'"],
    ["'%(a)s' % 1", () => operate('%(a)s', '%', 1), 'TypeError: format requires a mapping'],
    [
      "'%(a)s' % [1]",
      () => operate('%(a)s', '%', [1]),
      'TypeError: list indices must be integers or slices, not str',
    ],
    [
      "'%(a)s %s' % {'a': 1}",
      () => operate('%(a)s %s', '%', dict(['a', 1])),
      'TypeError: not enough arguments for format string',
    ],
    ["'%*d' % ('a', 1)", () => operate('%*d', '%', tuple('a', 1)), 'TypeError: * wants int'],
    ["'%5%' % ()", () => operate('%5%', '%', tuple()), 'TypeError: not enough arguments for format string'],
    ["'%s %(a)s' % {'a': 1}", () => operate('%s %(a)s', '%', dict(['a', 1])), '"{\'a\': 1} 1"'],
    ["'%.99999999999f' % 1", () => operate('%.99999999999f', '%', 1), 'ValueError: precision too big'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any number', () => {
  it('prints with as many digits as it has', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(operate('%.17g', '%', float(value)))).toBe(value);
        expect(Number(operate('%.16e', '%', float(value)))).toBe(value);
      }),
    );
  });

  it('is rounded to the nearest, and a tie to the even digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), (eighths) => {
        const shown = Number(operate('%.0f', '%', float(eighths / 8))) + 0;
        const floor = Math.floor(eighths / 8);
        const rest = eighths - floor * 8;
        expect(shown).toBe(rest < 4 || (rest === 4 && floor % 2 === 0) ? floor : floor + 1);
      }),
    );
  });

  it('is as wide as it was asked to be', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('', '-', '0', '+'),
        (value, width, flag) => {
          const text = operate(`%${flag}${width}d`, '%', value) as string;
          expect(text.length).toBe(Math.max(width, `${value}`.length + (flag === '+' && value >= 0 ? 1 : 0)));
          expect(Number(text)).toBe(value);
        },
      ),
    );
  });
});

describe('bounds', () => {
  it.each<[string, Value]>([
    ['%999999999d', 1],
    ['%.999999999f', float(1)],
    ['%*d', tuple(999_999_999, 1)],
    ['%s%s%s', tuple('x'.repeat(50_000), 'x'.repeat(50_000), 'x'.repeat(50_000))],
  ])('%s', (format, values) => {
    expect(outcome(() => operate(format, '%', values))).toMatch(
      /^OverflowError: a text of \d+ characters is longer/,
    );
  });
});
