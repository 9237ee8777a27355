import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { CONVERSIONS } from './param-values.ts';
import type { ParamType } from './params.ts';
import { argumentOfYaml, forbiddenKey, valueOfYaml } from './yaml-arguments.ts';

function node(text: string): YamlNode {
  const { root } = loadYaml(text, { name: 'x' });
  if (root === undefined) throw new Error('empty');
  return root;
}

function argument(text: string, type: ParamType): WireValue {
  return argumentOfYaml(node(text), type);
}

describe('argumentOfYaml', () => {
  it('takes a text as it was written', () => {
    expect(
      ['1.10', '0644', 'yes', '1_000', '"a"', '0x10', '2024-01-02'].map((text) => argument(text, 'string')),
    ).toEqual(['1.10', '0644', 'yes', '1_000', 'a', '0x10', '2024-01-02']);
    expect(argument('|\n  two\n  lines\n', 'string')).toBe('two\nlines\n');
  });

  it('leaves nothing nothing', () => {
    expect([argument('~', 'string'), argument('null', 'mode'), argument('"null"', 'string')]).toEqual([
      null,
      null,
      'null',
    ]);
  });

  it('reads a mode as octal however it is written', () => {
    for (const text of ['644', '0644', '"0644"', '0o644'])
      expect(CONVERSIONS.mode.convert(argument(text, 'mode'))).toBe(0o644);
    expect(CONVERSIONS.mode.convert(argument('999', 'mode'))).toBeUndefined();
  });

  it('keeps the texts inside lists and maps', () => {
    expect(argument('[1.10, no, [2.0]]', 'string-list')).toEqual(['1.10', 'no', [2]]);
    expect(argument('1.10', 'string-list')).toBe('1.10');
    expect(argument('{A: 1.10, 2.50: yes}', 'string-map')).toEqual({ A: '1.10', '2.50': 'yes' });
    expect(argument('A=1', 'string-map')).toBe('A=1');
  });

  it('takes any other type as the value it is', () => {
    expect(argument('yes', 'boolean')).toBe(true);
    expect(argument('0x10', 'integer')).toBe(16);
    expect(argument('1.5', 'number')).toBe(1.5);
    expect(argument('10m', 'duration')).toBe('10m');
    expect(argument('{a: [1, null, 123456789012345678901, 1.10]}', 'any')).toEqual({
      a: [1, null, 123456789012345678901n, 1.1],
    });
    expect(argument('!!binary aGk=', 'string')).toEqual(new TextEncoder().encode('hi'));
  });

  it('law: plain text without a meaning for YAML is the same for every type', () => {
    const word = fc
      .stringMatching(/^[g-z][g-z ]{0,10}[g-z]$/)
      .filter((text) => !['off', 'on', 'yes', 'no', 'null'].includes(text));
    const types = Object.keys(CONVERSIONS) as ParamType[];
    fc.assert(
      fc.property(word, fc.constantFrom(...types), (text, type) => {
        expect(argument(text, type)).toBe(text);
      }),
    );
  });

  it('law: what JSON can write comes back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        // YAML cannot hold every character and has no key twice or negative zero, and an integer beyond 2^53 stays what it
        // is; those are the loader's tests.
        fc.pre(!/[^ -~]|\\|-0|__proto__|e[+-]|\d{16}/.test(text) && !/"(?:<<|=)"/.test(text));
        expect(valueOfYaml(node(text))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('forbiddenKey', () => {
  it('finds the key at any depth, and where it is', () => {
    expect(forbiddenKey(node('a:\n  - b: {__proto__: 1}\n'))?.at).toEqual({ line: 2, column: 9 });
    expect(forbiddenKey(node('a: [__proto__, {b: __proto__}]'))).toBeUndefined();
  });
});
