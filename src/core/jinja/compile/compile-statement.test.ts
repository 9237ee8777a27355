/** What Python's Jinja2 3.1.6 gives for the same templates; Salt's statements as Salt documents them. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

const FILES = { i: 'I{{ x }}', j: 'J{{ x is defined }}', data: '{"a": {{ 1 + 1 }}, "b": [1.0, null]}' };

describe('statements', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    ["{% if 0 %}a{% elif '' %}b{% elif [] %}c{% elif {} %}d{% elif none %}e{% else %}f{% endif %}", 'f'],
    ['{% if x is defined and x %}a{% else %}b{% endif %}', 'b'],
    ['{% if nope %}a{% endif %}', "UndefinedError: 'nope' is undefined (main:1)"],
    ['{% if not nope %}a{% endif %}', 'a', { undefinedType: 'default' }],
    ["{{ 'a' if false }}|{{ 'b' if true }}", '|b'],
    [
      "{{ ('a' if false).foo }}",
      "UndefinedError: the inline if-expression on line 1 in 'main' evaluated to false and no else section was defined. (main:1)",
    ],
    [
      "{{ ('a' if false) + 1 }}",
      "UndefinedError: the inline if-expression on line 1 in 'main' evaluated to false and no else section was defined. (main:1)",
    ],
    ['{{ 1 if 2 else 3 if 4 else 5 }}', '1'],
    ["{{ [] or 'x' }}{{ 0 and foo }}{{ 'a' and 'b' }}{{ none or 0 }}", 'x0b0'],
    ["{{ not 1 }}{{ not not '' }}", 'FalseFalse'],
    ['{% do [].append(1) %}x{% do 5 %}', 'x'],
    ['{% set l = [] %}{% do l.append(1) %}{% do l.extend([2,3]) %}{{ l }}', '[1, 2, 3]'],
    ['{% do nope.foo() %}', "UndefinedError: 'nope' is undefined (main:1)"],
    ['{% load_text as x %}a{{ 1 }}b{% endload %}{{ x }}', 'a1b'],
    ["{% import_text 'i' as x with context %}{{ x }}", 'I3', { context: { x: 3 }, files: FILES }],
    ["{% import_text 'j' as x %}{{ x }}", 'JTrue', { context: { x: 3 }, files: FILES }],
    ["{% profile as 'x' %}{% set a = 1 %}{{ a }}{% endprofile %}{{ a is defined }}", '1False'],
    ['{% load_json as x %}{"a": [1, 2.0, null, true]}{% endload %}{{ x }}', "{'a': [1, 2.0, None, True]}"],
    ["{% import_json 'data' as x %}{{ x.a }}{{ x.b }}", '2[1.0, None]', { files: FILES }],
    ['{% for a in [1, 2] %}{% for b in [] %}{% else %}{% break %}{% endfor %}{{ a }}{% endfor %}.', '.'],
    [
      '{% for a in [1, 2] %}{% for b in [] %}{% else %}{% if a == 1 %}{% continue %}{% endif %}{% endfor %}{{ a }}{% endfor %}.',
      '2.',
    ],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });

  it('run in their order however many there are', () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    for (const count of [1, 2, 3, 4, 5, 8, 15, 16, 17, 100]) {
      const taken = numbers.slice(0, count);
      const template = taken.map((n) => `{{ ${n} }}{% set x = ${n} %},`).join('');
      expect(rendered(template)).toBe(taken.map((n) => `${n},`).join(''));
    }
  });
});
