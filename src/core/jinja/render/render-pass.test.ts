/** Errors as an operator reads them: the place, the way there, and what may have been meant. */
import { describe, expect, it } from 'vitest';
import { Environment, type EnvironmentOptions } from '../environment.ts';
import { TemplateError } from '../errors.ts';
import { mapLoader } from './loader.ts';

function errorOf(
  files: Readonly<Record<string, string>>,
  context: Record<string, unknown> = {},
  options: EnvironmentOptions = {},
): TemplateError {
  const loader = mapLoader(new Map(Object.entries(files)));
  try {
    new Environment({ loader, ...options }).getTemplate('main').render(context);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  return expect.fail('the template rendered');
}

describe('an error of a template', () => {
  it('shows the lines around the place, and names near the wrong one', () => {
    expect(errorOf({ main: 'one\ntwo {{ usr.name }}\nthree' }, { user: {} }).print()).toBe(
      [
        "main:2:8: UndefinedError: 'usr' is undefined",
        '  1 | one',
        '  2 | two {{ usr.name }}',
        '    |        ^',
        '  3 | three',
        "  did you mean 'user'?",
      ].join('\n'),
    );
  });

  it.each([
    ['{{ user.nmae }}', 'name'],
    ["{{ user['nmae'] }}", 'name'],
    ["{{ 'a'|uper }}", 'upper'],
    ['{{ 1 is od }}', 'odd'],
    ["{% if true %}{{ 'a'|uper }}{% endif %}", 'upper'],
    ['{{ user.itms() }}', 'items'],
    ["{% include 'libs' %}", 'lib'],
    ["{% from 'lib' import rwo %}{{ rwo() }}", 'row'],
    ["{% import 'lib' as lib %}{{ lib.rwo() }}", 'row'],
    ['{% for x in [1] %}{{ loop.idnex }}{% endfor %}', 'index'],
    ['{% set total = 1 %}{{ totl }}', 'total'],
    ['{% macro m(colour) %}{{ color }}{% endmacro %}{{ m(1) }}', 'colour'],
  ])('%s suggests %s', (main, near) => {
    const files = { main, lib: '{% macro row() %}{% endmacro %}' };
    expect(errorOf(files, { user: { name: 'x' } }).near).toContain(near);
  });

  it('tells the way through includes, imports and macros, innermost first', () => {
    const error = errorOf({
      main: "x\n{% include 'part' %}",
      part: "a\nb {% import 'lib' as lib %}{{ lib.row(1) }}",
      lib: '{% macro row(x) %}\n  {{ x.name }}\n{% endmacro %}',
    });
    expect(error).toMatchObject({ name: 'lib', line: 2, column: 8 });
    expect(error.chain).toEqual([
      { what: "macro 'row' called from", name: 'part', line: 2, column: 35 },
      { what: 'included from', name: 'main', line: 2, column: 4 },
    ]);
  });

  it('tells the way through extended templates and their blocks', () => {
    const error = errorOf({
      main: "{% extends 'base' %}\n{% block a %}{{ nope }}{% endblock %}",
      base: 'head\n{% block a %}{% endblock %}',
    });
    expect(error).toMatchObject({ name: 'main', line: 2 });
    expect(error.chain.map(({ what, name, line }) => [what, name, line])).toEqual([
      ["block 'a' called from", 'base', 2],
      ['extended by', 'main', 1],
    ]);
  });

  it('tells where a template with a syntax error is included from', () => {
    const error = errorOf({ main: "\n{% include 'part' %}", part: 'a\n{% if %}' });
    expect(error).toMatchObject({ type: 'TemplateSyntaxError', name: 'part', line: 2 });
    expect(error.chain).toEqual([{ what: 'included from', name: 'main', line: 2, column: 4 }]);
  });

  it('of a template that is not there points at the statement that names it, without a detour', () => {
    const error = errorOf({ main: "\n{% include 'part' %}" });
    expect(error).toMatchObject({ type: 'TemplateNotFound', message: 'part', name: 'main', line: 2 });
    expect(error.chain).toEqual([]);
  });

  it('of a recursion says how often instead of repeating itself', () => {
    const error = errorOf({ main: '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}' });
    expect(error.type).toBe('LimitError');
    expect(error.chain.map(({ what }) => what)).toEqual([
      "198 times macro 'm' called from",
      "macro 'm' called from",
    ]);
  });

  it('of two macros that call each other leaves out the middle', () => {
    const error = errorOf({
      main: '{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}',
    });
    expect(error.chain).toHaveLength(12);
    expect(error.chain[6]?.what).toMatch(/^\(\d+ steps left out\) macro/);
  });

  it('points at the undefined name rather than at the operator that tripped over it', () => {
    expect(errorOf({ main: "{{ 'a' ~ 'b' ~ nope }}" }).column).toBe(16);
    expect(errorOf({ main: '{% set x = d.y %}\n{{ 1 + x }}' }, { d: {} })).toMatchObject({ line: 2 });
  });

  it('is back where the macro was called from when it has ended', () => {
    const files = {
      main: "{% import 'lib' as lib %}\n{% for i in list %}{{ lib.ok() }}{% endfor %}",
      lib: '\n\n\n\n{% macro ok() %}{{ 1 }}{% endmacro %}',
    };
    // Two steps for each round: some of these limits are met in the loop itself, right after the macro.
    for (const steps of [100, 101, 102, 103])
      expect(errorOf(files, { list: Array(200).fill(0) }, { limits: { steps } })).toMatchObject({
        type: 'LimitError',
        name: 'main',
        line: 2,
      });
  });

  it('keeps its place after a macro that went well', () => {
    const error = errorOf({
      main: "{% import 'lib' as lib %}\n{{ lib.ok() ~ nope }}",
      lib: '\n\n\n\n{% macro ok() %}{{ 1 }}{% endmacro %}',
    });
    expect(error).toMatchObject({ name: 'main', line: 2 });
  });
});
