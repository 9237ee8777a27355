/** Filters that take lists apart and put them together. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('batch and slice', () => {
  it.each([
    ['range(7)|batch(3)|list', '[[0, 1, 2], [3, 4, 5], [6]]'],
    ["range(7)|batch(3, '-')|list", "[[0, 1, 2], [3, 4, 5], [6, '-', '-']]"],
    ["[]|batch(3, '-')|list", '[]'],
    ['[1, 2, 3]|batch(0)|list', '[[], [1, 2, 3]]'],
    ["[1, 2, 3]|batch('a')|list", '[[1, 2, 3]]'],
    ['range(7)|slice(3)|list', '[[0, 1, 2], [3, 4], [5, 6]]'],
    ["range(7)|slice(3, fill_with='-')|list", "[[0, 1, 2], [3, 4, '-'], [5, 6, '-']]"],
    ["[1]|slice(3, 'x')|list", "[[1], ['x'], ['x']]"],
    ['[1, 2]|slice(-2)|list', '[]'],
    ["'abc'|slice(2)|list", "[['a', 'b'], ['c']]"],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['[1]|batch', "TypeError: do_batch() missing 1 required positional argument: 'linecount'"],
    ['5|batch(2)|list', "TypeError: 'int' object is not iterable"],
    ['[1, 2]|slice(0)|list', 'ZeroDivisionError: integer division or modulo by zero'],
    ["[1, 2]|slice('a')|list", "TypeError: unsupported operand type(s) for //: 'int' and 'str'"],
    ['[1, 2]|slice(2.0)|list', "TypeError: 'float' object cannot be interpreted as an integer"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('one item', () => {
  it.each([
    ['[3, 1]|first', '3'],
    ["'abc'|first", 'a'],
    ["{'a': 1}|first", 'a'],
    ['[]|first is defined', 'False'],
    ['range(5)|last', '4'],
    ["'abc'|last", 'c'],
    ["{'a': 1, 'b': 2}|last", 'b'],
    ["{'a': 1}.items()|last", "('a', 1)"],
    ["''|last is defined", 'False'],
    ['[7]|random', '7'],
    ['[]|random is defined', 'False'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression, { host: { random: () => 0.5 } })).toBe(expected);
  });

  it.each([
    ['1|first', "TypeError: 'int' object is not iterable"],
    ['1|last', "TypeError: 'int' object is not reversible"],
    ["([1]|map('int'))|last", "TypeError: 'generator' object is not reversible"],
    ["{'a': 1}|random", 'KeyError: 0'],
    ['1|random', "TypeError: object of type 'int' has no len()"],
    ['missing|first', "UndefinedError: 'missing' is undefined"],
    ['[]|first', 'UndefinedError: No first item, sequence was empty.'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression, { host: { random: () => 0.5 } })).toBe(expected);
  });
});

describe('reverse, length, list, items', () => {
  it.each([
    ["'abc'|reverse", 'cba'],
    ['[1, 2, 3]|reverse|list', '[3, 2, 1]'],
    ['(1, 2)|reverse|list', '[2, 1]'],
    ["{'a': 1, 'b': 2}|reverse|list", "['b', 'a']"],
    ['range(3)|reverse|list', '[2, 1, 0]'],
    ["([1, 2]|map('int'))|reverse", '[2, 1]'],
    ["'😀a'|length", '2'],
    ["{'a': 1}|count", '1'],
    ["'abc'|list", "['a', 'b', 'c']"],
    ["{'a': 1}|list", "['a']"],
    ['missing|items|list', '[]'],
    ["{'a': 1}|items|list", "[('a', 1)]"],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['5|reverse', 'FilterArgumentError: argument must be iterable'],
    ['1|length', "TypeError: object of type 'int' has no len()"],
    ['[]|length(1)', 'TypeError: len() takes exactly one argument (2 given)'],
    ['[]|length(a=1)', 'TypeError: len() takes no keyword arguments'],
    ['5|list', "TypeError: 'int' object is not iterable"],
    ['[1]|items|list', 'TypeError: Can only get item pairs from a mapping.'],
    ['missing|length', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('join', () => {
  it.each([
    ['[1, 2]|join', '12'],
    ["[1, 'a', none]|join('-')", '1-a-None'],
    ["'abc'|join('.')", 'a.b.c'],
    ["{'b': 1, 'a': 2}|join(',')", 'b,a'],
    ["[{'a': 1}, {'a': 2}]|join(', ', attribute='a')", '1, 2'],
    ["[[1, 2], [3, 4]]|join('|', 1)", '2|4'],
    ['[1, 2]|join(0)', '102'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['5|join', "TypeError: 'int' object is not iterable"],
    ['[missing]|join', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('join under autoescape', () => {
  it.each([
    ["['<a>', 'b']|join('<')", '&lt;a&gt;&lt;b'],
    ["['<a>'|safe, '<b>']|join('<')", '<a>&lt;&lt;b&gt;'],
    ["['<a>', '<b>']|join('<br>'|safe)", '&lt;a&gt;<br>&lt;b&gt;'],
    ['[1, none]|join(1)', '11None'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression, { autoescape: true })).toBe(expected);
  });
});

describe('lazy results', () => {
  it.each([
    ['([1]|batch(2)) is iterable', 'True'],
    ['([1]|batch(2)) is sequence', 'False'],
    ["[1]|map('nope') is iterable", 'True'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });
});
