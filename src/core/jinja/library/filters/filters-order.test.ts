/** Filters that compare. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('sort', () => {
  it.each([
    ['[3, 1, 2]|sort', '[1, 2, 3]'],
    ['[3, 1, 2]|sort(reverse=true)', '[3, 2, 1]'],
    ["['b', 'A', 'c']|sort", "['A', 'b', 'c']"],
    ["['b', 'A', 'c']|sort(case_sensitive=true)", "['A', 'b', 'c']"],
    ["[(2, 'a'), (1, 'B'), (1, 'a')]|sort(attribute='0,1')", "[(1, 'a'), (1, 'B'), (2, 'a')]"],
    ["[(2, 'a'), (1, 'B'), (1, 'b')]|sort(attribute=1, reverse=true)", "[(1, 'B'), (1, 'b'), (2, 'a')]"],
    ["[{'n': {'x': 2}}, {'n': {'x': 1}}]|sort(attribute='n.x')", "[{'n': {'x': 1}}, {'n': {'x': 2}}]"],
    ["{'b': 1, 'a': 2}|sort", "['a', 'b']"],
    ['[2.5, 1, true]|sort', '[1, True, 2.5]'],
    ['[[2], [1, 5], [1]]|sort', '[[1], [1, 5], [2]]'],
    ['[none, none]|sort', '[None, None]'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["[1, 'a']|sort", "TypeError: '<' not supported between instances of 'str' and 'int'"],
    ["['a', 1, 2]|sort", "TypeError: '<' not supported between instances of 'int' and 'str'"],
    ["[1]|sort(reverse='x')", "TypeError: 'str' object cannot be interpreted as an integer"],
    ['5|sort', "TypeError: 'int' object is not iterable"],
    ["[{'a': 1}, {}]|sort(attribute='a')", "UndefinedError: 'dict object' has no attribute 'a'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('dictsort', () => {
  it.each([
    ["{'b': 1, 'A': 3, 'c': 2}|dictsort", "[('A', 3), ('b', 1), ('c', 2)]"],
    ["{'b': 1, 'A': 3, 'c': 2}|dictsort(true)", "[('A', 3), ('b', 1), ('c', 2)]"],
    ["{'b': 1, 'A': 3, 'c': 2}|dictsort(by='value')", "[('b', 1), ('c', 2), ('A', 3)]"],
    ["{'b': 1, 'A': 3, 'c': 2}|dictsort(false, 'value', true)", "[('A', 3), ('c', 2), ('b', 1)]"],
    ['{}|dictsort', '[]'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["{'a': 1}|dictsort(by='x')", 'FilterArgumentError: You can only sort by either "key" or "value"'],
    ["{1: 1, 'a': 2}|dictsort", "TypeError: '<' not supported between instances of 'str' and 'int'"],
    ['[1]|dictsort', "AttributeError: 'list' object has no attribute 'items'"],
    ['missing|dictsort', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('groupby', () => {
  it.each([
    [
      "[{'k': 'b', 'v': 1}, {'k': 'a', 'v': 2}, {'k': 'B', 'v': 3}]|groupby('k')|string",
      "[('a', [{'k': 'a', 'v': 2}]), ('b', [{'k': 'b', 'v': 1}, {'k': 'B', 'v': 3}])]",
    ],
    [
      "[{'k': 'b', 'v': 1}, {'k': 'a', 'v': 2}, {'k': 'B', 'v': 3}]|groupby('k', case_sensitive=true)|string",
      "[('B', [{'k': 'B', 'v': 3}]), ('a', [{'k': 'a', 'v': 2}]), ('b', [{'k': 'b', 'v': 1}])]",
    ],
    ["[{'k': 1}, {}]|groupby('k', default=0)|string", "[(0, [{}]), (1, [{'k': 1}])]"],
    ["([{'k': 1}]|groupby('k')|first).grouper", '1'],
    ["([{'k': 1}]|groupby('k')|first).list", "[{'k': 1}]"],
    ["[(1, 2), (1, 3)]|groupby(0)|map('first')|list", '[1]'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["[{'k': 1}, {}]|groupby('k')", "UndefinedError: 'dict object' has no attribute 'k'"],
    ['[1]|groupby', "TypeError: sync_do_groupby() missing 1 required positional argument: 'attribute'"],
    [
      "[{'k': 1}, {'k': 'a'}]|groupby('k')",
      "TypeError: '<' not supported between instances of 'str' and 'int'",
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('min, max, sum, unique', () => {
  it.each([
    ['[3, 1, 2]|min', '1'],
    ['[3, 1, 2]|max', '3'],
    ["['b', 'A', 'a']|min", 'A'],
    ["['b', 'A', 'B']|max", 'b'],
    ['[1, 1.0, true]|max', '1'],
    ['[1, 2.5]|sum', '3.5'],
    ["[{'a': 1}, {'a': 2}]|sum('a', 10)", '13'],
    ['[[1], [2]]|sum(start=[])', '[1, 2]'],
    ['[]|sum', '0'],
    ["['b', 'B', 'a', 'b']|unique", "['b', 'B', 'a']"],
    ["[1, 1.0, true, '1']|unique|list", "[1, '1']"],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["[1, 'a']|max", "TypeError: '>' not supported between instances of 'str' and 'int'"],
    ['[]|min', 'ValueError: min() arg is an empty sequence'],
    [
      "['b', 'A']|min(case_sensitive=true)",
      "TypeError: lst_min() got an unexpected keyword argument 'case_sensitive'",
    ],
    ["['a']|sum", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"],
    ["['a']|sum(start='')", "TypeError: sum() can't sum strings [use ''.join(seq) instead]"],
    ['5|sum', "TypeError: 'int' object is not iterable"],
    ['[[1]]|unique(true)', 'TypeError: unique() takes 1 positional argument but 2 were given'],
    [
      "[{'k': 1}]|groupby('k')",
      "TypeError: _GroupTuple.__new__() missing 1 required positional argument: 'list'",
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});
