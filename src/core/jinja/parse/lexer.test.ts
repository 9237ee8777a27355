import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lex } from './lexer.ts';
import { compileSyntax, type SyntaxOptions } from './syntax-options.ts';
import type { Token } from './token.ts';

const tokensOf = (source: string, options: SyntaxOptions = {}): readonly Token[] => {
  const { tokens, fault } = lex(source, 'test', compileSyntax(options));
  if (fault !== undefined) throw fault;
  return tokens;
};
const textsOf = (source: string, options: SyntaxOptions = {}) =>
  lex(source, 'test', compileSyntax(options))
    .tokens.filter(({ type }) => type === 'data')
    .map(({ text }) => text);
const faultOf = (source: string, options: SyntaxOptions = {}) => {
  const { fault } = lex(source, 'test', compileSyntax(options));
  return fault && `${fault.line}:${fault.column} ${fault.message}`;
};

describe('whitespace control', () => {
  // The texts that Jinja2 3.1.6 makes of these.
  it.each<[string, SyntaxOptions, string[]]>([
    ['a {%- if x -%} b', {}, ['a', 'b']],
    ['a {{- x -}} \n b', {}, ['a', 'b']],
    ['a {#- c -#} b', {}, ['a', 'b']],
    ['a {%+ if x +%} b', {}, ['a ', ' b']],
    ['{% if x %}\na\n{% endif %}\nb', {}, ['\na\n', '\nb']],
    ['{% if x %}\na\n{% endif %}\nb', { trimBlocks: true }, ['a\n', 'b']],
    ['{% if x +%}\na\n{% endif %}\n\nb', { trimBlocks: true }, ['\na\n', '\nb']],
    ['{{ x }}\na', { trimBlocks: true }, ['\na']],
    ['{# c #}\na', { trimBlocks: true }, ['a']],
    ['{# c +#}\na', { trimBlocks: true }, ['\na']],
    ['{% if x %} \na', { trimBlocks: true }, [' \na']],
    ['{% if x %}\r\na', { trimBlocks: true }, ['a']],
    ['  {% if x %}\n  a\n  {% endif %}\n', { lstripBlocks: true }, ['\n  a\n']],
    ['  {% if x %}\n  a\n\t {% endif %}\nb', { trimBlocks: true, lstripBlocks: true }, ['  a\n', 'b']],
    ['  {%+ if x %}\na', { lstripBlocks: true }, ['  ', '\na']],
    ['  {{ x }}\na', { lstripBlocks: true }, ['  ', '\na']],
    ['  {# c #} b', { lstripBlocks: true }, [' b']],
    ['a  {% if x %}', { lstripBlocks: true }, ['a  ']],
    ['{% if x %}  {% endif %}', { lstripBlocks: true }, ['  ']],
    ['{% if x %}\n  {% endif %}', { trimBlocks: true, lstripBlocks: true }, []],
    ['{{ x }}\n  {% if x %}', { lstripBlocks: true }, ['\n']],
    ['  {% raw %}  x\n  {% endraw %} b', { lstripBlocks: true }, ['  x\n', ' b']],
    ['  {%- raw -%}  x\n  {%- endraw -%} b', {}, ['x', 'b']],
    ['{% raw %}\nx\n{% endraw %}\nb', { trimBlocks: true }, ['\nx\n', 'b']],
    ['{% raw %} {{ x }} {% y %} {# z #}{% endraw %}', {}, [' {{ x }} {% y %} {# z #}']],
    ['{% raw %}{% endraw +%}\nb', { trimBlocks: true }, ['\nb']],
    ['\u00a0\u2003{%- if x -%}\u2028\u001fb', {}, ['b']],
    ['\ufeff{%- if x %}', {}, ['\ufeff']],
    ['a\n', {}, ['a']],
    ['a\n\n', {}, ['a\n']],
    ['a\n', { keepTrailingNewline: true }, ['a\n']],
    ['a\r\nb\rc\n', {}, ['a\nb\nc']],
    ['a\nb\r\n', { newlineSequence: '\r\n', keepTrailingNewline: true }, ['a\r\nb\r\n']],
    [
      'a\n  # if x\nb\n# endif\nc',
      { lineStatementPrefix: '#', lineCommentPrefix: '##' },
      ['a\n', 'b\n', 'c'],
    ],
    ['a ## c\nb', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['a', '\nb']],
    ['  ## c\nb', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['\nb']],
    ['# if x\n\n\n  b', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['  b']],
    ['a\n#- if x\nb', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['a', 'b']],
    ['a\n  ##- c\nb', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['a', '\nb']],
    ['{% if x %}# if\n', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['# if']],
    ['a # if x', { lineStatementPrefix: '#', lineCommentPrefix: '##' }, ['a # if x']],
  ])('%j with %j leaves %j', (source, options, texts) => {
    expect(textsOf(source, options)).toEqual(texts);
  });
});

