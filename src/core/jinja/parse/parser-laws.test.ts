/** Laws that hold for every template, with made-up ones. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TemplateError } from '../errors.ts';
import type { Position } from './ast.ts';
import { parseTemplate } from './parser.ts';

/** A place in made-up text where any whitespace may stand. */
const GAP = '\u0000';
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const several = fc.array(inner, { maxLength: 3 });
  const pair = fc.tuple(inner, inner);
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'a',
        'größe',
        'loop_x',
        '1',
        '0x1f',
        '1.5',
        "'s'",
        '"two\nlines"',
        "'a' 'b'",
        'none',
        'True',
      ),
      pair.chain(([a, b]) =>
        fc
          .constantFrom('+', '-', '*', '//', '**', '~', '==', '<=', ' in ', ' not in ', ' and ', ' or ')
          .map((operator) => `${a}${GAP}${operator}${GAP}${b}`),
      ),
      inner.map((a) => `(${GAP}${a}${GAP})`),
      inner.map((a) => `(not ${GAP}${a})`),
      inner.map((a) => `-${GAP}(${a})`),
      inner.map((a) => `(${a})${GAP}.${GAP}name`),
      inner.map((a) => `(${a}).0`),
      pair.map(([a, b]) => `(${a})[${GAP}${b}${GAP}:]`),
      pair.map(([a, b]) => `(${a})${GAP}(x${GAP}=${GAP}${b})`),
      several.map((items) => `[${items.map((item) => `${GAP}(${item})`).join(',')}]`),
      several.map((items) => `{${items.map((item) => `1:${GAP}(${item})`).join(',')}}`),
      pair.map(([a, b]) => `(${a})${GAP}|${GAP}filter_name((${b}))`),
      pair.map(([a, b]) => `((${a}) is${GAP} not test_name((${b})))`),
      pair.map(([a, b]) => `((${a}) if (${b}) else 1)`),
    ),
  };
});

