import { describe, expect, it } from 'vitest';
import { Environment } from '../jinja/environment.ts';
import { templateHost } from './template-host.ts';
import { templateRegex } from './template-regex.ts';

const environment = new Environment({ host: templateHost({}) });
const render = (template: string, variables: Record<string, unknown> = {}) =>
  environment.compile(template, 'main').render(variables).output;

describe('templateHost', () => {
  it('reads YAML as Salt users know it', () => {
    const yaml = '{% load_yaml as d %}\na: 0644\nb: [yes, 1.0, ~, 12:30]\n1: &x {k: v}\ny: *x\n{% endload %}';
    expect(render(`${yaml}{{ d }}{% do d.y.update({'k': 'w'}) %}{{ d[1].k }}`)).toBe(
      "{'a': 420, 'b': [True, 1.0, None, '12:30'], 1: {'k': 'v'}, 'y': {'k': 'v'}}w",
    );
  });

  it('says where the YAML is wrong', () => {
    expect(() => render('one\n{% load_yaml as d %}\na: 1\na: 2\n{% endload %}')).toThrow(
      expect.objectContaining({
        type: 'TemplateRuntimeError',
        line: 2,
        message: 'Encountered error loading yaml: the key a is there twice (line 3, column 1 of the YAML)',
      }),
    );
  });

  it('writes YAML as PyYAML does', () => {
    const data = { b: [1, 1.5, 'yes', null, true], a: { 'x: y': 'ü' } };
    expect(render('{{ data|yaml }}', { data })).toBe("{a: {'x: y': ü}, b: [1, 1.5, 'yes', null, true]}");
    expect(render('{{ data|yaml(False) }}', { data: { l: [1, [2]] } })).toBe('l:\n- 1\n- - 2');
    expect(render('{{ (1, "2")|yaml }}{{ (2 ** 70)|yaml }}')).toBe("[1, '2']1180591620717411303424");
  });

  it('writes NULL for what YAML cannot hold, as Salt does', () => {
    expect(render("{{ {'a': range, 'b': 'x'|safe}|yaml }}")).toBe('{a: NULL, b: NULL}');
  });

  it('keeps apart what is the same twice', () => {
    expect(render('{% set l = [1] %}{{ {"a": l, "b": l}|yaml }}')).toBe('{a: &id001 [1], b: *id001}');
  });
});

describe('templateRegex', () => {
  const flags = { ignoreCase: false, multiline: false, dotAll: false };

  const first = (pattern: string, text: string, changed = {}) =>
    [...templateRegex(pattern, { ...flags, ...changed }).matches(text)][0];

  it('finds matches with their groups', () => {
    const regex = templateRegex('(?P<word>[a-z]+)(\\d)?', flags);
    expect([...regex.matches('12ab3 cd')]).toEqual([
      { start: 2, end: 5, groups: ['ab3', 'ab', '3'] },
      { start: 6, end: 8, groups: ['cd', 'cd', undefined] },
    ]);
    expect([...regex.matches('123')]).toEqual([]);
    expect(regex.groupNumbers.get('word')).toBe(1);
    expect(regex.groupCount).toBe(2);
  });

  it('knows that ^ is the start of the text, not of the search', () => {
    expect([...templateRegex('^a', flags).matches('aa')]).toHaveLength(1);
    expect([...templateRegex('^a', { ...flags, multiline: true }).matches('a\na')]).toHaveLength(2);
  });

  it('counts UTF-16 units', () => {
    expect(first('b', '😀b')).toMatchObject({ start: 2, end: 3 });
  });

  it('takes flags', () => {
    expect(first('A.B', 'a\nb', { ignoreCase: true, dotAll: true })).toBeDefined();
    expect(first('A.B', 'a\nb')).toBeUndefined();
    expect(first('b', 'ab', { atStart: true })).toBeUndefined();
  });

  it.each(['(?=a)', '(a)\\1', '(?<!x)y', '[', '((a{100}){100}){100}'])(
    'refuses %s with an error',
    (pattern) => {
      expect(() => templateRegex(pattern, flags)).toThrow(
        expect.objectContaining({ type: expect.stringMatching(/^(error|NotImplementedError|LimitError)$/) }),
      );
    },
  );

  it('is not slowed down by patterns that would be', () => {
    expect(first('(a+)+$', `${'a'.repeat(20_000)}b`)).toBeUndefined();
  });
});
