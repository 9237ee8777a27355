import { describe, expect, it } from 'vitest';
import { attribute, bytes, call, outcome, tuple } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('bytes', () => {
  it.each<[string, () => Value, string]>([
    ["b'ab'.upper()", () => call(bytes(97, 98), 'upper'), "b'AB'"],
    ["b'\\xe4b'.upper()", () => call(bytes(228, 98), 'upper'), "b'\\xe4B'"],
    ["b'AB'.lower()", () => call(bytes(65, 66), 'lower'), "b'ab'"],
    ["b'aB c'.title()", () => call(bytes(97, 66, 32, 99), 'title'), "b'Ab C'"],
    ["b'aB'.capitalize()", () => call(bytes(97, 66), 'capitalize'), "b'Ab'"],
    ["b'aB'.swapcase()", () => call(bytes(97, 66), 'swapcase'), "b'Ab'"],
    ["b'a,b'.split(b',')", () => call(bytes(97, 44, 98), 'split', [bytes(44)]), "[b'a', b'b']"],
    ["b' a\\xa0b '.split()", () => call(bytes(32, 97, 160, 98, 32), 'split'), "[b'a\\xa0b']"],
    [
      "b'a,b,c'.rsplit(b',', 1)",
      () => call(bytes(97, 44, 98, 44, 99), 'rsplit', [bytes(44), 1]),
      "[b'a,b', b'c']",
    ],
    [
      "b'a\\x0bb\\nc\\r\\n'.splitlines()",
      () => call(bytes(97, 11, 98, 10, 99, 13, 10), 'splitlines'),
      "[b'a\\x0bb', b'c']",
    ],
    ["b'a\\nb'.splitlines(True)", () => call(bytes(97, 10, 98), 'splitlines', [true]), "[b'a\\n', b'b']"],
    ["b' a '.strip()", () => call(bytes(32, 97, 32), 'strip'), "b'a'"],
    ["b'xa'.lstrip(b'x')", () => call(bytes(120, 97), 'lstrip', [bytes(120)]), "b'a'"],
    ["b'ax'.rstrip(b'x')", () => call(bytes(97, 120), 'rstrip', [bytes(120)]), "b'a'"],
    [
      "b'aa'.replace(b'a', b'bc')",
      () => call(bytes(97, 97), 'replace', [bytes(97), bytes(98, 99)]),
      "b'bcbc'",
    ],
    ["b'-'.join([b'a', b'b'])", () => call(bytes(45), 'join', [[bytes(97), bytes(98)]]), "b'a-b'"],
    ["b'abc'.find(b'c')", () => call(bytes(97, 98, 99), 'find', [bytes(99)]), '2'],
    ["b'abc'.find(99)", () => call(bytes(97, 98, 99), 'find', [99]), '2'],
    ["b'abc'.rfind(b'z')", () => call(bytes(97, 98, 99), 'rfind', [bytes(122)]), '-1'],
    [
      "b'abc'.index(b'z')",
      () => call(bytes(97, 98, 99), 'index', [bytes(122)]),
      'ValueError: subsection not found',
    ],
    ["b'abca'.count(b'a')", () => call(bytes(97, 98, 99, 97), 'count', [bytes(97)]), '2'],
    ["b'abc'.startswith(b'a')", () => call(bytes(97, 98, 99), 'startswith', [bytes(97)]), 'True'],
    [
      "b'abc'.endswith((b'x', b'c'))",
      () => call(bytes(97, 98, 99), 'endswith', [tuple(bytes(120), bytes(99))]),
      'True',
    ],
    ["b'a=b'.partition(b'=')", () => call(bytes(97, 61, 98), 'partition', [bytes(61)]), "(b'a', b'=', b'b')"],
    [
      "b'a=b'.rpartition(b'=')",
      () => call(bytes(97, 61, 98), 'rpartition', [bytes(61)]),
      "(b'a', b'=', b'b')",
    ],
    ["b'ab'.removeprefix(b'a')", () => call(bytes(97, 98), 'removeprefix', [bytes(97)]), "b'b'"],
    ["b'ab'.removesuffix(b'b')", () => call(bytes(97, 98), 'removesuffix', [bytes(98)]), "b'a'"],
    ["b'a'.center(3, b'*')", () => call(bytes(97), 'center', [3, bytes(42)]), "b'*a*'"],
    ["b'a'.ljust(3)", () => call(bytes(97), 'ljust', [3]), "b'a  '"],
    ["b'a'.rjust(3)", () => call(bytes(97), 'rjust', [3]), "b'  a'"],
    ["b'-5'.zfill(4)", () => call(bytes(45, 53), 'zfill', [4]), "b'-005'"],
    ["b'a\\tb'.expandtabs(4)", () => call(bytes(97, 9, 98), 'expandtabs', [4]), "b'a   b'"],
    ["b'a1'.isalnum()", () => call(bytes(97, 49), 'isalnum'), 'True'],
    ["b'\\xe4'.isalpha()", () => call(bytes(228), 'isalpha'), 'False'],
    ["b'12'.isdigit()", () => call(bytes(49, 50), 'isdigit'), 'True'],
    ["b'ab'.islower()", () => call(bytes(97, 98), 'islower'), 'True'],
    ["b'\\x85'.isspace()", () => call(bytes(133), 'isspace'), 'False'],
    ["b'\\xff'.isascii()", () => call(bytes(255), 'isascii'), 'False'],
    ["b'ab'.hex()", () => call(bytes(97, 98), 'hex'), "'6162'"],
    ["b'ab'.hex(':')", () => call(bytes(97, 98), 'hex', [':']), "'61:62'"],
    ["b'abcd'.hex('-', 3)", () => call(bytes(97, 98, 99, 100), 'hex', ['-', 3]), "'61-626364'"],
    ["b''.fromhex('61 62')", () => call(bytes(), 'fromhex', ['61 62']), "b'ab'"],
    [
      "b''.fromhex('6g')",
      () => call(bytes(), 'fromhex', ['6g']),
      'ValueError: non-hexadecimal number found in fromhex() arg at position 1',
    ],
    [
      "b''.fromhex(1)",
      () => call(bytes(), 'fromhex', [1]),
      'TypeError: fromhex() argument must be str, not int',
    ],
    [
      "b'a'.upper(1)",
      () => call(bytes(97), 'upper', [1]),
      'TypeError: bytes.upper() takes no arguments (1 given)',
    ],
    [
      "b'a'.split('a')",
      () => call(bytes(97), 'split', ['a']),
      "TypeError: a bytes-like object is required, not 'str'",
    ],
    [
      "b'a'.find('a')",
      () => call(bytes(97), 'find', ['a']),
      "TypeError: argument should be integer or bytes-like object, not 'str'",
    ],
    ["b'a'.find(300)", () => call(bytes(97), 'find', [300]), 'ValueError: byte must be in range(0, 256)'],
    [
      "b'a'.startswith('a')",
      () => call(bytes(97), 'startswith', ['a']),
      'TypeError: startswith first arg must be bytes or a tuple of bytes, not str',
    ],
    [
      "b'a'.join(['a'])",
      () => call(bytes(97), 'join', [['a']]),
      'TypeError: sequence item 0: expected a bytes-like object, str found',
    ],
    ["b'a'.join(5)", () => call(bytes(97), 'join', [5]), 'TypeError: can only join an iterable'],
    [
      "b'a'.replace('a', 'b')",
      () => call(bytes(97), 'replace', ['a', 'b']),
      "TypeError: a bytes-like object is required, not 'str'",
    ],
    [
      "b'a'.ljust(3, 'x')",
      () => call(bytes(97), 'ljust', [3, 'x']),
      'TypeError: ljust() argument 2 must be a byte string of length 1, not str',
    ],
    ["b'a'.hex('ab')", () => call(bytes(97), 'hex', ['ab']), 'ValueError: sep must be length 1.'],
    [
      "b'a'.encode",
      () => attribute(bytes(97), 'encode'),
      "AttributeError: 'bytes' object has no attribute 'encode'",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});