const body: fc.Arbitrary<string> = fc.letrec<{ body: string }>((tie) => ({
  body: fc
    .array(
      fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('text', '\n', '  \n', '{# c #}', '{%- raw -%} {{ x }} {% endraw %}'),
        expression.map((e) => `{{${GAP}(${e})${GAP}}}`),
        expression.map((e) => `{%-${GAP}set x${GAP}, y =${GAP}(${e})${GAP}%}`),
        fc
          .tuple(expression, tie('body'))
          .map(([e, b]) => `{%${GAP}if (${e})${GAP}%}${b}{% else %}${b}{% endif %}`),
        fc.tuple(expression, tie('body')).map(([e, b]) => `{% for a, b in (${e})${GAP}-%}${b}{% endfor %}`),
        fc.tuple(expression, tie('body')).map(([e, b]) => `{% macro m(a, b=(${e})) %}${b}{% endmacro %}`),
        tie('body').map((b) => `{% set x${GAP}|${GAP}filter_name %}${b}{% endset %}`),
        tie('body').map((b) => `{% load_yaml as x %}${b}{% endload %}`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
})).body;

/** Puts whitespace into the gaps, a different one into each. */
function fillGaps(text: string, spaces: readonly string[]): string {
  let gap = 0;
  return text.replaceAll(GAP, () => spaces[gap++ % spaces.length] ?? '');
}

const spaces = fc.array(fc.constantFrom('', ' ', '\n', ' \n  ', '\t', '\r\n'), {
  minLength: 1,
  maxLength: 7,
});

interface Node {
  readonly kind: string;
  readonly at: Position;
  readonly [field: string]: unknown;
}

function* nodesIn(part: unknown): Generator<Node> {
  if (typeof part !== 'object' || part === null) return;
  if ('kind' in part) yield part as Node;
  for (const [key, inner] of Object.entries(part)) if (key !== 'at') yield* nodesIn(inner);
}

/** What must stand in the source where a node points. */
function expectedAt(node: Node): string | RegExp {
  switch (node.kind) {
    case 'name':
    case 'attribute':
    case 'filter':
    case 'test':
      return String(node.name);
    case 'unary':
    case 'binary':
      return String(node.operator);
    case 'and':
    case 'or':
    case 'if':
    case 'for':
    case 'set':
    case 'macro':
      return node.kind;
    case 'not':
      return /not|is/y;
    case 'compare':
      return /[=<]=|in|not/y;
    case 'literal':
      return /['"0-9]|none|True/y;
    case 'list':
      return '[';
    case 'dict':
      return '{';
    case 'item':
      return /[[0]/y;
    case 'concat':
      return '~';
    case 'output':
      return '{{';
    case 'blockSet':
      return 'set';
    case 'load':
      return 'load_yaml';
    // A condition stands where its first word stands, whatever that is.
    default:
      return '';
  }
}

function withoutPositions(part: unknown): unknown {
  return JSON.parse(
    JSON.stringify(part, (key, value) =>
      key === 'at' ? undefined : typeof value === 'bigint' ? `${value}` : value,
    ),
  );
}

describe('laws of the parser', () => {
  it('every node points at its own text, and line and column agree with the offset', () => {
    fc.assert(
      fc.property(body, spaces, (template, fill) => {
        const source = fillGaps(template, fill);
        for (const node of nodesIn(parseTemplate(source).body)) {
          const { offset, line, column } = node.at;
          // A call is what is called: there its mistakes show.
          if (node.kind === 'call') expect(node.at).toEqual((node.callee as Node).at);
          const expected = expectedAt(node);
          if (typeof expected === 'string')
            expect(source.slice(offset, offset + expected.length)).toBe(expected);
          else {
            expected.lastIndex = offset;
            expect(expected.test(source)).toBe(true);
          }
          const before = source.slice(0, offset).split(/\r\n|\r|\n/);
          expect([line, column]).toEqual([before.length, (before.at(-1)?.length ?? 0) + 1]);
        }
      }),
    );
  });

  it('the text of a template is a slice of its source', () => {
    fc.assert(
      fc.property(body, (template) => {
        const source = fillGaps(template, ['']);
        for (const node of nodesIn(parseTemplate(source).body))
          if (node.kind === 'text') {
            const text = String(node.text);
            expect(source.slice(node.at.offset, node.at.offset + text.length)).toBe(text);
          }
      }),
    );
  });

  it('whitespace inside of tags does not change the tree, nor do parentheses around an expression', () => {
    fc.assert(
      fc.property(expression, spaces, (template, fill) => {
        const plain = withoutPositions(parseTemplate(`{{ ${fillGaps(template, [' '])} }}`).body);
        const spaced = `{{ ${fillGaps(
          template,
          fill.map((space) => ` ${space}`),
        )} }}`;
        expect(withoutPositions(parseTemplate(spaced).body)).toEqual(plain);
        const wrapped = `{{ ((${fillGaps(template, [' '])})) }}`;
        expect(withoutPositions(parseTemplate(wrapped).body)).toEqual(plain);
      }),
    );
  });

  it('any soup of words is a template or a TemplateError inside of the source', () => {
    const word = fc.constantFrom(
      ...'{% %} {{ }} {%- -%} {# #} if elif else endif for in endfor set endset macro endmacro block endblock'.split(
        ' ',
      ),
      ...'a b 1 1.5 true not and or is ( ) [ ] { } , . : | ~ = == + - ** load_yaml endload as with context'.split(
        ' ',
      ),
      ...'\' " \\ \n é text raw endraw call endcall import from include break # ##'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const source = words.join(' ');
        try {
          parseTemplate(source, { name: 'soup' });
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error;
          const line = source.split('\n')[error.line - 1];
          expect(line).toBeDefined();
          expect(error.column).toBeGreaterThan(0);
          expect(error.column).toBeLessThanOrEqual((line?.length ?? 0) + 1);
          expect(error.print()).toContain(`soup:${error.line}:${error.column}: `);
        }
      }),
      { numRuns: 500 },
    );
  });
});
