import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../errors/zester-error.ts';
import { loadMarkedYaml, loadYaml } from './load-yaml.ts';

const MARK = '!mark';

/** What bears the mark: as it stands in the source, and the text that it means. */
function marked(text: string): readonly (readonly [source: string, value: string])[] {
  const { marks } = loadMarkedYaml(text, { name: 'x', mark: MARK });
  return marks.found.map(({ tag, on }) => {
    expect(text.slice(tag.from, tag.to)).toBe(MARK);
    if (typeof on === 'string') return [on, ''];
    return [text.slice(on.range.from, on.range.to), on.node.source];
  });
}

function problemOf(text: string, load: (text: string) => unknown): string | undefined {
  try {
    load(text);
  } catch (error) {
    if (!isZesterError(error, 'YAML_INVALID')) throw error;
    return error.message;
  }
  return undefined;
}

const hidden = (text: string) => problemOf(text, (each) => loadMarkedYaml(each, { name: 'x', mark: MARK }));
const told = (text: string) => problemOf(text, (each) => loadYaml(each, { name: 'x' }));

describe('a marked value', () => {
  it.each<[text: string, source: string, value: string]>([
    ['a: !mark b c # d\n', 'b c', 'b c'],
    ['a: !mark b\n  c\nd: e\n', 'b\n  c', 'b c'],
    ["a: !mark 'b''c' # d", "'b''c'", "b'c"],
    ['a: !mark "b\\n\n  c"\n', '"b\\n\n  c"', 'b\n c'],
    ['a: [x, !mark b, c]', 'b', 'b'],
    ['a: {x: !mark "b"}', '"b"', 'b'],
    ['- !mark b\n- c\n', 'b', 'b'],
    ['a: &x !mark b\n', 'b', 'b'],
    ['a: !mark &x b\n', 'b', 'b'],
    ['a: !mark\n  b\n', 'b', 'b'],
    ['a: !mark # c\n  b\n', 'b', 'b'],
    ['a: !mark 0644\n', '0644', '0644'],
    ['a: !mark |\n  b\n   c\n\n# d\ne: f\n', '|\n  b\n   c', 'b\n c\n'],
    ['a: !mark >-  # d\n  b\n  c\n\n\n', '>-  # d\n  b\n  c', 'b c'],
    ['a: !mark |+\n  b\n\nc: d\n', '|+\n  b', 'b\n\n'],
    ['a: !mark |2\n    b', '|2\n    b', '  b'],
    ['a: !mark |\nb: c\n', '|', ''],
    ['a: !mark |\r\n  b\r\n  c\r\nd: e\r\n', '|\r\n  b\r\n  c', 'b\nc\n'],
    ['\ufeffa: !mark b\r\nc: d\r\n', 'b', 'b'],
    ['a: !mark\nb: c\n', '', ''],
  ])('%j is found to the character', (text, source, value) => {
    expect(marked(text)).toEqual([[source, value]]);
  });

  it('is also told on lists, on mappings, and in keys', () => {
    expect(marked('a: !mark [b]\nc: !mark\n  d: e\n')).toEqual([
      ['a list', ''],
      ['a mapping', ''],
    ]);
    const { marks } = loadMarkedYaml('!mark a: &k !mark b\n*k : c\n', { name: 'x', mark: MARK });
    expect(marks.found.map(({ on }) => typeof on === 'object' && marks.isKey(on.node))).toEqual([true, true]);
  });

  it('is read as text, and every other unknown tag is refused still', () => {
    expect(hidden('a: !other b')).toBe('the tag … is not known');
    expect(hidden('a: !other [b]')).toBe('the tag … is not known here');
  });

  it('is an unknown tag to everybody else', () => {
    expect(told('a: !mark b')).toBe('the tag !mark is not known');
    expect(told('a: !mark [b]')).toBe('the tag !mark is not known here');
    expect(told('a: !mark\n')).toBe('the tag !mark is not known');
  });

  it('is among the entries as they were written, also where a merge would have hidden it', () => {
    const { root, marks } = loadMarkedYaml('<<: {a: !mark b}\na: c\n', { name: 'x', mark: MARK });
    expect(marks.writtenEntries(root ?? expect.fail()).map(({ key }) => key.source)).toEqual(['<<', 'a']);
  });
});

describe('an error about a text with marks', () => {
  /** No message of ours has these letters. */
  const word = fc.string({ unit: fc.constantFrom('Q', 'Z', 'X', 'J'), minLength: 2, maxLength: 8 });
  const sign = fc.constantFrom(
    ...[
      '\n',
      '\n  ',
      '\n    ',
      ' ',
      ': ',
      '- ',
      '? ',
      ', ',
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '&',
      '*',
      '!',
      '!!',
    ],
    ...[
      '!mark ',
      '!<',
      '>',
      '|\n',
      '>\n',
      '\\',
      '\\x',
      '\\u',
      '%',
      '%TAG !',
      '%YAML ',
      '---',
      '...',
      '<<: ',
      '=',
    ],
    ...['\t', '@', '`', '0b_', '!!int ', '!!bool ', '!!binary ', '\u0007', '%4', '# '],
  );
  const text = fc.array(fc.oneof(word, sign), { maxLength: 30 }).map((parts) => parts.join(''));

  it('repeats nothing of it', () => {
    let errors = 0;
    fc.assert(
      fc.property(text, (broken) => {
        const message = hidden(broken);
        if (message === undefined) return;
        errors += 1;
        expect(message).toMatch(/^(?:(?![QZXJ]{2})[ -~…])+$/);
      }),
      { numRuns: 5_000 },
    );
    expect(errors).toBeGreaterThan(1_000);
  });

  it.each<[text: string, words: string]>([
    ['a: *QZXJ\n', 'there is no anchor &… before *…'],
    ['a: !QZXJ b\n', 'the tag … is not known'],
    ['a: @QZXJ\n', 'no text can begin with …; put it in quotes'],
    ['a: %QZXJ\n', 'no text can begin with …; put it in quotes'],
    ['QZXJ: 1\nQZXJ: 2\n', 'the key … is there twice'],
    ['a: "\\Q"\n', '\\… is no escape of YAML; write \\\\ for a backslash, or use single quotes'],
    ['a: \u0007', 'the character U+… is not allowed in YAML'],
    ['a: !!int QZXJ', '"…" cannot be a …'],
  ])('%j', (broken, words) => {
    expect(hidden(broken)).toBe(words);
  });

  it('is the same as ever for everybody else', () => {
    expect(told('a: *QZXJ\n')).toBe('there is no anchor &QZXJ before *QZXJ');
    expect(told('a: "\\Q"\n')).toContain('\\Q is no escape of YAML; write \\\\ for');
  });
});
