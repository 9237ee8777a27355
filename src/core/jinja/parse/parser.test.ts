import { describe, expect, it } from 'vitest';
import { TemplateError } from '../errors.ts';
import type { Statement } from './ast.ts';
import { parseTemplate } from './parser.ts';
import type { SyntaxOptions } from './syntax-options.ts';

/** The only statement of a template, without positions. */
function only(source: string, syntax?: SyntaxOptions): unknown {
  const { body } = parseTemplate(source, { name: 'test', syntax });
  expect(body).toHaveLength(1);
  return withoutPositions(body[0]);
}

function withoutPositions(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutPositions);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([key, value]) => key !== 'at' && value !== undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutPositions(value)]));
}

function faultOf(source: string, syntax?: SyntaxOptions): TemplateError {
  try {
    parseTemplate(source, { name: 'test', syntax });
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  return expect.unreachable(`${source} is a template`);
}

const name = (text: string) => ({ kind: 'name', name: text });
const text = (content: string) => ({ kind: 'text', text: content });
const str = (value: string) => ({ kind: 'literal', literal: { type: 'str', value } });
const int = (value: number) => ({ kind: 'literal', literal: { type: 'int', value } });
const noArguments = { positional: [], named: [] };

describe('tags', () => {
  it('if, elif and else', () => {
    expect(only('{% if a %}1{% elif b, c %}2{% else %}3{% endif %}')).toEqual({
      kind: 'if',
      branches: [
        { test: name('a'), body: [text('1')] },
        { test: { kind: 'tuple', items: [name('b'), name('c')] }, body: [text('2')] },
      ],
      otherwise: [text('3')],
    });
  });

  it('for with everything', () => {
    expect(only('{% for a, (b, c) in d if e recursive %}1{% else %}2{% endfor %}')).toEqual({
      kind: 'for',
      target: {
        kind: 'tupleTarget',
        items: [name('a'), { kind: 'tupleTarget', items: [name('b'), name('c')] }],
      },
      iterable: name('d'),
      filter: name('e'),
      recursive: true,
      body: [text('1')],
      otherwise: [text('2')],
    });
    expect(only('{% for a in b, c %}{% endfor %}')).toMatchObject({
      iterable: { kind: 'tuple' },
      recursive: false,
    });
  });

  it('set with one name, several, and an attribute of a namespace', () => {
    expect(only('{% set a = 1 %}')).toEqual({ kind: 'set', target: name('a'), value: int(1) });
    expect(only('{% set a, b = 1, 2 %}')).toMatchObject({
      target: { kind: 'tupleTarget', items: [name('a'), name('b')] },
      value: { kind: 'tuple', items: [int(1), int(2)] },
    });
    expect(only('{% set ns.a, b = c %}')).toMatchObject({
      target: { items: [{ kind: 'namespaceAttribute', name: 'ns', attribute: 'a' }, name('b')] },
    });
  });

  it('set of a block, with filters', () => {
    expect(only('{% set a | b | c(1) %}x{% endset %}')).toEqual({
      kind: 'blockSet',
      target: name('a'),
      filter: {
        kind: 'filter',
        name: 'c',
        args: { positional: [int(1)], named: [] },
        input: { kind: 'filter', name: 'b', args: noArguments },
      },
      body: [text('x')],
    });
    expect(only('{% set a %}{% endset %}')).toEqual({ kind: 'blockSet', target: name('a'), body: [] });
  });

  it('macro and call', () => {
    expect(only('{% macro m(a, b=1) %}x{% endmacro %}')).toEqual({
      kind: 'macro',
      name: 'm',
      parameters: [{ name: 'a' }, { name: 'b', defaultValue: int(1) }],
      body: [text('x')],
    });
    expect(only('{% call(a, b=1) m(c) %}x{% endcall %}')).toEqual({
      kind: 'callBlock',
      call: { kind: 'call', callee: name('m'), args: { positional: [name('c')], named: [] } },
      parameters: [{ name: 'a' }, { name: 'b', defaultValue: int(1) }],
      body: [text('x')],
    });
    expect(only('{% call a.m() %}{% endcall %}')).toMatchObject({ parameters: [] });
  });

  it('filter, with, do, print and autoescape', () => {
    expect(only('{% filter a|b %}x{% endfilter %}')).toMatchObject({
      kind: 'filterBlock',
      filter: { name: 'b', input: { name: 'a' } },
    });
    expect(only('{% with a = 1, b = a %}x{% endwith %}')).toEqual({
      kind: 'with',
      targets: [name('a'), name('b')],
      values: [int(1), name('a')],
      body: [text('x')],
    });
    expect(only('{% do a, b %}')).toMatchObject({ kind: 'do', value: { kind: 'tuple' } });
    expect(parseTemplate('{% print a, b %}').body).toMatchObject([
      { kind: 'output', value: name('a') },
      { kind: 'output', value: name('b') },
    ]);
    expect(parseTemplate('{% print %}').body).toEqual([]);
    expect(only('{% autoescape true %}x{% endautoescape %}')).toMatchObject({
      kind: 'scope',
      body: [{ kind: 'autoescape', body: [text('x')] }],
    });
  });

  it('break and continue where they have a loop', () => {
    const inLoop = (inside: string) => parseTemplate(`{% for a in b %}${inside}{% endfor %}`).body[0];
    expect(inLoop('{% break %}')).toMatchObject({ body: [{ kind: 'break' }] });
    expect(inLoop('{% if x %}{% continue %}{% endif %}')).toMatchObject({ kind: 'for' });
    expect(inLoop('{% with %}{% filter f %}{% break %}{% endfilter %}{% endwith %}')).toMatchObject({
      kind: 'for',
    });
    expect(inLoop('{% for c in d %}{% else %}{% break %}{% endfor %}')).toMatchObject({ kind: 'for' });
  });

  it('block, extends and include', () => {
    expect(only('{% block a scoped %}x{% endblock a %}')).toEqual({
      kind: 'block',
      name: 'a',
      scoped: true,
      required: false,
      body: [text('x')],
    });
    expect(only('{% block a required %} {# c #}\n{% endblock %}')).toMatchObject({ required: true });
    expect(only('{% extends a ~ "b" %}')).toMatchObject({ kind: 'extends', template: { kind: 'concat' } });
    expect(only("{% include 'a' %}")).toEqual({
      kind: 'include',
      template: str('a'),
      ignoreMissing: false,
      withContext: true,
    });
    expect(only("{% include ['a', b] ignore missing without context %}")).toMatchObject({
      template: { kind: 'list' },
      ignoreMissing: true,
      withContext: false,
    });
  });

  it('import and from', () => {
    expect(only("{% import 'a' as b %}")).toEqual({
      kind: 'import',
      template: str('a'),
      name: 'b',
      withContext: false,
    });
    expect(only("{% from 'a' import b as c, d with context %}")).toEqual({
      kind: 'fromImport',
      template: str('a'),
      names: [
        { name: 'b', alias: 'c' },
        { name: 'd', alias: 'd' },
      ],
      withContext: true,
    });
    expect(only("{% from 'a' import b, without context %}")).toMatchObject({ names: [{ name: 'b' }] });
    expect(only("{% from 'a' import with context %}")).toMatchObject({ names: [], withContext: true });
    expect(only("{% from 'a' import with, context %}")).toMatchObject({
      names: [{ name: 'with' }, { name: 'context' }],
    });
  });

  it.each(['yaml', 'json', 'text'])("Salt's load_%s and its import", (format) => {
    expect(only(`{% load_${format} as a %}x: {{ y }}{% endload %}`)).toEqual({
      kind: 'load',
      format,
      name: 'a',
      body: [text('x: '), { kind: 'output', value: name('y') }],
    });
    expect(only(`{% import_${format} 'a' as b with context %}`)).toEqual({
      kind: 'importData',
      format,
      template: str('a'),
      name: 'b',
      withContext: true,
    });
  });

  it("Salt's profile", () => {
    expect(only("{% profile as 'a' %}x{% endprofile %}")).toEqual({
      kind: 'profile',
      label: str('a'),
      body: [text('x')],
    });
  });

  it("takes Python's colon at the end of a tag, and line statements", () => {
    expect(only('{% if a: %}x{% endif %}')).toEqual(only('{% if a %}x{% endif %}'));
    expect(only('# for a in b:\nx\n# endfor', { lineStatementPrefix: '#' })).toMatchObject({
      kind: 'for',
      body: [text('x\n')],
    });
  });
});

describe('mistakes, with the line and the words that Jinja2 has for them', () => {
  it.each<[string, number, string]>([
    ['{% %}', 1, 'tag name expected'],
    ["{% 'a' %}", 1, 'tag name expected'],
    ['a\n{% foo %}', 2, "Encountered unknown tag 'foo'."],
    ['{% endif %}', 1, "Encountered unknown tag 'endif'."],
    [
      '{% if a %}\n{% foo %}',
      2,
      "Encountered unknown tag 'foo'. Jinja was looking for the following tags: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'.",
    ],
    [
      '{% for a in b %}{% if a %}\n{% endfor %}{% endif %}',
      2,
      "Encountered unknown tag 'endfor'. You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'.",
    ],
    [
      '\n{% for a in b %}\n\nx\n',
      2,
      "Unexpected end of template. Jinja was looking for the following tags: 'endfor' or 'else'. The innermost block that needs to be closed is 'for'.",
    ],
    ['{{ a', 1, "unexpected end of template, expected 'end of print statement'."],
    ['{% if a', 1, "unexpected end of template, expected 'end of statement block'."],
    ['{% if %}', 1, "Expected an expression, got 'end of statement block'"],
    ['{% if a if b %}', 1, "expected token 'end of statement block', got 'if'"],
    ['{% for a %}', 1, "expected token 'in', got 'end of statement block'"],
    ['{% for a, in b %}{% endfor %}', 1, "expected token 'in', got 'b'"],
    ['{% for a.b in c %}{% endfor %}', 1, "expected token 'in', got '.'"],
    ['{% set 1 = 2 %}', 1, "can't assign to 'const'"],
    ['{% set true = 2 %}', 1, "can't assign to 'const'"],
    ['{% set [a] = b %}', 1, "can't assign to 'list'"],
    ['{% set (a, b.c) = d %}', 1, "can't assign to 'tuple'"],
    ['{% set (a + b) = d %}', 1, "can't assign to 'add'"],
    ['{% set a.b.c = d %}', 1, "expected token 'end of statement block', got '.'"],
    ['{% set a, = b %}', 1, "unexpected '='"],
    ['{% set (ns).a = b %}', 1, "expected token 'end of statement block', got '.'"],
    ['{{ a +}}', 1, "unexpected 'end of print statement'"],
    ['{% raw +%}{% endraw %}', 1, "Encountered unknown tag 'raw'."],
    ['{% macro true() %}{% endmacro %}', 1, "can't assign to 'name'"],
    ['{% macro m %}{% endmacro %}', 1, "expected token '(', got 'end of statement block'"],
    ['{% macro m(a,) %}{% endmacro %}', 1, "expected token 'name', got ')'"],
    ['{% macro m(a=1, b) %}{% endmacro %}', 1, 'non-default argument follows default argument'],
    ['{% macro m(a, a) %}{% endmacro %}', 1, "duplicate argument 'a' in function definition"],
    ['{% call a %}{% endcall %}', 1, 'expected call'],
    [
      '{% block a-b %}{% endblock %}',
      1,
      'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
    ],
    ['{% block a %}{% endblock b %}', 1, "expected token 'end of statement block', got 'b'"],
    ['{% block a required %}x{% endblock %}', 1, 'Required blocks can only contain comments or whitespace'],
    ['{% block a %}{% endblock %}\n{% block a %}{% endblock %}', 2, "block 'a' defined twice"],
    ["{% from 'a' import %}", 1, "expected token 'name', got 'end of statement block'"],
    ["{% from 'a' import b, %}", 1, "expected token 'name', got 'end of statement block'"],
    ["{% from 'a' import _b %}", 1, 'names starting with an underline can not be imported'],
    ["{% import 'a' %}", 1, "expected token 'as', got 'end of statement block'"],
    ["{% include 'a', 'b' %}", 1, "expected token 'end of statement block', got ','"],
    ['{% break %}', 1, "'break' outside loop"],
    ['{% for a in b %}{% else %}\n{% continue %}{% endfor %}', 2, "'continue' not properly in loop"],
    ['{% for a in b %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}', 1, "'break' outside loop"],
    ['{% for a in b %}\n{% extends c %}{% endfor %}', 2, 'cannot use extend from a non top-level scope'],
    ['{% for loop in a %}{% endfor %}', 1, "Can't assign to special loop variable in for-loop target"],
    [
      '{% for a in b %}{% macro m() %}\n{% set loop = 1 %}{% endmacro %}{% endfor %}',
      2,
      "Can't assign to special loop variable in for-loop target",
    ],
    ['{% load_yaml as a, b %}{% endload %}', 1, "load_yaml needs one name after 'as'"],
  ])('%j: line %i, %s', (source, line, message) => {
    const fault = faultOf(source);
    expect([fault.line, fault.message]).toEqual([line, message]);
  });

  it('reports a syntax error before what Jinja2 sees only when it compiles', () => {
    expect(faultOf('{% break %}\n{{ a b }}').line).toBe(2);
    expect(faultOf('{{ f(a=1, a=1) }}{% block a %}{% endblock %}\n{% block a %}{% endblock %}').line).toBe(2);
    expect(faultOf('{{ a b }}{{ ! }}').message).toContain('expected token');
  });

  it('allows what looks like a mistake but is none', () => {
    for (const source of [
      '{% set loop = 1 %}',
      '{% for a in b %}{% with loop = 1 %}{% endwith %}{% macro m(loop) %}{% endmacro %}{% endfor %}',
      '{% if a %}{% if b %}{% extends c %}{% endif %}{% endif %}',
      '{{ {} }}{#',
    ])
      expect(() => parseTemplate(source)).not.toThrow();
  });
});

describe('help with mistakes', () => {
  it.each<[string, string[]]>([
    ['{% esle %}', []],
    ['{% if a %}{% esle %}', ['else']],
    ['{% if a %}{% elseif b %}', ['elif']],
    ['{% if a %}{% else if b %}', ['elif']],
    ['{% if a %}{% end %}', ['endif']],
    ['{% for a in b %}{% endfro %}', ['endfor']],
    ['{% fro a in b %}', ['for', 'from']],
    ['{% imprt_yaml a as b %}', ['import_yaml']],
    ['{% for a inn b %}', ['in']],
    ['{% if a adn b %}', ['and']],
    ['{{ a adn b }}', ['and']],
    ["{% include 'a' ignroe missing %}", ['ignore']],
    ['{% if a = b %}', ['==']],
    ['{{ a || b }}', ['or']],
    ['{{ a xyz b }}', []],
  ])('%s: %j', (source, near) => {
    expect(faultOf(source).near).toEqual(near);
  });

  it('says where the tag was opened that is not closed', () => {
    expect(faultOf('a\n  {% if b %}\nc\n').note).toBe("'if' was opened at line 2, column 6");
  });

  it('prints a mistake as an operator reads it', () => {
    expect(faultOf('a: 1\n{% if a %}\nb: {{ c d }}\n{% endif %}\n').print()).toBe(
      [
        "test:3:9: TemplateSyntaxError: expected token 'end of print statement', got 'd'",
        '  2 | {% if a %}',
        '  3 | b: {{ c d }}',
        '    |         ^',
        '  4 | {% endif %}',
      ].join('\n'),
    );
  });
});

describe('hostile templates', () => {
  const many = 100_000;
  it.each<[string, string]>([
    ['parentheses', `{{ ${'('.repeat(many)}`],
    ['closed parentheses', `{{ ${'('.repeat(many)}1${')'.repeat(many)} }}`],
    ['lists', `{{ ${'['.repeat(many)}`],
    ['dicts', `{{ ${'{1:'.repeat(many)}`],
    ['calls', `{{ ${'a('.repeat(many)}`],
    ['not', `{{ ${'not '.repeat(many)}a }}`],
    ['minus', `{{ ${'- '.repeat(many)}a }}`],
    ['sums', `{{ a${' + a'.repeat(many)} }}`],
    ['filters', `{{ a${'|f'.repeat(many)} }}`],
    ['attributes', `{{ a${'.b'.repeat(many)} }}`],
    ['conditions', `{{ ${'a if b else '.repeat(many)}a }}`],
    ['conditions without else', `{{ a${' if b'.repeat(many)} }}`],
    ['targets', `{% set ${'('.repeat(many)}`],
    ['tags', '{% if a %}'.repeat(many)],
    ['filters of a block', `{% filter a${'|f'.repeat(many)} %}{% endfilter %}`],
    ['left sides', `{{ ${'('.repeat(150)}a${`${' + a'.repeat(50)})`.repeat(150)} }}`],
  ])('are refused before they overflow the stack: %s', (_, source) => {
    expect(faultOf(source).type).toBe('LimitError');
  });

  it('may be long as long as they are not deep', () => {
    const many = 20_000;
    const long = [
      `{{ a${' ~ a'.repeat(many)} }}`,
      `{{ [${'a,'.repeat(many)}] }}`,
      `{% if a %}${'{% elif a %}'.repeat(many)}{% endif %}`,
      `{{ ${"'a' ".repeat(many)}}}`,
      `{{ a${' + a'.repeat(400)} }}${'{% with %}'.repeat(240)}${'{% endwith %}'.repeat(240)}`,
    ];
    for (const source of long) expect(() => parseTemplate(source)).not.toThrow();
  });
});

describe('parseTemplate', () => {
  it('keeps the name and the source as written', () => {
    const source = 'a\r\n{{ b }}\r\n';
    const parsed = parseTemplate(source, { name: 'x.sls' });
    expect(parsed).toMatchObject({ name: 'x.sls', source });
    expect(parsed.body.map((node: Statement) => node.at)).toEqual([
      { offset: 0, line: 1, column: 1 },
      { offset: 3, line: 2, column: 1 },
    ]);
  });
});
