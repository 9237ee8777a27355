/** What Python's Jinja2 3.1.6 gives for the same templates. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

describe('names and scopes', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    ['{% set x = 1 %}{% for i in [1,2] %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}', '11121'],
    [
      '{% for i in [1,2] %}{{ x is defined }}{% set x = i %}{{ x }}{% endfor %}{{ x is defined }}',
      'False1False2False',
    ],
    ['{% if true %}{% set x = 1 %}{% endif %}{{ x }}', '1'],
    ['{% if false %}{% set x = 1 %}{% endif %}{{ x }}', '5', { context: { x: 5 } }],
    ['{% if false %}{% set x = 1 %}{% endif %}{{ x is defined }}', 'False'],
    [
      '{% if false %}{% set x = 1 %}{% elif true %}{% set y = 2 %}{% else %}{% set x = 3 %}{% endif %}{{ x is defined }}{{ y }}',
      'True2',
      { context: { x: 9 } },
    ],
    ['{{ x }}{% set x = 2 %}{{ x }}', '12', { context: { x: 1 } }],
    ['{% set x = 2 %}{{ x }}', '2', { context: { x: 1 } }],
    ['{% with x = 1 %}{{ x }}{% set x = 2 %}{{ x }}{% endwith %}{{ x }}', '127', { context: { x: 7 } }],
    ['{% with x = 1, y = x %}{{ x }}{{ y }}{% endwith %}', '17', { context: { x: 7 } }],
    ['{% with %}{% set z = 3 %}{{ z }}{% endwith %}{{ z is defined }}', '3False'],
    ['{% with a, b = (1, 2) %}{{ a }}{{ b }}{% endwith %}', '12'],
    ['{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}{% set x = 2 %}{{ m() }}', '12'],
    ['{% macro m() %}{{ x }}{% endmacro %}{{ m() }}', '4', { context: { x: 4 } }],
    [
      '{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% set x = 1 %}',
      "UndefinedError: 'x' is undefined (main:1)",
    ],
    ['{% macro m() %}{% set x = 5 %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}{{ x }}', '51'],
    ['{% for i in [1,2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}', '12'],
    [
      '{% for x in [1,2,3] %}{% if x == 2 %}{% set y = x %}{% endif %}{{ y is defined }}{% endfor %}',
      'FalseTrueFalse',
    ],
    [
      '{% set y = 0 %}{% for x in [1,2,3] %}{% if x == 2 %}{% set y = x %}{% endif %}{{ y }}{% endfor %}{{ y }}',
      '0200',
    ],
    [
      '{% for x in [1,2] %}{% for y in [3,4] %}{{ x }}{{ y }}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}',
      '13114212312422',
    ],
    [
      '{% set ns = namespace(x=1) %}{% for i in [1,2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}{{ ns }}',
      "4<Namespace {'x': 4}>",
    ],
    ['{% set ns = namespace() %}{% set ns.a, b = 1, 2 %}{{ ns.a }}{{ b }}', '12'],
    [
      '{% set x = {} %}{% set x.a = 1 %}',
      'TemplateRuntimeError: cannot assign attribute on non-namespace object (main:1)',
    ],
    ['{% set x.a = 1 %}', 'TemplateRuntimeError: cannot assign attribute on non-namespace object (main:1)'],
    ['{% set x.a = foo %}', 'TemplateRuntimeError: cannot assign attribute on non-namespace object (main:1)'],
    ['{% set a, b = [1, 2] %}{{ a }}{{ b }}', '12'],
    ['{% set a, b = [1, 2, 3] %}', 'ValueError: too many values to unpack (expected 2) (main:1)'],
    ['{% set a, b = [1] %}', 'ValueError: not enough values to unpack (expected 2, got 1) (main:1)'],
    ['{% set a, b = 5 %}', 'TypeError: cannot unpack non-iterable int object (main:1)'],
    ['{% set a, (b, c) = 1, (2, 3) %}{{ a ~ b ~ c }}', '123'],
    ["{% set a, b = 'xy' %}{{ a }}-{{ b }}", 'x-y'],
    ["{% set a, b = {'k':1,'l':2} %}{{ a }}-{{ b }}", 'k-l'],
    ['{% set (a, b) = undefinedvar %}', "UndefinedError: 'undefinedvar' is undefined (main:1)"],
    ['{% set x = 1, 2 %}{{ x }}', '(1, 2)'],
    ['{% set x = 1, %}{{ x }}', '(1,)'],
    ['{% block b %}{{ x is defined }}{% endblock %}{% set x = 1 %}', 'False'],
    ['{% set x = 1 %}{% block b %}{{ x }}{% endblock %}', '1'],
    ['{% for x in [1] %}{% block b %}{{ x is defined }}{% endblock %}{% endfor %}', 'False'],
    ['{% for x in [1,2] %}{% block b scoped %}{{ x }}{{ loop.index }}{% endblock %}{% endfor %}', '1122'],
    [
      '{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% block b scoped %}{{ x }}{% endblock %}{% endfor %}{{ x }}',
      '21',
    ],
    ['{% block b %}{% set x = 1 %}{{ x }}{% endblock %}{{ x is defined }}', '1False'],
    ["{% filter upper %}{% set q = 'a' %}{{ q }}{% endfilter %}{{ q is defined }}", 'AFalse'],
    ["{% set x %}{% set q = 'a' %}{{ q }}{% endset %}{{ q is defined }}{{ x }}", 'Falsea'],
    ['{% set x | upper %}a{{ 1 }}b{% endset %}{{ x }}', 'A1B'],
    ["{% set x | upper | replace('A', 'z') %}a{{ 1 }}b{% endset %}{{ x }}", 'z1B'],
    ['{% set x | length %}abc{% endset %}{{ x + 1 }}', '4'],
    ["{% filter upper | replace('A', 'z') %}a{{ 1 }}b{% endfilter %}", 'z1B'],
    [
      '{% filter length %}abc{% endfilter %}',
      'TypeError: sequence item 0: expected str instance, int found (main:1)',
    ],
    ['{% filter replace(a, b) %}xay{% endfilter %}', 'x_y', { context: { a: 'a', b: '_' } }],
    ["{% filter replace('x', v) %}{% set v = 'Q' %}xax{% endfilter %}", 'QaQ', { context: { v: 'R' } }],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });
});
