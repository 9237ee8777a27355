/** Salt's filters on lists; the vectors are written by hand from Salt's documentation. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('lists', () => {
  it.each([
    ['[1, 2, 3]|avg', '2.0'],
    ['5|avg', '5.0'],
    ['[1, 2, 3]|union([2, 3, 4])', '[1, 2, 3, 4]'],
    ['[1, 2, 3]|intersect([2, 3, 4])', '[2, 3]'],
    ['[1, 2, 3]|difference([2, 3, 4])', '[1]'],
    ['[1, 2, 3]|symmetric_difference([2, 3, 4])', '[1, 4]'],
    ['[[1], [1], {}]|union([{}, [2]])', '[[1], {}, [2]]'],
    ['(1, 2)|union((2, 3))', '{1, 2, 3}'],
    ['[1, true, 1.0]|intersect([1])', '[1]'],
    ['[1, 2, 3]|compare_lists([1, 2, 4])', "{'new': [4], 'old': [3]}"],
    ['[1]|compare_lists([1])', '{}'],
    ["['yes', 0, False, 'True']|exactly_n_true(2)", 'True'],
    ["['yes', False, 0, None]|exactly_one_true", 'True'],
    ['[1, 1]|exactly_one_true', 'False'],
    ['[1, 2, 3]|is_list', 'True'],
    ['(1, 2)|is_list', 'False'],
    ['[1, 2, 3]|is_iter', 'True'],
    ["'abc'|is_iter", 'False'],
    ['5|is_iter', 'False'],
    ['[1, 2, [3]]|flatten', '[1, 2, 3]'],
    ['[1, 2, [None, 3, [4]]]|flatten(levels=1)', '[1, 2, 3, [4]]'],
    ['[1, 2, [None, 3, [4]]]|flatten(preserve_nulls=True)', '[1, 2, None, 3, 4]'],
    ["['foo', 'Foo', 'bar', 'Bar']|sorted_ignorecase", "['bar', 'Bar', 'foo', 'Foo']"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['[1]|union((2,))', 'TypeError: can only concatenate list (not "tuple") to list'],
    ['[]|avg', 'ZeroDivisionError: division by zero'],
    ['missing|union([1])', "UndefinedError: 'missing' is undefined"],
    ['5|flatten', "TypeError: 'int' object is not iterable"],
    ['[1]|random_sample(2, 1)', 'TypeError: object supporting the buffer API required'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('chance', () => {
  const digest = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();
  const host = { random: () => 0.5, digest };

  it.each([
    [
      "range(20)|random_shuffle(seed='web1')",
      '[15, 16, 7, 10, 17, 12, 4, 9, 3, 8, 0, 18, 2, 11, 19, 5, 1, 6, 14, 13]',
    ],
    ["range(200)|random_sample(5, 'web1')", '[122, 135, 168, 59, 87]'],
    ["range(20)|random_shuffle('web1')|sort == range(20)|list", 'True'],
    ["[1]|random_sample(2, 's')", 'ValueError: Sample larger than population or is negative'],
    [
      "{'a': 1}|random_sample(1, 's')",
      'TypeError: Population must be a sequence.  For dicts or sets, use sorted(d).',
    ],
  ])('%s is what Salt gives: %s', (expression, expected) => {
    const isError = /^[A-Z]\w*Error: /.test(expected);
    expect((isError ? failure : printed)(expression, { host })).toBe(expected);
  });

  it('does not change the list it is given', () => {
    expect(printed('[l|random_shuffle, l][1]', { variables: { l: [1, 2, 3] }, host })).toBe('[1, 2, 3]');
  });

  it('without a seed is the host’s', () => {
    expect(printed('[1, 2, 3]|random_shuffle', { host })).toBe('[2, 3, 1]');
    expect(failure('[1, 2]|random_shuffle')).toBe(
      "RuntimeError: the filter 'random_shuffle' without a seed needs the host's 'random', which it does not provide",
    );
  });
});

describe('unique', () => {
  it.each([
    ["['foo', 'foo', 'bar']|unique", "['foo', 'bar']"],
    ["['a', 'A', 'a']|unique", "['a', 'A']"],
    ['[[1], [1]]|unique', '[[1]]'],
    ["'foo'|unique", "{'f', 'o'}"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });
});
