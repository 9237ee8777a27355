/** Salt's filters on lists; the vectors are written by hand from Salt's documentation. */
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
    ['[1]|random_sample(2, 1)', 'ValueError: Sample larger than population or is negative'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('chance', () => {
  it('with a seed is always the same, and keeps every item', () => {
    const once = printed("range(20)|random_shuffle(seed='web1')");
    expect(printed("range(20)|random_shuffle(seed='web1')")).toBe(once);
    expect(printed("range(20)|random_shuffle(seed='web2')")).not.toBe(once);
    expect(printed("range(20)|random_shuffle('web1')|sort == range(20)|list")).toBe('True');
    expect(printed("range(20)|random_sample(5, 'web1')|length")).toBe('5');
  });

  it('does not change the list it is given', () => {
    expect(printed('[l|random_shuffle(1), l][1]', { variables: { l: [1, 2, 3] } })).toBe('[1, 2, 3]');
  });

  it('without a seed is the host’s', () => {
    expect(printed('[1, 2, 3]|random_shuffle', { host: { random: () => 0 } })).toBe('[2, 3, 1]');
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
