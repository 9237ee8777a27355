import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyText,
  bytes,
  call,
  dict,
  float,
  markup,
  operate,
  outcome,
  tuple,
} from '../../../../test/harness/states/jinja-values.ts';
import { Dict } from './container/dict.ts';
import { Range } from './container/range.ts';
import { ascii, ascii as asciiOf, repr as reprOf, str } from './print.ts';
import type { Value } from './value.ts';

describe('repr of texts', () => {
  it.each<[string, () => Value, string]>([
    ["'plain'", () => 'plain', "'plain'"],
    ['"it\'s"', () => "it's", '"it\'s"'],
    ['\'say "x"\'', () => 'say "x"', '\'say "x"\''],
    ["'it\\'s \"x\"'", () => 'it\'s "x"', "'it\\'s \"x\"'"],
    ["'back\\\\slash'", () => 'back\\slash', "'back\\\\slash'"],
    ["'tab\\tline\\nreturn\\r'", () => 'tab\tline\nreturn\r', "'tab\\tline\\nreturn\\r'"],
    ["'\\x00\\x1f\\x7f'", () => '\u0000\u001f\u007f', "'\\x00\\x1f\\x7f'"],
    ["'\\x80\\x9f\\xa0\\xad'", () => '\u0080\u009f\u00a0\u00ad', "'\\x80\\x9f\\xa0\\xad'"],
    ["'äé€'", () => 'äé€', "'äé€'"],
    ["'\\u200b\\u2028\\u3000\\ufeff'", () => '\u200b\u2028\u3000\ufeff', "'\\u200b\\u2028\\u3000\\ufeff'"],
    ["'\\ue000\\ufffe'", () => '\ue000\ufffe', "'\\ue000\\ufffe'"],
    ["'😀𐐀'", () => '😀𐐀', "'😀𐐀'"],
    ["'\\U000e0001\\U0010ffff'", () => '\udb40\udc01\udbff\udfff', "'\\U000e0001\\U0010ffff'"],
    ["''", () => '', "''"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('repr of numbers and constants', () => {
  it.each<[string, () => Value, string]>([
    ['None', () => null, 'None'],
    ['True', () => true, 'True'],
    ['0', () => 0, '0'],
    ['-7', () => -7, '-7'],
    ['9007199254740991', () => 9007199254740991, '9007199254740991'],
    ['9007199254740993', () => 9007199254740993n, '9007199254740993'],
    [
      '-123456789012345678901234567890',
      () => -123456789012345678901234567890n,
      '-123456789012345678901234567890',
    ],
    [
      '10**5000',
      () => operate(10, '**', 5000),
      'ValueError: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit',
    ],
    ['1.0', () => float(1.0), '1.0'],
    ['-0.0', () => float(-0.0), '-0.0'],
    ['0.1', () => float(0.1), '0.1'],
    ['100.0', () => float(100.0), '100.0'],
    ['1e15', () => float(1000000000000000.0), '1000000000000000.0'],
    ['1e16', () => float(1e16), '1e+16'],
    ['123456789012345680.0', () => float(1.2345678901234568e17), '1.2345678901234568e+17'],
    ['1e22', () => float(1e22), '1e+22'],
    ['1e-4', () => float(0.0001), '0.0001'],
    ['0.0001', () => float(0.0001), '0.0001'],
    ['0.00001', () => float(1e-5), '1e-05'],
    ['1.5e-7', () => float(1.5e-7), '1.5e-07'],
    ['5e-324', () => float(5e-324), '5e-324'],
    ['1.7976931348623157e308', () => float(1.7976931348623157e308), '1.7976931348623157e+308'],
    ["float('inf')", () => float(Infinity), 'inf'],
    ["float('-inf')", () => float(-Infinity), '-inf'],
    ["float('nan')", () => float(Number.NaN), 'nan'],
    ['0.1 + 0.2', () => operate(float(0.1), '+', float(0.2)), '0.30000000000000004'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('repr of containers', () => {
  it.each<[string, () => Value, string]>([
    ['[]', () => [], '[]'],
    ["[1, 'a', None, [2.0]]", () => [1, 'a', null, [float(2.0)]], "[1, 'a', None, [2.0]]"],
    ['()', () => tuple(), '()'],
    ['(1,)', () => tuple(1), '(1,)'],
    ['(1, (2,))', () => tuple(1, tuple(2)), '(1, (2,))'],
    ['{}', () => dict(), '{}'],
    [
      "{'a': 1, 2: [True], (1,): {}}",
      () => dict(['a', 1], [2, [true]], [tuple(1), dict()]),
      "{'a': 1, 2: [True], (1,): {}}",
    ],
    ["{1: 'a', True: 'b', 1.0: 'c'}", () => dict([1, 'a'], [true, 'b'], [float(1.0), 'c']), "{1: 'c'}"],
    ["{'a': 1}.keys()", () => call(dict(['a', 1]), 'keys'), "dict_keys(['a'])"],
    ["{'a': 1}.values()", () => call(dict(['a', 1]), 'values'), 'dict_values([1])'],
    ["{'a': 1}.items()", () => call(dict(['a', 1]), 'items'), "dict_items([('a', 1)])"],
    ['range(3)', () => new Range(0, 3), 'range(0, 3)'],
    ['range(1, 10, 2)', () => new Range(1, 10, 2), 'range(1, 10, 2)'],
    ['range(3, 3, -1)', () => new Range(3, 3, -1), 'range(3, 3, -1)'],
    ["Markup('<b>')", () => markup('<b>'), "Markup('<b>')"],
    ['[Markup("it\'s")]', () => [markup("it's")], '[Markup("it\'s")]'],
    ["b'ab\\x00\\xff'", () => bytes(97, 98, 0, 255), "b'ab\\x00\\xff'"],
    ['b"it\'s"', () => bytes(105, 116, 39, 115), 'b"it\'s"'],
    ["b'\"\\''", () => bytes(34, 39), "b'\"\\''"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('str and ascii', () => {
  it.each<[string, () => Value, string]>([
    ["str('a')", () => str('a'), "'a'"],
    ["str(Markup('<b>'))", () => str(markup('<b>')), "'<b>'"],
    ['str(1.0)', () => str(float(1.0)), "'1.0'"],
    ['str(None)', () => str(null), "'None'"],
    ["str(['a'])", () => str(['a']), '"[\'a\']"'],
    ["str(b'a')", () => str(bytes(97)), '"b\'a\'"'],
    ["ascii('é€😀')", () => ascii('é€😀'), '"\'\\\\xe9\\\\u20ac\\\\U0001f600\'"'],
    ["ascii(['ä', 1])", () => ascii(['ä', 1]), '"[\'\\\\xe4\', 1]"'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('containers that hold themselves', () => {
  it('print as dots where they are met again', () => {
    const list: Value[] = [1];
    list.push(list);
    expect(reprOf(list)).toBe('[1, [...]]');
    const loop = new Dict();
    loop.set('a', [tuple(loop)]);
    expect(reprOf(loop)).toBe("{'a': [({...},)]}");
  });

  it('print in full again afterwards, also when printing failed in between', () => {
    const list: Value[] = [];
    let deep: Value = list;
    for (let i = 0; i < 2000; i++) deep = [deep];
    expect(outcome(() => reprOf(deep))).toMatch('RecursionError: maximum recursion depth exceeded');
    expect(reprOf([list, list])).toBe('[[], []]');
  });

  it('are bounded in what they print', () => {
    let doubled: Value = ['x'.repeat(1000)];
    for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
    expect(outcome(() => reprOf(doubled))).toMatch('MemoryError: a value is too large');
  });
});

describe('repr of any text', () => {
  it('has printable characters only, and as many quotes as it must', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const printed = reprOf(text);
        expect(printed).toMatch(/^(['"]).*\1$/u);
        expect(printed.startsWith('"')).toBe(text.includes("'") && !text.includes('"'));
        expect(printed).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it('reads back as the text', () => {
    const read = (printed: string): string =>
      printed
        .slice(1, -1)
        .replace(/\\(?:x(..)|u(....)|U(........)|(.))/gs, (_all, two, four, eight, short) =>
          short === undefined
            ? String.fromCodePoint(Number.parseInt(two ?? four ?? eight, 16))
            : ({ n: '\n', t: '\t', r: '\r' }[short as string] ?? short),
        );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(read(reprOf(text))).toBe(text);
        expect(read(asciiOf(text))).toBe(text);
      }),
    );
  });
});
