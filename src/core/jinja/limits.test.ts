import { describe, expect, it } from 'vitest';
import { rendered } from '../../../test/harness/states/rendered-template.ts';
import { Environment } from './environment.ts';
import { StepCounter } from './limits.ts';
import { PythonError } from './values/value.ts';

describe('limits of a render', () => {
  it.each([
    ['loops in loops', '{% for i in range(999) %}{% for j in range(999) %}{% endfor %}{% endfor %}'],
    ['a loop whose filter lets nothing through', '{% for i in range(99999) if false %}{% endfor %}'],
    ['filters over long lists', '{% for i in range(200) %}{{ range(999)|list|length }}{% endfor %}'],
    ['a list that grows under its loop', '{% set l = [1] %}{% for i in l %}{% do l.append(1) %}{% endfor %}'],
    ['macros', '{% macro m() %}{% endmacro %}{% for i in range(99999) %}{{ m() }}{% endfor %}'],
  ])('steps: %s', (_what, template) => {
    const limits = { steps: 50_000 };
    expect(rendered(template, { limits })).toBe('LimitError: the render took more than 50000 steps (main:1)');
  });

  it.each([
    ['output', "{% for i in range(99) %}{{ 'x' * 99 }}{% endfor %}"],
    ['text', `${'x'.repeat(1001)}`],
    ['captured text', "{% for i in range(99) %}{% set a %}{{ 'x' * 99 }}{% endset %}{% endfor %}"],
    [
      'macros whose text is thrown away',
      "{% macro m() %}{{ 'x' * 99 }}{% endmacro %}{% for i in range(99) %}{% do m() %}{% endfor %}",
    ],
    ['included text', "{% for i in range(99) %}{% include 'part' %}{% endfor %}"],
  ])('output: %s', (_what, template) => {
    const given = { limits: { output: 1000 }, files: { part: 'y'.repeat(99) } };
    expect(rendered(template, given)).toMatch(/^LimitError: the render wrote more than 1000 characters/);
  });

  it.each([
    ['macros', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['macros in expressions', "{% macro m() %}{{ 'a' ~ m()|upper }}{% endmacro %}{{ m() }}"],
    [
      'callers',
      '{% macro m() %}{% call m() %}{% endcall %}{{ caller() }}{% endmacro %}{% call m() %}{% endcall %}',
    ],
    ['loops', '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}'],
    ['includes', "{% include 'main' %}"],
    ['imports', "{% import 'main' as m %}"],
    ['extended templates', "{% extends 'main' %}"],
    ['blocks', '{% block a %}{{ self.a() }}{% endblock %}'],
  ])('recursion: %s', (_what, template) => {
    const given = { limits: { recursion: 20 } };
    expect(rendered(template, given)).toBe(
      'LimitError: templates and macros are nested more than 20 deep (main:1)',
    );
  });

  it('a recursion that the limit allows but the stack does not hold is an error of the template, too', () => {
    const nested = `${'{% if true %}{% for x in [1] %}{% with a = 1 %}'.repeat(30)}{{ ((m() ~ '')|upper)|trim }}${'{% endwith %}{% endfor %}{% endif %}'.repeat(30)}`;
    const template = `{% macro m() %}${nested}{% endmacro %}{{ m() }}`;
    expect(rendered(template, { limits: { recursion: 1_000_000 } })).toBe(
      'LimitError: the template nests too deep (main:1)',
    );
  });

  it.each(['{{ range(1001) }}', '{{ [0] * 1001 }}', '{{ range(99999)|list }}'])('sizes: %s', (template) => {
    expect(rendered(template, { limits: { range: 1000 } })).toMatch(/^(OverflowError|LimitError): /);
  });

  it('sizes: a text is bounded by the output', () => {
    expect(rendered("{{ ('x' * 1001)|length }}", { limits: { output: 1000 } })).toMatch(/^OverflowError: /);
    expect(rendered("{{ ('x' * 600 ~ 'x' * 600)|length }}", { limits: { output: 1000 } })).toMatch(
      /^OverflowError: /,
    );
  });
});

describe('abort', () => {
  const template = new Environment().compile('{% for i in range(100000) %}{{ i }}{% endfor %}', 'main');

  it('ends a render that was aborted before it began', () => {
    expect(() => template.render({}, { signal: { aborted: true } })).toThrow('the render was aborted');
  });

  it('ends a render in the middle', () => {
    let looks = 0;
    const signal = {
      get aborted() {
        return ++looks > 10;
      },
    };
    expect(() => template.render({}, { signal })).toThrow(
      expect.objectContaining({ type: 'RenderAborted', line: 1 }),
    );
    expect(looks).toBe(11);
  });

  it('takes an AbortSignal', () => {
    expect(() => template.render({}, { signal: AbortSignal.abort() })).toThrow('aborted');
  });
});

describe('StepCounter', () => {
  it('lets exactly the allowed number of steps pass', () => {
    const counter = new StepCounter(1000, undefined);
    for (let i = 0; i < 1000; i++) counter.charge(1);
    expect(() => counter.charge(1)).toThrow(PythonError);
  });

  it('counts many steps at once', () => {
    expect(() => new StepCounter(1000, undefined).charge(1001)).toThrow('more than 1000 steps');
  });
});
