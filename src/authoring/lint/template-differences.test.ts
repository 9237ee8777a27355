import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILTERS } from '../../core/jinja/library/registry.ts';
import { ABSENT_FILTERS, templateDifferences } from './template-differences.ts';

function told(text: string): readonly string[] {
  return templateDifferences('a.sls', text).map(
    ({ at, message }) => `${at.file}:${at.line}:${at.column} ${message}`,
  );
}

const never = (text: string) => `{% if false %}\n${text}\n{% endif %}\n`;

describe('what a template means here and not in Salt, in a branch that does not run', () => {
  it.each<[string, string, string]>([
    ['look-around', "{{ 'a'|regex_search('(?<=x)a') }}", 'a.sls:2:8 the regular expression (?<=x)a does not'],
    ['a back-reference', "{{ x|regex_replace('(a)\\\\1', 'b') }}", 'RE2 has no back-references'],
    ['a group that may be empty', "{{ x|regex_match('(a*)*') }}", 'it repeats a group that may be empty'],
    ['a named pattern', "{{ x|regex_match(rgx='a(?!b)') }}", 'RE2 has no look-around'],
    ['a test', "{{ x is match('(?=b)') }}", 'RE2 has no look-around'],
    ['a filter that Salt has', "{{ 'ls'|which }}", "a.sls:2:9 Salt's filter which does not exist here"],
    [
      'a filter block',
      '{% filter random_hash %}x{% endfilter %}',
      "Salt's filter random_hash does not exist",
    ],
    ['a power of a negative number', '{{ -2 ** n }}', 'the minus belongs to the number here'],
    [
      'an include past a macro',
      "{% macro m() %}{% include 'x' without context %}{% endmacro %}",
      'the included text stands here where it is written',
    ],
    ['base 60', '{% load_yaml as t %}\nat: 12:30\nto: {{ x }}\n{% endload %}', '12:30 in t is text here'],
  ])('%s', (_, text, message) => {
    expect(told(never(text))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['a pattern that works', "{{ 'a'|regex_search('^a+$') }} {{ x is match('a') }}"],
    ['a pattern that is bad in Python too', "{{ 'a'|regex_search('(') }}"],
    ['a pattern that is computed', "{{ 'a'|regex_search('(?=' ~ x) }}"],
    ['constants to a power', '{{ -2 ** 2 }} {{ n ** 2 }}'],
    ['an include with context', "{% macro m() %}{% include 'x' %}{% endmacro %}"],
    ['an include outside', "{% include 'x' without context %}"],
    ['times in quotes and in text', "{% load_yaml as t %}\na: '12:30'\nb: |\n  c: 12:30\n{% endload %}"],
    ['a template that cannot be read', '{% if %}'],
    ['an unknown filter', '{{ x|nope }} {{ x|toString }}'],
  ])('not %s', (_, text) => {
    expect(told(text)).toEqual([]);
  });

  it('knows all filters of Salt that are not there', () => {
    const names = JSON.parse(readFileSync('test/fixtures/jinja/names.json', 'utf8'));
    const absent = names.filters.filter((name: string) => !FILTERS.has(name));
    expect(Object.keys(ABSENT_FILTERS).sort()).toEqual(absent.sort());
  });
});
