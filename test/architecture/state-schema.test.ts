/** The JSON Schema for editors takes what the compiler takes: every example of every state function, and no nonsense. */
import { describe, expect, it } from 'vitest';
import { printSchema, stateFileSchema } from '../../scripts/docs/state-file-schema.ts';
import { loadYaml } from '../../src/core/yaml/load-yaml.ts';
import { type YamlData, YamlFloat, yamlData } from '../../src/core/yaml/yaml-data.ts';
import { STATE_MODULES } from '../../src/modules/state-registry.ts';
import { type JsonData, schemaProblems } from '../harness/json-schema.ts';

const schema = stateFileSchema(STATE_MODULES.all);

function jsonOf(data: YamlData): JsonData {
  if (data instanceof YamlFloat) return data.value;
  if (data instanceof Map)
    return Object.fromEntries([...data].map(([key, value]) => [String(key), jsonOf(value)]));
  if (Array.isArray(data)) return data.map(jsonOf);
  return typeof data === 'bigint' ? Number(data) : (data as JsonData);
}

const problemsOf = (text: string) =>
  schemaProblems(jsonOf(yamlData(loadYaml(text, { name: 'example' }).root)), schema);

describe('schema.json', () => {
  it('is printed as the JSON that it is', () => {
    expect(JSON.parse(printSchema(schema))).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it.each(
    STATE_MODULES.all.flatMap(({ name, examples }) => examples.map((text, index) => ({ name, index, text }))),
  )('takes example $index of $name', ({ text }) => {
    // A template is rendered before it is a state file.
    if (!/\{[{%]/.test(text)) expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['an id without a body', 'x:\n  test.nop: []\n'],
    ['a function alone', 'x: test.nop\n'],
    ['a list of functions', 'x: [test.nop]\n'],
    ['the short form', 'x:\n  test:\n    - nop\n'],
    [
      'requisites of every form',
      'x:\n  test.nop:\n    - require: [y, {file: /etc/motd}]\n    - watch_in: z\n',
    ],
    [
      'attributes',
      'x:\n  test.nop:\n    - onlyif: [true]\n    - order: last\n    - retry: {attempts: 3, interval: 5}\n',
    ],
    ['include and extend', 'include: [a, .b]\nextend:\n  x:\n    test.nop:\n      - require: [y]\n'],
    ['an empty file', ''],
  ])('takes %s', (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['a function that is not there', 'x:\n  test.npo: []\n', '$.x.test.npo is unknown'],
    ['a parameter that is not there', 'x:\n  cmd.run:\n    - nmae: ls\n', '$.x.cmd.run[0].nmae is unknown'],
    ['a mapping for arguments', 'x:\n  cmd.run:\n    name: ls\n', '$.x.cmd.run is no array'],
    ['a wrong type', 'x:\n  test.nop:\n    - failhard: perhaps\n', '$.x.test.nop[0].failhard'],
    ['include as a mapping', 'include: {a: b}\n', '$.include is no'],
  ])('refuses %s', (_, text, problem) => {
    expect(problemsOf(text).join('\n')).toContain(problem);
  });
});
