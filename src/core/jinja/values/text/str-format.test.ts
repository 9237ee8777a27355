import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyText,
  call,
  dict,
  float,
  markup,
  outcome,
  tuple,
} from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('fields', () => {
  it.each<[string, () => Value, string]>([
    ["'{}'.format(1)", () => call('{}', 'format', [1]), "'1'"],
    ["'{} {}'.format('a', 'b')", () => call('{} {}', 'format', ['a', 'b']), "'a b'"],
    ["'{1} {0}'.format('a', 'b')", () => call('{1} {0}', 'format', ['a', 'b']), "'b a'"],
    ["'{0} {0}'.format('a')", () => call('{0} {0}', 'format', ['a']), "'a a'"],
    [
      "'{a} {b}'.format(a=1, b=2)",
      () =>
        call(
          '{a} {b}',
          'format',
          [],
          [
            ['a', 1],
            ['b', 2],
          ],
        ),
      "'1 2'",
    ],
    ["'{}{a}'.format(1, a=2)", () => call('{}{a}', 'format', [1], [['a', 2]]), "'12'"],
    ["'{{}}'.format()", () => call('{{}}', 'format'), "'{}'"],
    ["'{{{}}}'.format(1)", () => call('{{{}}}', 'format', [1]), "'{1}'"],
    ["'{0[0]}'.format([1, 2])", () => call('{0[0]}', 'format', [[1, 2]]), "'1'"],
    ["'{0[a]}'.format({'a': 1})", () => call('{0[a]}', 'format', [dict(['a', 1])]), "'1'"],
    ["'{0[-1]}'.format({'-1': 'x'})", () => call('{0[-1]}', 'format', [dict(['-1', 'x'])]), "'x'"],
    [
      "'{a[b][0]}'.format(a={'b': [5]})",
      () => call('{a[b][0]}', 'format', [], [['a', dict(['b', [5]])]]),
      "'5'",
    ],
    ["'{0.real}'.format(5)", () => call('{0.real}', 'format', [5]), "'5'"],
    ["'{0[0].imag}'.format([5])", () => call('{0[0].imag}', 'format', [[5]]), "'0'"],
    ["'{[0]}'.format([3])", () => call('{[0]}', 'format', [[3]]), "KeyError: ''"],
    ["'{.real}'.format(3)", () => call('{.real}', 'format', [3]), "KeyError: ''"],
    ["'{!r}'.format('a')", () => call('{!r}', 'format', ['a']), '"\'a\'"'],
    ["'{!s:>4}'.format(None)", () => call('{!s:>4}', 'format', [null]), "'None'"],
    ["'{!a}'.format('é')", () => call('{!a}', 'format', ['é']), '"\'\\\\xe9\'"'],
    ["'{:>5}'.format('a')", () => call('{:>5}', 'format', ['a']), "'    a'"],
    ["'{:{}}'.format(1, 5)", () => call('{:{}}', 'format', [1, 5]), "'    1'"],
    [
      "'{:{w}.{p}f}'.format(3.14159, w=8, p=2)",
      () =>
        call(
          '{:{w}.{p}f}',
          'format',
          [float(3.14159)],
          [
            ['w', 8],
            ['p', 2],
          ],
        ),
      "'    3.14'",
    ],
    ["'{0:{1}}{2}'.format(1, '>5', 'x')", () => call('{0:{1}}{2}', 'format', [1, '>5', 'x']), "'    1x'"],
    ["'{a}'.format_map({'a': 1})", () => call('{a}', 'format_map', [dict(['a', 1])]), "'1'"],
    [
      "'{a[0]:>3}'.format_map({'a': [1]})",
      () => call('{a[0]:>3}', 'format_map', [dict(['a', [1]])]),
      "'  1'",
    ],
    ["'{a.b}'.format(a={'b': 1})", () => call('{a.b}', 'format', [], [['a', dict(['b', 1])]]), "'1'"],
    ["'{0.real}{}'.format(5, 6)", () => call('{0.real}{}', 'format', [5, 6]), "'55'"],
    ["'{0:}}}'.format(1)", () => call('{0:}}}', 'format', [1]), "'1}'"],
    ["'plain'.format(1, 2)", () => call('plain', 'format', [1, 2]), "'plain'"],
    ["''.format()", () => call('', 'format'), "''"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('errors', () => {
  it.each<[string, () => Value, string]>([
    ["'{}'.format()", () => call('{}', 'format'), 'IndexError: tuple index out of range'],
    ["'{1}'.format(1)", () => call('{1}', 'format', [1]), 'IndexError: tuple index out of range'],
    ["'{a}'.format(1)", () => call('{a}', 'format', [1]), "KeyError: 'a'"],
    ["'{'.format(1)", () => call('{', 'format', [1]), "ValueError: Single '{' encountered in format string"],
    ["'}'.format(1)", () => call('}', 'format', [1]), "ValueError: Single '}' encountered in format string"],
    ["'{0'.format(1)", () => call('{0', 'format', [1]), "ValueError: expected '}' before end of string"],
    [
      "'{0!'.format(1)",
      () => call('{0!', 'format', [1]),
      'ValueError: end of string while looking for conversion specifier',
    ],
    ["'{0!r'.format(1)", () => call('{0!r', 'format', [1]), "ValueError: unmatched '{' in format spec"],
    [
      "'{0!rx}'.format(1)",
      () => call('{0!rx}', 'format', [1]),
      "ValueError: expected ':' after conversion specifier",
    ],
    ["'{0!x}'.format(1)", () => call('{0!x}', 'format', [1]), 'ValueError: Unknown conversion specifier x'],
    ["'{0:'.format(1)", () => call('{0:', 'format', [1]), "ValueError: unmatched '{' in format spec"],
    [
      "'{:{:{}}}'.format(1, 2, 3)",
      () => call('{:{:{}}}', 'format', [1, 2, 3]),
      'ValueError: Max string recursion exceeded',
    ],
    [
      "'{0}{}'.format(1)",
      () => call('{0}{}', 'format', [1]),
      'ValueError: cannot switch from manual field specification to automatic field numbering',
    ],
    [
      "'{}{0}'.format(1)",
      () => call('{}{0}', 'format', [1]),
      'ValueError: cannot switch from manual field specification to automatic field numbering',
    ],
    ["'{0.}'.format(1)", () => call('{0.}', 'format', [1]), 'ValueError: Empty attribute in format string'],
    [
      "'{0.x}'.format(1)",
      () => call('{0.x}', 'format', [1]),
      "UndefinedError: 'int object' has no attribute 'x'",
    ],
    [
      "'{0[]}'.format([1])",
      () => call('{0[]}', 'format', [[1]]),
      'ValueError: Empty attribute in format string',
    ],
    [
      "'{0[}'.format([1])",
      () => call('{0[}', 'format', [[1]]),
      "ValueError: expected '}' before end of string",
    ],
    [
      "'{0[0]x}'.format([1])",
      () => call('{0[0]x}', 'format', [[1]]),
      "ValueError: Only '.' or '[' may follow ']' in format field specifier",
    ],
    [
      "'{0[5]}'.format([1])",
      () => call('{0[5]}', 'format', [[1]]),
      'UndefinedError: list object has no element 5',
    ],
    [
      "'{0[a]}'.format([1])",
      () => call('{0[a]}', 'format', [[1]]),
      "UndefinedError: 'list object' has no attribute 'a'",
    ],
    ["'{a{b}}'.format(1)", () => call('{a{b}}', 'format', [1]), "ValueError: unexpected '{' in field name"],
    [
      "'{0[99999999999999999999]}'.format([1])",
      () => call('{0[99999999999999999999]}', 'format', [[1]]),
      'ValueError: Too many decimal digits in format string',
    ],
    ["'{ }'.format(1)", () => call('{ }', 'format', [1]), "KeyError: ' '"],
    [
      "'{:d}'.format('a')",
      () => call('{:d}', 'format', ['a']),
      "ValueError: Unknown format code 'd' for object of type 'str'",
    ],
    ["'{}'.format_map({})", () => call('{}', 'format_map', [dict()]), 'IndexError: tuple index out of range'],
    ["'{a}'.format_map({})", () => call('{a}', 'format_map', [dict()]), "KeyError: 'a'"],
    [
      "'{a}'.format_map(5)",
      () => call('{a}', 'format_map', [5]),
      "TypeError: 'int' object is not subscriptable",
    ],
    [
      "'{a}'.format_map()",
      () => call('{a}', 'format_map'),
      'TypeError: format_map() takes exactly one argument (0 given)',
    ],
    [
      "'{a}'.format_map(1, 2)",
      () => call('{a}', 'format_map', [1, 2]),
      'TypeError: format_map() takes exactly one argument (2 given)',
    ],
    [
      "'{a}'.format_map(a=1)",
      () => call('{a}', 'format_map', [], [['a', 1]]),
      'TypeError: format_map() takes no keyword arguments',
    ],
    [
      "'{:{:{}}}'.format(1, 2)",
      () => call('{:{:{}}}', 'format', [1, 2]),
      'IndexError: tuple index out of range',
    ],
    ["'{.real}'.format(3)", () => call('{.real}', 'format', [3]), "KeyError: ''"],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('the way out of a sandbox', () => {
  it.each([
    '{0.__class__}',
    '{0.__class__.__mro__}',
    '{0.__init__.__globals__}',
    '{0._private}',
    '{0.constructor}',
    '{0.prototype}',
    '{0.__proto__}',
    '{a.__class__}',
  ])('%s leads nowhere', (format) => {
    for (const value of ['x', 5, [1], dict(['a', 1]), tuple(1), float(1), markup('x'), null])
      expect(outcome(() => call(format, 'format', [value], [['a', value]]))).toMatch(
        /^UndefinedError: '\w+ object' has no attribute/,
      );
    expect(outcome(() => call(markup(format), 'format', ['x'], [['a', 'x']]))).toMatch(/^UndefinedError/);
    expect(outcome(() => call(format.replace('0', 'a'), 'format_map', [dict(['a', 'x'])]))).toMatch(
      /^UndefinedError/,
    );
  });

  it('a key that looks like one is only a key', () => {
    expect(call('{0[__class__]}', 'format', [dict(['__class__', 'mine'])])).toBe('mine');
    expect(outcome(() => call('{0[__proto__]}', 'format', [dict()]))).toBe(
      "UndefinedError: 'dict object' has no attribute '__proto__'",
    );
  });
});

describe('bounds', () => {
  it('a format makes no text that is longer than a render may write', () => {
    const long = 'x'.repeat(60_000);
    expect(outcome(() => call('{0}{0}', 'format', [long]))).toMatch(
      /^OverflowError: a text of 120000 characters/,
    );
  });
});

describe('any text', () => {
  it('is itself once its braces are doubled', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(call(text.replace(/[{}]/g, '$&$&'), 'format')).toBe(text);
      }),
    );
  });

  it('never fails but with an error of Python', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '.', ':', '!', '0', 'a', 'r'), maxLength: 10 }),
        (format) => {
          outcome(() => call(format, 'format', [['x'], dict(['a', 1])], [['a', 'x']]));
          outcome(() => call(markup(format), 'format', [['x']], [['a', 'x']]));
        },
      ),
    );
  });
});
