import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, float, outcome } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('taking apart', () => {
  it.each<[string, () => Value, string]>([
    ["'a b  c'.split()", () => call('a b  c', 'split'), "['a', 'b', 'c']"],
    ["' a b '.split()", () => call(' a b ', 'split'), "['a', 'b']"],
    ["'a,b,,c'.split(',')", () => call('a,b,,c', 'split', [',']), "['a', 'b', '', 'c']"],
    ["'a,b,c'.split(',', 1)", () => call('a,b,c', 'split', [',', 1]), "['a', 'b,c']"],
    ["'a,b,c'.split(',', 0)", () => call('a,b,c', 'split', [',', 0]), "['a,b,c']"],
    ["''.split()", () => call('', 'split'), '[]'],
    ["''.split(',')", () => call('', 'split', [',']), "['']"],
    ["'a b c'.split(None, 1)", () => call('a b c', 'split', [null, 1]), "['a', 'b c']"],
    ["'a b c  '.split(maxsplit=1)", () => call('a b c  ', 'split', [], [['maxsplit', 1]]), "['a', 'b c  ']"],
    ["'abab'.split('ab')", () => call('abab', 'split', ['ab']), "['', '', '']"],
    [
      "'a\\x1cb\\x85c\\u3000d'.split()",
      () => call('a\u001cb\u0085c\u3000d', 'split'),
      "['a', 'b', 'c', 'd']",
    ],
    [
      "'a<>b'.split('<>', maxsplit=-1)",
      () => call('a<>b', 'split', ['<>'], [['maxsplit', -1]]),
      "['a', 'b']",
    ],
    ["'a b  c'.rsplit()", () => call('a b  c', 'rsplit'), "['a', 'b', 'c']"],
    ["'a,b,c'.rsplit(',', 1)", () => call('a,b,c', 'rsplit', [',', 1]), "['a,b', 'c']"],
    ["'a b c'.rsplit(None, 1)", () => call('a b c', 'rsplit', [null, 1]), "['a b', 'c']"],
    ["' a b '.rsplit(maxsplit=1)", () => call(' a b ', 'rsplit', [], [['maxsplit', 1]]), "[' a', 'b']"],
    ["'aaa'.rsplit('aa')", () => call('aaa', 'rsplit', ['aa']), "['a', '']"],
    ["'aaa'.split('aa')", () => call('aaa', 'split', ['aa']), "['', 'a']"],
    ["'a,b'.rsplit(',', 5)", () => call('a,b', 'rsplit', [',', 5]), "['a', 'b']"],
    ["''.rsplit(None, 1)", () => call('', 'rsplit', [null, 1]), '[]'],
    ["'a\\nb\\r\\nc\\rd'.splitlines()", () => call('a\nb\r\nc\rd', 'splitlines'), "['a', 'b', 'c', 'd']"],
    ["'a\\nb\\n'.splitlines()", () => call('a\nb\n', 'splitlines'), "['a', 'b']"],
    ["'a\\nb\\n'.splitlines(True)", () => call('a\nb\n', 'splitlines', [true]), "['a\\n', 'b\\n']"],
    ["'a\\n\\nb'.splitlines()", () => call('a\n\nb', 'splitlines'), "['a', '', 'b']"],
    ["''.splitlines()", () => call('', 'splitlines'), '[]'],
    [
      "'a\\x0bb\\x0cc\\x1cd\\x85e\\u2028f'.splitlines()",
      () => call('a\u000bb\fc\u001cd\u0085e\u2028f', 'splitlines'),
      "['a', 'b', 'c', 'd', 'e', 'f']",
    ],
    [
      "'a\\r\\nb'.splitlines(keepends=True)",
      () => call('a\r\nb', 'splitlines', [], [['keepends', true]]),
      "['a\\r\\n', 'b']",
    ],
    ["'a=b=c'.partition('=')", () => call('a=b=c', 'partition', ['=']), "('a', '=', 'b=c')"],
    ["'abc'.partition('=')", () => call('abc', 'partition', ['=']), "('abc', '', '')"],
    ["'=a'.partition('=')", () => call('=a', 'partition', ['=']), "('', '=', 'a')"],
    ["''.partition('=')", () => call('', 'partition', ['=']), "('', '', '')"],
    ["'a==b'.partition('==')", () => call('a==b', 'partition', ['==']), "('a', '==', 'b')"],
    ["'a=b=c'.rpartition('=')", () => call('a=b=c', 'rpartition', ['=']), "('a=b', '=', 'c')"],
    ["'abc'.rpartition('=')", () => call('abc', 'rpartition', ['=']), "('', '', 'abc')"],
    ["'a='.rpartition('=')", () => call('a=', 'rpartition', ['=']), "('a', '=', '')"],
    ["''.rpartition('=')", () => call('', 'rpartition', ['=']), "('', '', '')"],
    ["'a==b'.rpartition('==')", () => call('a==b', 'rpartition', ['==']), "('a', '==', 'b')"],
    ["'a'.split('')", () => call('a', 'split', ['']), 'ValueError: empty separator'],
    ["'a'.split(1)", () => call('a', 'split', [1]), 'TypeError: must be str or None, not int'],
    [
      "'a'.split(' ', 'x')",
      () => call('a', 'split', [' ', 'x']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "'a'.split(1, 2, 3)",
      () => call('a', 'split', [1, 2, 3]),
      'TypeError: split() takes at most 2 arguments (3 given)',
    ],
    [
      "'a'.split(foo=1)",
      () => call('a', 'split', [], [['foo', 1]]),
      "TypeError: 'foo' is an invalid keyword argument for split()",
    ],
    [
      "'a'.split(' ', sep=' ')",
      () => call('a', 'split', [' '], [['sep', ' ']]),
      "TypeError: argument for split() given by name ('sep') and position (1)",
    ],
    ["'a'.rsplit(1.5)", () => call('a', 'rsplit', [float(1.5)]), 'TypeError: must be str or None, not float'],
    [
      "'a'.splitlines('x')",
      () => call('a', 'splitlines', ['x']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "'a'.splitlines(1, 2)",
      () => call('a', 'splitlines', [1, 2]),
      'TypeError: splitlines() takes at most 1 argument (2 given)',
    ],
    [
      "'a'.splitlines(99999999999)",
      () => call('a', 'splitlines', [99999999999]),
      'OverflowError: Python int too large to convert to C int',
    ],
    ["'a'.partition('')", () => call('a', 'partition', ['']), 'ValueError: empty separator'],
    ["'a'.partition(1)", () => call('a', 'partition', [1]), 'TypeError: must be str, not int'],
    ["'a'.rpartition('')", () => call('a', 'rpartition', ['']), 'ValueError: empty separator'],
    ["'a'.rpartition(None)", () => call('a', 'rpartition', [null]), 'TypeError: must be str, not NoneType'],
    [
      "'a'.partition()",
      () => call('a', 'partition'),
      'TypeError: str.partition() takes exactly one argument (0 given)',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ',', ' ', '\n', '\r', '😀'), maxLength: 12 });
  const most = fc.integer({ min: -1, max: 4 });

  it('is its parts joined again', () => {
    fc.assert(
      fc.property(text, most, (whole, max) => {
        for (const name of ['split', 'rsplit']) {
          const parts = call(whole, name, [',', max]) as Value[];
          expect(call(',', 'join', [parts])).toBe(whole);
          if (max >= 0) expect(parts.length).toBeLessThanOrEqual(max + 1);
        }
        expect(call('', 'join', [call(whole, 'splitlines', [true])])).toBe(whole);
        expect(call('', 'join', [call(whole, 'partition', [','])])).toBe(whole);
        expect(call('', 'join', [call(whole, 'rpartition', [','])])).toBe(whole);
      }),
    );
  });

  it('has no spaces in its words, unless the last one is the rest', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const words = call(whole, 'split') as string[];
        expect(words.every((word) => word !== '' && !/[ \n\r]/.test(word))).toBe(true);
        expect(call(whole, 'rsplit')).toEqual(words);
      }),
    );
  });
});
