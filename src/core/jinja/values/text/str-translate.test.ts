import { describe, expect, it } from 'vitest';
import { call, dict, float, operate, outcome } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('translate and maketrans', () => {
  it.each<[string, () => Value, string]>([
    [
      "'abc'.translate({97: 'x', 98: None, 99: 100})",
      () => call('abc', 'translate', [dict([97, 'x'], [98, null], [99, 100])]),
      "'xd'",
    ],
    ["'abc'.translate({})", () => call('abc', 'translate', [dict()]), "'abc'"],
    ["'a😀'.translate({128512: '!'})", () => call('a😀', 'translate', [dict([128512, '!'])]), "'a!'"],
    ["'abc'.translate('x' * 100)", () => call('abc', 'translate', [operate('x', '*', 100)]), "'xxx'"],
    ["'ab'.translate([1])", () => call('ab', 'translate', [[1]]), "'ab'"],
    ["''.translate(5)", () => call('', 'translate', [5]), "''"],
    ["'abc'.translate({97: 'long'})", () => call('abc', 'translate', [dict([97, 'long'])]), "'longbc'"],
    ["'a'.maketrans('ab', 'cd')", () => call('a', 'maketrans', ['ab', 'cd']), '{97: 99, 98: 100}'],
    [
      "'a'.maketrans('ab', 'cd', 'e')",
      () => call('a', 'maketrans', ['ab', 'cd', 'e']),
      '{97: 99, 98: 100, 101: None}',
    ],
    [
      "'a'.maketrans({'a': 1, 98: None})",
      () => call('a', 'maketrans', [dict(['a', 1], [98, null])]),
      '{97: 1, 98: None}',
    ],
    ["'a'.maketrans('', '')", () => call('a', 'maketrans', ['', '']), '{}'],
    ["'a'.maketrans('😀', 'x')", () => call('a', 'maketrans', ['😀', 'x']), '{128512: 120}'],
    [
      "'ab'.translate('x'.maketrans('ab', 'ba'))",
      () => call('ab', 'translate', [call('x', 'maketrans', ['ab', 'ba'])]),
      "'ba'",
    ],
    ["'a'.translate(1)", () => call('a', 'translate', [1]), "TypeError: 'int' object is not subscriptable"],
    [
      "'a'.translate({97: 1.5})",
      () => call('a', 'translate', [dict([97, float(1.5)])]),
      'TypeError: character mapping must return integer, None or str',
    ],
    [
      "'a'.translate({97: 1114112})",
      () => call('a', 'translate', [dict([97, 1114112])]),
      'ValueError: character mapping must be in range(0x110000)',
    ],
    [
      "'a'.translate()",
      () => call('a', 'translate'),
      'TypeError: str.translate() takes exactly one argument (0 given)',
    ],
    [
      "'a'.translate({'a': 1}.keys())",
      () => call('a', 'translate', [call(dict(['a', 1]), 'keys')]),
      "TypeError: 'dict_keys' object is not subscriptable",
    ],
    [
      "'a'.maketrans('ab', 'c')",
      () => call('a', 'maketrans', ['ab', 'c']),
      'ValueError: the first two maketrans arguments must have equal length',
    ],
    [
      "'a'.maketrans({'ab': 1})",
      () => call('a', 'maketrans', [dict(['ab', 1])]),
      'ValueError: string keys in translate table must be of length 1',
    ],
    [
      "'a'.maketrans({1.5: 1})",
      () => call('a', 'maketrans', [dict([float(1.5), 1])]),
      'TypeError: keys in translate table must be strings or integers',
    ],
    [
      "'a'.maketrans(1)",
      () => call('a', 'maketrans', [1]),
      'TypeError: if you give only one argument to maketrans it must be a dict',
    ],
    [
      "'a'.maketrans(1, 'a')",
      () => call('a', 'maketrans', [1, 'a']),
      'TypeError: first maketrans argument must be a string if there is a second argument',
    ],
    [
      "'a'.maketrans('a', 2)",
      () => call('a', 'maketrans', ['a', 2]),
      'TypeError: maketrans() argument 2 must be str, not int',
    ],
    [
      "'a'.maketrans('a', 'b', 2)",
      () => call('a', 'maketrans', ['a', 'b', 2]),
      'TypeError: maketrans() argument 3 must be str, not int',
    ],
    [
      "'a'.maketrans()",
      () => call('a', 'maketrans'),
      'TypeError: maketrans expected at least 1 argument, got 0',
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});
