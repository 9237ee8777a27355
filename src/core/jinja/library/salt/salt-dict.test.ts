/** Salt's filters on dicts; the vectors are written by hand from Salt's documentation. */
import { describe, expect, it } from 'vitest';
import { failure, printed, renderedTemplate } from '../../../../../test/harness/states/printed-expression.ts';

const DATA = "{'a1': {'b1': {'c1': 'foo'}}, 'a2': 'bar', 'l': [{'k': 'v'}, 5], 7: 'seven'}";

describe('traverse', () => {
  it.each([
    ["'a1:b1', 'default'", "{'c1': 'foo'}"],
    ["'a1:b1:c1'", 'foo'],
    ["'a2:b2', 'default'", 'default'],
    ["'nope'", 'None'],
    ["'l:1'", '5'],
    ["'l:-1'", '5'],
    ["'l:9', 0", '0'],
    ["'l:k'", 'v'],
    ["'l:x', 1", '1'],
    ["'7'", 'seven'],
    ["'a1/b1/c1', none, '/'", 'foo'],
    ["['a1', 'b1']", "{'c1': 'foo'}"],
    ["'a1:b1:c1', delimiter=':'", 'foo'],
  ])('(%s) is %s', (args, expected) => {
    expect(printed(`${DATA}|traverse(${args})`)).toBe(expected);
  });
});

describe('comparing and changing', () => {
  it.each([
    ["{'a': 'b'}|compare_dicts({'a': 'c'})", "{'a': {'old': 'b', 'new': 'c'}}"],
    [
      "{'a': 1, 'b': 2}|compare_dicts({'a': 1, 'c': 3})",
      "{'c': {'old': '', 'new': 3}, 'b': {'new': '', 'old': 2}}",
    ],
    ["{'a': 1}|compare_dicts({'a': 1})", '{}'],
    ["{}|set_dict_key_value('bar:baz', 42)", "{'bar': {'baz': 42}}"],
    ["{}|set_dict_key_value('bar.baz.qux', 42, delimiter='.')", "{'bar': {'baz': {'qux': 42}}}"],
    ["{'bar': {'baz': [1, 2]}}|append_dict_key_value('bar:baz', 42)", "{'bar': {'baz': [1, 2, 42]}}"],
    ["{}|append_dict_key_value('bar:baz:qux', 42)", "{'bar': {'baz': {'qux': [42]}}}"],
    [
      "{'bar': {'baz': [1, 2]}}|extend_dict_key_value('bar:baz', [42, 42])",
      "{'bar': {'baz': [1, 2, 42, 42]}}",
    ],
    ["{}|extend_dict_key_value('a', 'qu')", "{'a': ['q', 'u']}"],
    [
      "{'bar': {'baz': {'qux': 1}}}|update_dict_key_value('bar:baz', {'quux': 3})",
      "{'bar': {'baz': {'qux': 1, 'quux': 3}}}",
    ],
    ["{'a': none}|update_dict_key_value('a', {'b': 1})", "{'a': {'b': 1}}"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it('the dict itself is changed, as Salt changes it', () => {
    expect(renderedTemplate("{% set d = {} %}{% do d|set_dict_key_value('a:b', 1) %}{{ d }}")).toBe(
      "{'a': {'b': 1}}",
    );
  });

  it.each([
    [
      "{}|update_dict_key_value('a', 42)",
      "SaltInvocationError: Cannot update <class 'dict'> with a <class 'int'>.",
    ],
    [
      "{}|extend_dict_key_value('a', 42)",
      "SaltInvocationError: Cannot extend <class 'list'> with a <class 'int'>.",
    ],
    [
      "{'a': 'b'}|append_dict_key_value('a', 1)",
      "SaltInvocationError: The last key contains a <class 'str'>, which cannot append.",
    ],
    [
      "[]|set_dict_key_value('a', 1)",
      "SaltInvocationError: set_dict_key_value() changes a dict, not a <class 'list'>.",
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});
