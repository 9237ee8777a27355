/** What Salt gives for the same templates: what a render is given is seen everywhere, what a template sets is not. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

const FILES = {
  i: 'I{{ x }}',
  j: 'J{{ x is defined }}',
  mod: '{% set a = 1 %}{% set _b = 2 %}{% macro m(q) %}M{{ q }}{{ x is defined }}{% endmacro %}body{{ a }}',
  bad: 'line1\n{{ nope.foo }}',
  syn: 'a\n{% if %}',
  imp: "{% import 'mod' as inner %}{% from 'mod' import m %}{% set own=1 %}",
};

describe('include and import', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    ["{% include 'i' %}", 'I1', { context: { x: 1 }, files: FILES }],
    [
      "{% set x = 1 %}{% include 'i' without context %}",
      "UndefinedError: 'x' is undefined (i:1)",
      { files: FILES },
    ],
    ["{% set x = 1 %}{% include 'j' without context %}", 'JFalse', { files: FILES }],
    ["{% set x = 2 %}{% include 'i' without context %}", 'I1', { context: { x: 1 }, files: FILES }],
    ["{% set x = 3 %}{% include 'i' %}", 'I3', { context: { x: 1 }, files: FILES }],
    [
      "{% with x = 3 %}{% include 'i' %}{% endwith %}{% include 'i' %}",
      'I3I1',
      { context: { x: 1 }, files: FILES },
    ],
    ["{% include 'nope' %}", 'TemplateNotFound: nope (main:1)', { files: FILES }],
    ["{% include 'nope' ignore missing %}ok", 'ok', { files: FILES }],
    ["{% include ['nope','i'] %}", 'I1', { context: { x: 1 }, files: FILES }],
    [
      "{% include ['nope','nope2'] %}",
      'TemplatesNotFound: none of the templates given were found: nope, nope2 (main:1)',
      { context: { x: 1 }, files: FILES },
    ],
    ["{% include ['nope','nope2'] ignore missing %}ok", 'ok', { context: { x: 1 }, files: FILES }],
    [
      '{% include [] %}',
      'TemplatesNotFound: Tried to select from an empty list of templates. (main:1)',
      { context: { x: 1 }, files: FILES },
    ],
    ['{% include v %}', 'I1', { context: { x: 1, v: 'i' }, files: FILES }],
    ['{% include v %}', 'I1', { context: { x: 1, v: ['zz', 'i'] }, files: FILES }],
    ['{% include v %}', "UndefinedError: 'v' is undefined (main:1)", { context: { x: 1 }, files: FILES }],
    [
      '{% include v %}',
      "UndefinedError: 'v' is undefined (main:1)",
      { context: { x: 1 }, undefinedType: 'default', files: FILES },
    ],
    [
      "{% include ['a', v] %}",
      "TemplatesNotFound: none of the templates given were found: a, 'v' is undefined (main:1)",
      { context: { x: 1 }, files: FILES },
    ],
    [
      '{% include 5 %}',
      "TypeError: 'int' object is not iterable (main:1)",
      { context: { x: 1 }, files: FILES },
    ],
    [
      "\n{% include 'bad' %}",
      "UndefinedError: 'nope' is undefined (bad:2)",
      { context: { x: 1 }, files: FILES },
    ],
    [
      "\n{% include 'syn' %}",
      "TemplateSyntaxError: Expected an expression, got 'end of statement block' (syn:2)",
      { context: { x: 1 }, files: FILES },
    ],
    [
      "{% import 'mod' as m %}{{ m.a }}{{ m.m(2) }}{{ m }}",
      '1M2Truebody1',
      { context: { x: 1 }, files: FILES },
    ],
    [
      "{% import 'mod' as m with context %}{{ m.a }}{{ m.m(2) }}",
      '1M2True',
      { context: { x: 1 }, files: FILES },
    ],
    [
      "{% import 'mod' as m %}{{ m._b }}",
      "UndefinedError: 'jinja2.environment.TemplateModule object' has no attribute '_b' (main:1)",
      { context: { x: 1 }, files: FILES },
    ],
    [
      "{% import 'mod' as m %}{{ m.foo }}",
      "UndefinedError: 'jinja2.environment.TemplateModule object' has no attribute 'foo' (main:1)",
      { context: { x: 1 }, files: FILES },
    ],
    ["{% from 'mod' import a, m as mm %}{{ a }}{{ mm(1) }}", '1M1True', { context: { x: 1 }, files: FILES }],
    ["{% from 'mod' import m with context %}{{ m(1) }}", 'M1True', { context: { x: 1 }, files: FILES }],
    [
      "\n{% from 'mod' import zzz %}{{ zzz }}",
      "UndefinedError: the template 'mod' (imported on line 2 in 'main') does not export the requested name 'zzz' (main:2)",
      { context: { x: 1 }, files: FILES },
    ],
    ["{% from 'mod' import zzz %}{{ zzz is defined }}", 'False', { context: { x: 1 }, files: FILES }],
    [
      "{% from 'mod' import _b %}{{ _b }}",
      'TemplateAssertionError: names starting with an underline can not be imported (main:1)',
      { context: { x: 1 }, files: FILES },
    ],
    [
      "{% import 'imp' as q %}{{ q.own }}{{ q.inner is defined }}{{ q.m is defined }}",
      '1FalseFalse',
      { context: { x: 1 }, files: FILES },
    ],
    ["{% import 'nope' as q %}", 'TemplateNotFound: nope (main:1)', { context: { x: 1 }, files: FILES }],
    ['{% import v as q %}', "UndefinedError: 'v' is undefined (main:1)", { context: { x: 1 }, files: FILES }],
    [
      "{% for i in [1] %}{% import 'mod' as m %}{{ m.a }}{% endfor %}{{ m is defined }}",
      '1False',
      { context: { x: 1 }, files: FILES },
    ],
    [
      "{% set z=5 %}{% import 'z' as m with context %}{{ m.f() }}{% set z=6 %}{{ m.f() }}",
      '55',
      { files: { z: '{% macro f() %}{{ z }}{% endmacro %}' } },
    ],
    [
      "{% import 'c' as c1 %}{% import 'c' as c2 %}{% do c1.l.append(1) %}{{ c2.l }}",
      '[1]',
      { files: { c: '{% set l = [] %}' } },
    ],
    ["{% macro m() %}{% include 'i' %}{% endmacro %}{{ m() }}", 'I1', { context: { x: 1 }, files: FILES }],
    ["{% macro m(x) %}{% include 'i' %}{% endmacro %}{{ m(9) }}", 'I9', { context: { x: 1 }, files: FILES }],
    ["{% block b %}{% include 'i' %}{% endblock %}", 'I1', { context: { x: 1 }, files: FILES }],
    ["{% filter upper %}{% include 'i' %}{% endfilter %}", 'IA', { context: { x: 'a' }, files: FILES }],
    ["{% set y %}{% include 'i' %}{% endset %}[{{ y }}]", '[Ia]', { context: { x: 'a' }, files: FILES }],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });
});
