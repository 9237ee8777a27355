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
import { lengthOf } from '../container/iterate.ts';
import type { Value } from '../value.ts';

describe('padding, trimming, replacing, joining', () => {
  it.each<[string, () => Value, string]>([
    ["'ab'.center(5)", () => call('ab', 'center', [5]), "'  ab '"],
    ["'ab'.center(6, '*')", () => call('ab', 'center', [6, '*']), "'**ab**'"],
    ["'abc'.center(6)", () => call('abc', 'center', [6]), "' abc  '"],
    ["'a'.center(4)", () => call('a', 'center', [4]), "' a  '"],
    ["'abc'.center(2)", () => call('abc', 'center', [2]), "'abc'"],
    ["'😀'.center(3, 'é')", () => call('😀', 'center', [3, 'é']), "'é😀é'"],
    ["'ab'.ljust(5)", () => call('ab', 'ljust', [5]), "'ab   '"],
    ["'ab'.ljust(5, '.')", () => call('ab', 'ljust', [5, '.']), "'ab...'"],
    ["'ab'.ljust(1)", () => call('ab', 'ljust', [1]), "'ab'"],
    ["'😀'.ljust(3)", () => call('😀', 'ljust', [3]), "'😀  '"],
    ["'ab'.ljust(-1)", () => call('ab', 'ljust', [-1]), "'ab'"],
    ["'ab'.rjust(5)", () => call('ab', 'rjust', [5]), "'   ab'"],
    ["'ab'.rjust(5, '.')", () => call('ab', 'rjust', [5, '.']), "'...ab'"],
    ["'ab'.rjust(1)", () => call('ab', 'rjust', [1]), "'ab'"],
    ["'😀'.rjust(3, '*')", () => call('😀', 'rjust', [3, '*']), "'**😀'"],
    ["'ab'.rjust(True)", () => call('ab', 'rjust', [true]), "'ab'"],
    ["'5'.zfill(3)", () => call('5', 'zfill', [3]), "'005'"],
    ["'-5'.zfill(4)", () => call('-5', 'zfill', [4]), "'-005'"],
    ["'+5'.zfill(4)", () => call('+5', 'zfill', [4]), "'+005'"],
    ["'abc'.zfill(2)", () => call('abc', 'zfill', [2]), "'abc'"],
    ["''.zfill(2)", () => call('', 'zfill', [2]), "'00'"],
    ["'a\\tb'.expandtabs()", () => call('a\tb', 'expandtabs'), "'a       b'"],
    ["'a\\tb'.expandtabs(4)", () => call('a\tb', 'expandtabs', [4]), "'a   b'"],
    ["'a\\tb\\nc\\td'.expandtabs(4)", () => call('a\tb\nc\td', 'expandtabs', [4]), "'a   b\\nc   d'"],
    ["'a\\tb'.expandtabs(0)", () => call('a\tb', 'expandtabs', [0]), "'ab'"],
    ["'\\t'.expandtabs(tabsize=2)", () => call('\t', 'expandtabs', [], [['tabsize', 2]]), "'  '"],
    ["' a '.strip()", () => call(' a ', 'strip'), "'a'"],
    ["'xxaxx'.strip('x')", () => call('xxaxx', 'strip', ['x']), "'a'"],
    ["'abcba'.strip('ab')", () => call('abcba', 'strip', ['ab']), "'c'"],
    ["'\\x1ca\\u3000'.strip()", () => call('\u001ca\u3000', 'strip'), "'a'"],
    ["'a'.strip(None)", () => call('a', 'strip', [null]), "'a'"],
    ["'😀a😀'.strip('😀')", () => call('😀a😀', 'strip', ['😀']), "'a'"],
    ["' a '.lstrip()", () => call(' a ', 'lstrip'), "'a '"],
    ["'xxa'.lstrip('x')", () => call('xxa', 'lstrip', ['x']), "'a'"],
    ["'www.x.www'.lstrip('w.')", () => call('www.x.www', 'lstrip', ['w.']), "'x.www'"],
    ["''.lstrip()", () => call('', 'lstrip'), "''"],
    ["'a'.lstrip('')", () => call('a', 'lstrip', ['']), "'a'"],
    ["' a '.rstrip()", () => call(' a ', 'rstrip'), "' a'"],
    ["'axx'.rstrip('x')", () => call('axx', 'rstrip', ['x']), "'a'"],
    ["'a\\n'.rstrip('\\n')", () => call('a\n', 'rstrip', ['\n']), "'a'"],
    ["'aaa'.rstrip('a')", () => call('aaa', 'rstrip', ['a']), "''"],
    ["'ab'.rstrip('')", () => call('ab', 'rstrip', ['']), "'ab'"],
    ["'aaa'.replace('a', 'b')", () => call('aaa', 'replace', ['a', 'b']), "'bbb'"],
    ["'aaa'.replace('a', 'b', 2)", () => call('aaa', 'replace', ['a', 'b', 2]), "'bba'"],
    ["'aaa'.replace('', '-')", () => call('aaa', 'replace', ['', '-']), "'-a-a-a-'"],
    ["'aaa'.replace('', '-', 2)", () => call('aaa', 'replace', ['', '-', 2]), "'-a-aa'"],
    ["'aaa'.replace('aa', '')", () => call('aaa', 'replace', ['aa', '']), "'a'"],
    ["'aaa'.replace('x', 'y')", () => call('aaa', 'replace', ['x', 'y']), "'aaa'"],
    ["''.replace('', 'x')", () => call('', 'replace', ['', 'x']), "'x'"],
    ["'a😀'.replace('', '-')", () => call('a😀', 'replace', ['', '-']), "'-a-😀-'"],
    ["'aaa'.replace('a', 'b', 0)", () => call('aaa', 'replace', ['a', 'b', 0]), "'aaa'"],
    ["'aaa'.replace('a', 'b', -1)", () => call('aaa', 'replace', ['a', 'b', -1]), "'bbb'"],
    ["', '.join(['a', 'b'])", () => call(', ', 'join', [['a', 'b']]), "'a, b'"],
    ["''.join('abc')", () => call('', 'join', ['abc']), "'abc'"],
    ["'-'.join([])", () => call('-', 'join', [[]]), "''"],
    ["'-'.join({'a': 1, 'b': 2})", () => call('-', 'join', [dict(['a', 1], ['b', 2])]), "'a-b'"],
    ["'-'.join((Markup('<'), 'b'))", () => call('-', 'join', [tuple(markup('<'), 'b')]), "'<-b'"],
    [
      "'-'.join([1])",
      () => call('-', 'join', [[1]]),
      'TypeError: sequence item 0: expected str instance, int found',
    ],
    [
      "'-'.join(['a', None])",
      () => call('-', 'join', [['a', null]]),
      'TypeError: sequence item 1: expected str instance, NoneType found',
    ],
    ["'-'.join(5)", () => call('-', 'join', [5]), 'TypeError: can only join an iterable'],
    ["'-'.join()", () => call('-', 'join'), 'TypeError: str.join() takes exactly one argument (0 given)'],
    [
      "'-'.join([], [])",
      () => call('-', 'join', [[], []]),
      'TypeError: str.join() takes exactly one argument (2 given)',
    ],
    ["'a'.center()", () => call('a', 'center'), 'TypeError: center expected at least 1 argument, got 0'],
    [
      "'a'.center('x')",
      () => call('a', 'center', ['x']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "'a'.center(5, 'ab')",
      () => call('a', 'center', [5, 'ab']),
      'TypeError: The fill character must be exactly one character long',
    ],
    [
      "'a'.center(5, 1)",
      () => call('a', 'center', [5, 1]),
      'TypeError: The fill character must be a unicode character, not int',
    ],
    [
      "'a'.center(5, 'a', 1)",
      () => call('a', 'center', [5, 'a', 1]),
      'TypeError: center expected at most 2 arguments, got 3',
    ],
    [
      "'a'.ljust(1.5)",
      () => call('a', 'ljust', [float(1.5)]),
      "TypeError: 'float' object cannot be interpreted as an integer",
    ],
    [
      "'a'.zfill('x')",
      () => call('a', 'zfill', ['x']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    ["'a'.zfill()", () => call('a', 'zfill'), 'TypeError: str.zfill() takes exactly one argument (0 given)'],
    [
      "'a'.expandtabs('x')",
      () => call('a', 'expandtabs', ['x']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "'a'.expandtabs(99999999999)",
      () => call('a', 'expandtabs', [99999999999]),
      'OverflowError: Python int too large to convert to C int',
    ],
    ["'a'.strip(1)", () => call('a', 'strip', [1]), 'TypeError: strip arg must be None or str'],
    ["'a'.lstrip(1)", () => call('a', 'lstrip', [1]), 'TypeError: lstrip arg must be None or str'],
    [
      "'a'.rstrip(1, 2)",
      () => call('a', 'rstrip', [1, 2]),
      'TypeError: rstrip expected at most 1 argument, got 2',
    ],
    [
      "'a'.replace('b')",
      () => call('a', 'replace', ['b']),
      'TypeError: replace expected at least 2 arguments, got 1',
    ],
    [
      "'a'.replace(1, 'b')",
      () => call('a', 'replace', [1, 'b']),
      'TypeError: replace() argument 1 must be str, not int',
    ],
    [
      "'a'.replace('a', None)",
      () => call('a', 'replace', ['a', null]),
      'TypeError: replace() argument 2 must be str, not None',
    ],
    [
      "'a'.replace('a', 'b', 'c')",
      () => call('a', 'replace', ['a', 'b', 'c']),
      "TypeError: 'str' object cannot be interpreted as an integer",
    ],
    [
      "'a'.replace('a', 'b', count=1)",
      () => call('a', 'replace', ['a', 'b'], [['count', 1]]),
      'TypeError: str.replace() takes no keyword arguments',
    ],
    [
      "'a'.ljust(99999999999999999999)",
      () => call('a', 'ljust', [99999999999999999999n]),
      'OverflowError: Python int too large to convert to C ssize_t',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('bounds', () => {
  it.each<[string, () => Value]>([
    ['center', () => call('a', 'center', [10 ** 9])],
    ['zfill', () => call('a', 'zfill', [10 ** 9])],
    ['expandtabs', () => call('\t\t', 'expandtabs', [60_000])],
    ['replace', () => call('a'.repeat(1000), 'replace', ['a', 'b'.repeat(1000)])],
    ['join', () => call('-'.repeat(1000), 'join', ['a'.repeat(1000)])],
    ['translate', () => call('a'.repeat(1000), 'translate', [dict([97, 'b'.repeat(1000)])])],
  ])('%s makes no text that is longer than a render may write', (_name, run) => {
    expect(outcome(run)).toMatch(
      /^OverflowError: a text of \d+ characters is longer than the limit of 100000$/,
    );
  });
});

describe('any text', () => {
  it('is as wide as it was asked to be, and in the middle', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 30 }), (text, width) => {
        const length = Array.from(text).length;
        for (const name of ['center', 'ljust', 'rjust', 'zfill'])
          expect(lengthOf(call(text, name, [width]))).toBe(Math.max(width, length));
      }),
    );
  });

  it('has no spaces around it when it is stripped', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stripped = call(text, 'strip');
        expect(call(call(text, 'lstrip'), 'rstrip')).toBe(stripped);
        expect(call(stripped, 'strip')).toBe(stripped);
      }),
    );
  });
});
