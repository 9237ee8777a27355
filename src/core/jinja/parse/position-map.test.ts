import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Environment } from '../environment.ts';
import { mapLoader } from '../render/loader.ts';

function render(files: Readonly<Record<string, string>>, context: Record<string, unknown> = {}) {
  const loader = mapLoader(new Map(Object.entries(files)));
  return new Environment({ loader }).getTemplate('main').render(context);
}

/** For each line of the output, the template line it was written by. */
function lineMap(files: Readonly<Record<string, string>>, context: Record<string, unknown> = {}): string[] {
  const { output, positions } = render(files, context);
  return output.split('\n').map((text, index) => {
    const at = positions.lookup(index + 1);
    return `${text} <- ${at?.name}:${at?.line}`;
  });
}

describe('PositionMap', () => {
  it('maps text and values to their lines', () => {
    expect(
      lineMap({ main: 'a: 1\n{# note\n   #}b: {{ x }}\n\nc: {{\n y }}' }, { x: 1, y: 'two\nlines' }),
    ).toEqual(['a: 1 <- main:1', 'b: 1 <- main:3', ' <- main:4', 'c: two <- main:5', 'lines <- main:6']);
  });

  it('maps each round of a loop to the body of the loop', () => {
    expect(
      lineMap({ main: 'pkgs:\n{%- for p in ["a", "b"] %}\n  - name: {{ p }}\n    x: 1\n{%- endfor %}\nend' }),
    ).toEqual([
      'pkgs: <- main:1',
      '  - name: a <- main:3',
      '    x: 1 <- main:4',
      '  - name: b <- main:3',
      '    x: 1 <- main:4',
      'end <- main:6',
    ]);
  });

  it('maps included text to its own template, and what follows back', () => {
    const files = { main: "first\n{% include 'part' %}\nlast", part: 'one\n{{ 2 }}\nthree' };
    expect(lineMap(files)).toEqual([
      'first <- main:1',
      'one <- part:1',
      '2 <- part:2',
      'three <- part:3',
      'last <- main:3',
    ]);
  });

  it('maps the text of a macro to the lines of the macro, in whatever template it is', () => {
    const files = {
      main: "{% import 'lib' as lib %}{{ lib.row('a') }}\n{% call lib.wrap() %}\ninner\n{% endcall %}",
      lib: '{% macro row(x) %}\n- {{ x }}\n{% endmacro %}\n{% macro wrap() %}<{{ caller() }}>{% endmacro %}',
    };
    expect(lineMap(files)).toEqual([
      ' <- lib:1',
      '- a <- lib:2',
      ' <- main:1',
      '< <- lib:4',
      'inner <- main:3',
      '> <- lib:4',
    ]);
  });

  it('maps blocks to the template that wrote them', () => {
    const files = {
      main: "{% extends 'base' %}\n{% block a %}child\n{{ super() }}{% endblock %}",
      base: 'top\n{% block a %}base{% endblock %}\nend',
    };
    expect(lineMap(files)).toEqual(['top <- base:1', 'child <- main:2', 'base <- base:2', 'end <- base:3']);
  });

  it('maps captured text to where it was written out', () => {
    expect(
      lineMap({ main: '{% set x %}a\nb{% endset %}\n{{ x }}\n{% filter upper %}c\nd{% endfilter %}' }),
    ).toEqual([' <- main:2', 'a <- main:3', 'b <- main:3', 'C <- main:4', 'D <- main:4']);
  });

  it('keeps lines through trimmed blocks and other newlines', () => {
    const syntax = { trimBlocks: true, lstripBlocks: true } as const;
    const source = 'a\r\n  {% if true %}\r\nb\r\n  {% endif %}\r\nc';
    const { output, positions } = new Environment({ syntax }).compile(source, 'main').render();
    expect(output.split('\n').map((text, index) => [text, positions.lookup(index + 1)?.line])).toEqual([
      ['a', 1],
      ['b', 3],
      ['c', 5],
    ]);
  });

  it('knows columns', () => {
    const { positions } = render({ main: 'key: {{ 1 }}, other: {{ 22 }}' });
    expect(positions.lookup(1, 1)).toEqual({ name: 'main', line: 1, column: 1 });
    expect(positions.lookup(1, 6)).toEqual({ name: 'main', line: 1, column: 9 });
    expect(positions.lookup(1, 7)).toEqual({ name: 'main', line: 1, column: 13 });
    expect(positions.lookup(1, 16)).toEqual({ name: 'main', line: 1, column: 25 });
  });

  it('knows nothing of lines that are not there', () => {
    expect(render({ main: 'a' }).positions.lookup(2)).toBeUndefined();
    expect(render({ main: '' }).positions.lookup(1)).toBeUndefined();
  });

  it('maps every character of plain text to itself', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\n', 'ü', '😀', ':'), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, (characters) => {
        const source = characters.join('');
        const { output, positions } = new Environment({ syntax: { keepTrailingNewline: true } })
          .compile(source, 'main')
          .render();
        expect(output).toBe(source);
        for (let offset = 0; offset < source.length; offset++) {
          const before = source.slice(0, offset);
          expect(positions.lookupOffset(offset)).toEqual({
            name: 'main',
            line: before.split('\n').length,
            column: before.length - before.lastIndexOf('\n'),
          });
        }
      }),
    );
  });
});
