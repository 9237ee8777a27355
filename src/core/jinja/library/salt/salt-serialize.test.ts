/** Salt's serializers; the scalars are recorded from PyYAML 6, the documents are what the host writes. */
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';
import { repr } from '../../values/print.ts';

const options = {
  host: {
    dumpYaml: (value: Parameters<typeof repr>[0], { flow }: { readonly flow: boolean }) =>
      `${flow ? 'flow' : 'block'} ${repr(value)}\n...\n`,
    loadYaml: (text: string) => [text],
  },
};

describe('yaml', () => {
  it.each([
    ["{'a': 1}|yaml", "flow {'a': 1}"],
    ["{'a': 1}|yaml(False)", "block {'a': 1}"],
    ["{'a': 1}|yaml is escaped", 'True'],
    ["{'a': 1, 'b': [2]}|dict_to_sls_yaml_params", "block [{'a': 1}, {'b': [2]}]"],
    ["'a: b'|load_yaml", "['a: b']"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression, options)).toBe(expected);
  });

  it.each([
    ["'a'|yaml", "RuntimeError: the filter 'yaml' needs the host's 'dumpYaml', which it does not provide"],
    [
      "'a'|load_yaml",
      "RuntimeError: the filter 'load_yaml' needs the host's 'loadYaml', which it does not provide",
    ],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });

  it('parameters come from a dict', () => {
    expect(failure('[1]|dict_to_sls_yaml_params', options)).toBe(
      "AttributeError: 'list' object has no attribute 'items'",
    );
    expect(failure('5|load_yaml', options)).toBe('TypeError: a string or stream input is required');
  });
});

describe('scalars', () => {
  it.each([
    ['7|yaml_encode', '7'],
    ['none|yaml_encode', 'null'],
    ['true|yaml_encode', 'true'],
    ['1e20|yaml_encode', '1.0e+20'],
    ['2.0|yaml_encode', '2.0'],
    [`'The word is "salty"'|yaml_encode`, '"The word is \\"salty\\""'],
    ["'é\\n\\t\\\\'|yaml_dquote", '"\\xE9\\n\\t\\\\"'],
    ["'😀\\x00\\u2028'|yaml_dquote", '"\\U0001F600\\0\\L"'],
    ['5|yaml_dquote', '"5"'],
    [`"it's"|yaml_squote`, "'it''s'"],
    ["'a\\n\\nb'|yaml_squote", "'a\n\n\nb'"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    [
      '[1]|yaml_encode',
      "TypeError: yaml_encode() only works with YAML scalar data; failed for <class 'list'>",
    ],
    ['missing|yaml_encode', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});

describe('json and python', () => {
  it.each([
    ["{'b': [1, 2.0], 'a': 'é<'}|json", '{"a": "é<", "b": [1, 2.0]}'],
    ["{'b': 1, 'a': 2}|json(sort_keys=False)", '{"b": 1, "a": 2}'],
    ["{'a': 1}|json(indent=2)", '{\n  "a": 1\n}'],
    ["{'a': 1}|json is escaped", 'True'],
    ["{'b': True, 'a': None}|python", "{'a': None, 'b': True}"],
    [`'{"a": [1, 1.0, null, true, "\\\\u00e9"]}'|load_json`, "{'a': [1, 1.0, None, True, 'é']}"],
    ["'12345678901234567890'|load_json", '12345678901234567890'],
    ["' [] '|load_json", '[]'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it.each([
    [`"{'a': 1}"|load_json`, "TemplateRuntimeError: Unable to load json from {'a': 1}"],
    ["'[1,]'|load_json", 'TemplateRuntimeError: Unable to load json from [1,]'],
    ['{}|load_json', 'TemplateRuntimeError: Unable to load json from {}'],
    ['missing|json', "UndefinedError: 'missing' is undefined"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression)).toBe(expected);
  });
});