describe('lex', () => {
  it('cuts tags into tokens', () => {
    expect(
      tokensOf("a{{ b.c|d(1, 2.5, 'e') }}{% if not x %}").map(({ type, text }) => `${type}:${text}`),
    ).toEqual([
      'data:a',
      'variableBegin:',
      ...['name:b', 'operator:.', 'name:c', 'operator:|', 'name:d', 'operator:(', 'integer:1', 'operator:,'],
      ...['float:2.5', 'operator:,', 'string:e', 'operator:)', 'variableEnd:', 'blockBegin:'],
      ...['name:if', 'name:not', 'name:x', 'blockEnd:'],
    ]);
  });

  it('takes the longest operator', () => {
    const operators = tokensOf('{{ a // b ** c == d != e >= f <= g ~ h }}').filter(
      (t) => t.type === 'operator',
    );
    expect(operators.map(({ text }) => text)).toEqual(['//', '**', '==', '!=', '>=', '<=', '~']);
  });

  it('does not end a tag within brackets or strings', () => {
    expect(tokensOf("{{ {'a': {}}}}").at(-1)?.type).toBe('variableEnd');
    expect(faultOf('{% if x[1 %}')).toBe("1:12 unexpected '}', expected ']'");
    expect(tokensOf('{{ \'}}\' ~ "%}" }}').map(({ type }) => type)).toEqual([
      ...['variableBegin', 'string', 'operator', 'string', 'variableEnd'],
    ]);
  });

  it('takes a sign right behind the opening delimiter for whitespace control, as Jinja2 does', () => {
    expect(tokensOf('{{-1}}').map(({ type }) => type)).toEqual(['variableBegin', 'integer', 'variableEnd']);
    expect(tokensOf('{{ -1}}').map(({ text }) => text)).toContain('-');
  });

  it('knows names in other scripts', () => {
    expect(
      tokensOf('{{ größe + a\u0301 + 名前 }}')
        .filter((t) => t.type === 'name')
        .map((t) => t.text),
    ).toEqual([...['größe', 'a\u0301', '名前']]);
    expect(faultOf('{{ a² }}')).toBe('1:4 Invalid character in identifier');
    expect(faultOf('{{ ٣ }}')).toBe('1:4 Invalid character in identifier');
  });

  it('continues a line statement within brackets', () => {
    const tokens = tokensOf('# set a = [1,\n2]\nx', { lineStatementPrefix: '#' });
    expect(tokens.map(({ type }) => type).slice(-3)).toEqual(['operator', 'blockEnd', 'data']);
    expect(tokensOf('# set a = 1', { lineStatementPrefix: '#' }).at(-1)?.type).toBe('blockEnd');
  });

  it.each<[string, string | undefined]>([
    ['{{ a ! b }}', "1:6 unexpected char '!' at 5"],
    ['\r\n{{ 😀 }}', "2:4 unexpected char '😀' at 4"],
    ["😀\n{{ ' }}", '2:4 unexpected char "\'" at 5'],
    ['{{ \\ }}', "1:4 unexpected char '\\\\' at 3"],
    ['{{ ) }}', "1:4 unexpected ')'"],
    ['{{ (] }}', "1:5 unexpected ']', expected ')'"],
    ['{{ { }}', "1:7 unexpected '}'"],
    ['a\n{# b', '2:1 Missing end of comment tag'],
    ['{% raw %}\nx', '1:10 Missing end of raw directive'],
    ['{% raw -%}\n\n x', '3:2 Missing end of raw directive'],
    ["{{ '\\x4' }}", '1:4 truncated \\xXX escape'],
    // Jinja2 does not mind these two at the very end.
    ['{#', undefined],
    ['{% raw %}', undefined],
  ])('finds the fault in %j: %s', (source, fault) => {
    expect(faultOf(source)).toBe(fault);
  });

  it('keeps the tokens before a fault, so that an earlier mistake is reported first', () => {
    const { tokens, fault } = lex('{{ a }}{{ ! }}', 'test', compileSyntax({}));
    expect(tokens).toHaveLength(4);
    expect(fault?.column).toBe(11);
  });

  it('suggests the words for operators of other languages', () => {
    expect(lex('{{ a && b }}', 'test', compileSyntax({})).fault?.near).toEqual(['and']);
    expect(lex('{{ !a }}', 'test', compileSyntax({})).fault?.near).toEqual(['not']);
  });
});

