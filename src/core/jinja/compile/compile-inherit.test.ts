/** What Python's Jinja2 3.1.6 gives for the same templates. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

const FILES = {
  base: '<{% block a %}A{% endblock %}|{% block b %}B{{ v }}{% endblock %}>',
  mid: "{% extends 'base' %}{% block a %}M{{ super() }}{% endblock %}",
  req: '{% block r required %}{% endblock %}',
  sc: '{% for i in [1,2] %}{% block x scoped %}{{ i }}{% endblock %}{% endfor %}',
};

const FILES_2 = {
  base: '<{% block a %}A{% endblock %}|{% block b %}B{{ v }}{% endblock %}>',
  mid: "{% extends 'base' %}{% block a %}M{{ super() }}{% endblock %}",
  req: '{% block r required %}{% endblock %}',
  sc: '{% for i in [1,2] %}{% block x scoped %}{{ i }}{% endblock %}{% endfor %}',
  i: 'I{{ x }}',
  j: 'J{{ x is defined }}',
  mod: '{% set a = 1 %}{% set _b = 2 %}{% macro m(q) %}M{{ q }}{{ x is defined }}{% endmacro %}body{{ a }}',
  bad: 'line1\n{{ nope.foo }}',
  syn: 'a\n{% if %}',
  imp: "{% import 'mod' as inner %}{% from 'mod' import m %}{% set own=1 %}",
};

describe('extends and block', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    ["{% extends 'base' %}", '<A|B1>', { context: { v: 1 }, files: FILES }],
    [
      "{% extends 'base' %}{% block a %}x{{ super() }}{% endblock %}junk{{ 1 }}",
      '<xA|B1>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'mid' %}{% block a %}x{{ super() }}{% endblock %}",
      '<xMA|B1>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'mid' %}{% block a %}x{{ super.super() }}{% endblock %}",
      '<xA|B1>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'base' %}{% block a %}{{ super.super() }}{% endblock %}",
      "UndefinedError: there is no parent block called 'a'. (main:1)",
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'mid' %}{% block b %}{{ self.a() }}{% endblock %}",
      '<MA|MA>',
      { context: { v: 1 }, files: FILES },
    ],
    ['{% block a %}x{% endblock %}{{ self.a() }}{{ self.a()|upper }}', 'xxX'],
    [
      '{% block a %}{{ super() }}{% endblock %}',
      "UndefinedError: there is no parent block called 'a'. (main:1)",
    ],
    [
      '{{ self.zz }}',
      "UndefinedError: 'jinja2.runtime.TemplateReference object' has no attribute 'zz' (main:1)",
    ],
    [
      '{{ self.zz() }}',
      "UndefinedError: 'jinja2.runtime.TemplateReference object' has no attribute 'zz' (main:1)",
    ],
    ['{{ self }}', "<TemplateReference 'main'>"],
    ["{% extends 'base' %}{% set v = 5 %}", '<A|B5>', { context: { v: 1 }, files: FILES }],
    [
      "{% extends 'base' %}{% block b %}{{ q }}{% endblock %}{% set q = 5 %}",
      '<A|5>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% if c %}{% extends 'base' %}{% endif %}top{% block a %}X{% endblock %}",
      '<X|B1>',
      { context: { c: true, v: 1 }, files: FILES },
    ],
    [
      "{% if c %}{% extends 'base' %}{% endif %}top{% block a %}X{% endblock %}",
      'topX',
      { context: { c: false, v: 1 }, files: FILES },
    ],
    ['{% extends v2 %}', '<A|B3>', { context: { v2: 'base', v: 3 }, files: FILES }],
    ['{% extends v2 %}', "UndefinedError: 'v2' is undefined (main:1)", { context: { v: 3 }, files: FILES }],
    ["{% extends 'nope' %}", 'TemplateNotFound: nope (main:1)', { context: { v: 3 }, files: FILES }],
    [
      "{% extends 'base' %}{% extends 'base' %}",
      'TemplateRuntimeError: extended multiple times (main:1)',
      { context: { v: 3 }, files: FILES },
    ],
    [
      "{% if true %}{% extends 'base' %}{% endif %}{% extends 'base' %}",
      'TemplateRuntimeError: extended multiple times (main:1)',
      { context: { v: 3 }, files: FILES },
    ],
    [
      "{% for x in [1] %}{% extends 'base' %}{% endfor %}",
      'TemplateAssertionError: cannot use extend from a non top-level scope (main:1)',
      { context: { v: 3 }, files: FILES },
    ],
    ["{% extends 'req' %}", "TemplateRuntimeError: Required block 'r' not found (req:1)", { files: FILES }],
    ["{% extends 'req' %}{% block r %}ok{% endblock %}", 'ok', { files: FILES }],
    [
      '{% block r required %}{% endblock %}',
      "TemplateRuntimeError: Required block 'r' not found (main:1)",
      { files: FILES },
    ],
    [
      '{% block r required %}x{% endblock %}',
      'TemplateSyntaxError: Required blocks can only contain comments or whitespace (main:1)',
      { files: FILES },
    ],
    ["{% extends 'sc' %}{% block x %}[{{ i }}]{% endblock %}", '[1][2]', { files: FILES }],
    [
      '{% block a %}{% endblock %}{% block a %}{% endblock %}',
      "TemplateAssertionError: block 'a' defined twice (main:1)",
    ],
    [
      '{% block a %}x{% endblock b %}',
      "TemplateSyntaxError: expected token 'end of statement block', got 'b' (main:1)",
    ],
    ['{% block a %}{% block b %}in{% endblock %}{% endblock a %}', 'in'],
    [
      "{% extends 'base' %}{% block a %}{% set z = 1 %}{{ z }}{% endblock %}{% block b %}{{ z is defined }}{% endblock %}",
      '<1|False>',
      { files: FILES },
    ],
    [
      "{% extends 'base' %}{% macro m() %}mm{% endmacro %}{% block a %}{{ m() }}{% endblock %}",
      '<mm|B1>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'base' %}{% import 'mod' as q %}{% block a %}{{ q.a }}{% endblock %}",
      '<1|B1>',
      { context: { v: 1 }, files: FILES_2 },
    ],
    [
      "{% extends 'base' %}{% block a %}{{ nope }}{% endblock %}",
      "UndefinedError: 'nope' is undefined (main:1)",
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'base' %}{% block b %}{% for i in [1,2] %}{{ loop.index }}{% endfor %}{% endblock %}",
      '<A|12>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'base' %}{% for x in [1] %}out{% endfor %}{% with %}a{% endwith %}{% if true %}b{% endif %}",
      '<A|B1>',
      { context: { v: 1 }, files: FILES },
    ],
    [
      "{% extends 'base' %}{% include 'i' %}{% filter upper %}x{% endfilter %}",
      'I1<A|B1>',
      { context: { v: 1, x: 1 }, files: FILES_2 },
    ],
    [
      "{% extends 'base' %}{% block a %}{{ self.b() }}{% endblock %}",
      '<B1|B1>',
      { context: { v: 1 }, files: FILES },
    ],
    ['{% block a %}{{ self }}{{ self.a.name }}{% endblock %}', "<TemplateReference 'main'>a"],
    [
      '{% block a %}{{ super }}{% endblock %}',
      "UndefinedError: there is no parent block called 'a'. (main:1)",
    ],
    ['{% block a %}{{ super is defined }}{% endblock %}', 'False'],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });
});
