/** What Python's Jinja2 3.1.6 gives for the same templates. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

describe('output under autoescape', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    ["{{ '<b>' }}{{ '<b>'|safe }}{{ '<b>'|e }}", '&lt;b&gt;<b>&lt;b&gt;', { autoescape: true }],
    ["{{ '<b>' }}{{ '<b>'|e }}{{ '<b>'|e|e }}", '<b>&lt;b&gt;&lt;b&gt;'],
    ["{% autoescape true %}{{ '<' }}{% endautoescape %}{{ '<' }}", '&lt;<'],
    ["{% autoescape false %}{{ '<' }}{% endautoescape %}{{ '<' }}", '<&lt;', { autoescape: true }],
    [
      "{% autoescape v %}{{ '<' }}{{ '<' ~ '>' }}{% endautoescape %}{{ '<' }}",
      '<<><',
      { context: { v: true } },
    ],
    [
      "{% autoescape true %}{{ '<' ~ ('>'|safe) }}{{ '<' ~ '>' }}{{ '%s'|safe % '<' }}{% endautoescape %}",
      '&lt;&gt;&lt;&gt;&lt;',
    ],
    [
      "{% autoescape true %}{% macro m(x) %}<{{ x }}{% endmacro %}{{ m('<') }}{% endautoescape %}{{ m is defined }}",
      '<&lt;False',
    ],
    [
      "{% macro m(x) %}<{{ x }}>{% endmacro %}{% autoescape true %}{{ m('&') }}{% set z = m('&') %}{{ z }}{% endautoescape %}",
      '<&><&>',
    ],
    [
      "{% autoescape true %}{% set x %}<{{ '<' }}{% endset %}{{ x }}{% endautoescape %}{{ x is defined }}",
      '<&lt;False',
    ],
    ["{% set x %}<{{ '<' }}{% endset %}{{ x }}{{ x ~ '<' }}", '<&lt;<&lt;&lt;', { autoescape: true }],
    ["{% filter upper %}<a{{ '<' }}{% endfilter %}", '<A&LT;', { autoescape: true }],
    [
      "{% macro m() %}<{{ caller('<') }}>{% endmacro %}{% call(x) m() %}{{ x }}{% endcall %}",
      '<&lt;>',
      { autoescape: true },
    ],
    ["{{ ['<']|join('>') }}{{ ['<'|safe, '<']|join('>') }}", '&lt;<&gt;&lt;', { autoescape: true }],
    ["{% block a %}{{ '<' }}{% endblock %}{{ self.a() }}", '&lt;&lt;', { autoescape: true }],
    ["{% autoescape true %}{% block a %}{{ '<' }}{% endblock %}{% endautoescape %}", '<'],
    [
      "{% import 'm' as m %}{{ m }}{{ m.f() }}",
      '<<&>',
      { autoescape: true, files: { m: '<{% macro f() %}<&>{% endmacro %}' } },
    ],
    [
      '{{ x }}{{ y }}{{ [x] }}',
      '&lt;a&gt;None[&#39;&lt;a&gt;&#39;]',
      { context: { x: '<a>', y: null }, autoescape: true },
    ],
    [
      "{{ x|upper }}{{ x|replace('a','<') }}{{ x|safe|replace('a','<') }}",
      '&lt;A&gt;&lt;&lt;&gt;<&lt;>',
      { context: { x: '<a>' }, autoescape: true },
    ],
    [
      "{% for x in [['<',['>']]] recursive %}{% if x is string %}{{ x }}{% else %}{{ loop(x) }}{% endif %}{% endfor %}",
      '&lt;&gt;',
      { autoescape: true },
    ],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });
});
