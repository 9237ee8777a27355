/** Filters on values of any kind. The expected values are recorded from Jinja2 3.1.6 on Python 3.11. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

describe('default and attr', () => {
  it.each([
    ['missing|default', ''],
    ["missing|default('x')", 'x'],
    ["missing.a|default('x') if false else 1", '1'],
    ["''|default('x')", ''],
    ["''|default('x', true)", 'x'],
    ["0|d('x', boolean=true)", 'x'],
    ["none|default('x')", 'None'],
    ["1|attr('real')", '1'],
    ["{'a': 1}|attr('a') is defined", 'False'],
    ["'a'|attr('upper')()", 'A'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    ['1|attr(5)', "TypeError: attribute name must be string, not 'int'"],
    ["1|attr('x')", "UndefinedError: 'int object' has no attribute 'x'"],
    ["missing|attr('a')", "UndefinedError: 'missing' is undefined"],
    ['1|default(2, 3, 4)', 'TypeError: do_default() takes from 1 to 3 positional arguments but 4 were given'],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('tojson', () => {
  it.each([
    [
      "{'b': [1, 2.0, none, true], 'a': 'é<>&\\''}|tojson",
      '{"b": [1, 2.0, null, true], "a": "\\u00e9\\u003c\\u003e\\u0026\\u0027"}',
    ],
    ['[1, [2, {}], []]|tojson(2)', '[\n  1,\n  [\n    2,\n    {}\n  ],\n  []\n]'],
    ["[1, {'a': []}]|tojson(indent='--')", '[\n--1,\n--{\n----"a": []\n--}\n]'],
    ['[1, 2]|tojson(0)', '[\n1,\n2\n]'],
    ['{1: 2, 10: 3, 9: 1}|tojson', '{"1": 2, "10": 3, "9": 1}'],
    ['{1: 2, 10: 3, 9: 1}|tojson(sort_keys=true)', '{"1": 2, "9": 1, "10": 3}'],
    ["{'b': '<', 'a': 'é'}|tojson(separators=(',', ':'), ensure_ascii=false)", '{"b":"\\u003c","a":"é"}'],
    ['{true: 1, 1.5: 2}|tojson', '{"true": 1, "1.5": 2}'],
    ['[1e20, 1e-7, 12345678901234567890]|tojson', '[1e+20, 1e-07, 12345678901234567890]'],
    ["'😀'|tojson", '"\\ud83d\\ude00"'],
    ['(1, 2)|tojson', '[1, 2]'],
    ["'a'|safe|tojson", '"a"'],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    [
      "{1: 2, 'a': 3}|tojson(sort_keys=true)",
      "TypeError: '<' not supported between instances of 'str' and 'int'",
    ],
    ['{(1, 2): 1}|tojson', 'TypeError: keys must be str, int, float, bool or None, not tuple'],
    ['missing|tojson', "UndefinedError: 'missing' is undefined"],
    ["{'a': missing, 'b': [nope]}|tojson", "UndefinedError: 'missing' is undefined\n'nope' is undefined"],
    ['1|tojson(x=1)', "TypeError: JSONEncoder.__init__() got an unexpected keyword argument 'x'"],
    ['range(3)|tojson', 'TypeError: Object of type range is not JSON serializable'],
    ['[1]|tojson(1.5)', "TypeError: can't multiply sequence by non-int of type 'float'"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('pprint', () => {
  it.each([
    [
      "('the quick brown fox ' * 5)|pprint",
      "('the quick brown fox the quick brown fox the quick brown fox the quick brown '\n 'fox the quick brown fox ')",
    ],
    [
      "(['word ' * 20])|pprint",
      "['word word word word word word word word word word word word word word word '\n 'word word word word word ']",
    ],
    ["({'b': 1, 'a': [1, 2]})|pprint", "{'a': [1, 2], 'b': 1}"],
    ["({1: 2, 'a': 3, none: 4})|pprint", "{None: 4, 1: 2, 'a': 3}"],
    [
      "(['x' * 30] * 4)|pprint",
      "['xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx']",
    ],
    [
      "({'k': 'line one\\nline two\\n' * 4})|pprint",
      "{'k': 'line one\\n'\n      'line two\\n'\n      'line one\\n'\n      'line two\\n'\n      'line one\\n'\n      'line two\\n'\n      'line one\\n'\n      'line two\\n'}",
    ],
    [
      "(('a' * 90,))|pprint",
      "('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',)",
    ],
    [
      "([{'name': 'x' * 30, 'list': [1, 2, 3] * 8}])|pprint",
      "[{'list': [1,\n           2,\n           3,\n           1,\n           2,\n           3,\n           1,\n           2,\n           3,\n           1,\n           2,\n           3,\n           1,\n           2,\n           3,\n           1,\n           2,\n           3,\n           1,\n           2,\n           3,\n           1,\n           2,\n           3],\n  'name': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'}]",
    ],
    ["('')|pprint", "''"],
    ['(missing)|pprint', 'Undefined'],
    [
      "({'a': {'b': {'c': 'd ' * 40}}})|pprint",
      "{'a': {'b': {'c': 'd d d d d d d d d d d d d d d d d d d d d d d d d d d d d d '\n                  'd d d d d d d d d d '}}}",
    ],
  ])('{{ %s }} is %j', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });
});