describe('laws of the lexer', () => {
  const plain = fc
    .array(fc.constantFrom('a', ' ', '\n', '{', '}', '%', '#', '-', "'", 'é', '😀', '\t'), { maxLength: 12 })
    .map((chars) => chars.join(''))
    .filter((text) => !/\{[{%#]|\{$/.test(text));
  const tag = fc.constantFrom('{{ a.b }}', '{% if x %}', "{{ '}}' }}", '{# c {{ #}', '{{ {1: 2} }}');
  const raw = plain.map((text) => ({ written: `{% raw %}${text}{% endraw %}`, text }));
  const piece = fc.oneof(
    plain.map((text) => ({ written: text, text })),
    tag.map((written) => ({ written, text: '' })),
    raw,
  );

  it('hands on every text between tags unchanged when there is no whitespace control', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const source = pieces.map(({ written }) => written).join('');
        fc.pre(!/\{\{?\{[{%#]/.test(source));
        const kept = textsOf(source, { keepTrailingNewline: true });
        expect(kept.join('')).toBe(pieces.map(({ text }) => text).join(''));
      }),
    );
  });

  it('puts every token where its text stands in the source', () => {
    const newline = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), newline, (pieces, newlines) => {
        const source = pieces
          .map(({ written }) => written)
          .join('')
          .replaceAll('\n', newlines);
        const { tokens } = lex(source, 'test', compileSyntax({ keepTrailingNewline: true }));
        for (const { type, text, at } of tokens) {
          const there = source.slice(at.offset).replaceAll(newlines, '\n');
          if (type === 'data' || type === 'name' || type === 'operator')
            expect(there.startsWith(text)).toBe(true);
          const before = source.slice(0, at.offset).split(newlines);
          expect([at.line, at.column]).toEqual([before.length, (before.at(-1)?.length ?? 0) + 1]);
        }
      }),
    );
  });

  it('ends for every text, with tokens in the order of the source', () => {
    const anything = fc
      .array(
        fc.constantFrom(
          '{%',
          '%}',
          '{{',
          '}}',
          '{#',
          '#}',
          '-',
          '+',
          'raw',
          'endraw',
          ' ',
          '\n',
          'a',
          '(',
          ')',
          "'",
          '#',
        ),
      )
      .map((parts) => parts.join(''));
    const options = fc.record({
      trimBlocks: fc.boolean(),
      lstripBlocks: fc.boolean(),
      lineStatementPrefix: fc.constantFrom(undefined, '#'),
      lineCommentPrefix: fc.constantFrom(undefined, '##'),
    });
    fc.assert(
      fc.property(anything, options, (source, syntax) => {
        const { tokens } = lex(source, 'test', compileSyntax(syntax));
        const offsets = tokens.map(({ at }) => at.offset);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      }),
    );
  });
});
