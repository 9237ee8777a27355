/** map, select and their kin. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('map', () => {
  it.each([
    ["['a', 'b']|map('upper')|list", "['A', 'B']"],
    ["['1', 'x']|map('int', -1)|list", '[1, -1]'],
    ["[{'a': 1}, {'a': 2}]|map(attribute='a')|list", '[1, 2]'],
    ["[{'a': {'b': [5]}}]|map(attribute='a.b.0')|list", '[5]'],
    ["[{}, {'a': 1}]|map(attribute='a', default='-')|list", "['-', 1]"],
    ["[[3, 1], [2]]|map('sort', reverse=true)|list", '[[3, 1], [2]]'],
    ["0|map('int')|list", '[]'],
    ["none|map('int')|list", '[]'],
    ["''|map|list", '[]'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['[1]|map|list', 'FilterArgumentError: map requires a filter argument'],
    ["[1]|map('nope')|list", "TemplateRuntimeError: No filter named 'nope'."],
    ['[1]|map(5)|list', 'TemplateRuntimeError: No filter named 5.'],
    ['[1]|map([])|list', "TypeError: unhashable type: 'list'"],
    ["[1]|map(attribute='a', foo=1)|list", "FilterArgumentError: Unexpected keyword argument 'foo'"],
    ['[1]|map(default=2)|list', 'FilterArgumentError: map requires a filter argument'],
    ["5|map('int')|list", "TypeError: 'int' object is not iterable"],
    ["missing|map('int')|list", "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('select and reject', () => {
  it.each([
    ["[0, 1, '', 'a', none]|select|list", "[1, 'a']"],
    ["[0, 1, '', 'a', none]|reject|list", "[0, '', None]"],
    ["[1, 2, 3, 4]|select('even')|list", '[2, 4]'],
    ["[1, 2, 3, 4]|reject('even')|list", '[1, 3]'],
    ["[1, 2, 3]|select('in', [2, 3])|list", '[2, 3]'],
    ["[1, 2, 3]|select('>', 1)|list", '[2, 3]'],
    ["[1, 2, 3]|select('divisibleby', num=3)|list", '[3]'],
    ["[{'a': 1}, {'a': 2}, {}]|selectattr('a', 'defined')|list", "[{'a': 1}, {'a': 2}]"],
    ["[{'a': 1}, {'a': 0}]|selectattr('a')|list", "[{'a': 1}]"],
    ["[{'a': 1}, {'a': 2}]|selectattr('a', 'eq', 2)|list", "[{'a': 2}]"],
    ["[{'a': 1}, {'a': 2}]|rejectattr('a', 'eq', 2)|list", "[{'a': 1}]"],
    ["[{'a': {'b': 1}}]|selectattr('a.b', 'odd')|list", "[{'a': {'b': 1}}]"],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ["[1]|select('nope')|list", "TemplateRuntimeError: No test named 'nope'."],
    ['[1]|selectattr|list', 'FilterArgumentError: Missing parameter for attribute name'],
    ["[{}]|selectattr('a')|list", "UndefinedError: 'dict object' has no attribute 'a'"],
    ["[1]|select('eq')|list", 'TypeError: eq expected 2 arguments, got 1'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});
