/** The short way reads what the `yaml` package reads, place for place, or leaves the file to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../errors/zester-error.ts';
import { loadAnyYaml } from './load-yaml.ts';
import { readPlainBlocks } from './plain-blocks.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** The package's reading, or the code of its error. */
function byPackage(text: string): unknown {
  try {
    return loadAnyYaml(text, { name: 'x' }).root;
  } catch (error) {
    if (isZesterError(error)) return error.code;
    throw error;
  }
}

/** Whether the short way was taken; where it was, it must have read the same. */
function agrees(text: string): boolean {
  const root = readPlainBlocks(text);
  if (root !== undefined) expect({ text, root }).toEqual({ text, root: byPackage(text) });
  return root !== undefined;
}

describe('the short way', () => {
  it.each([
    '/etc/motd:\n  file.managed:\n    - contents: Hello\n    - mode: 0644\n    - makedirs: yes\n',
    'a:\n  test.nop: []\nb:\n  test.nop: {}\n',
    "x:\n  cmd.run:\n    - name: |\n        echo 'a: b' # c\n\n          deeper\n    - creates: '/a b'\n",
    'x:\n  a: |-\n    one\n    two\n\n\ny: 1\n',
    'include:\n- web\n- db.common\n',
    '# a comment\n\nx:\n    # another\n    y: z\n',
    'a:\n  - b: 1\n    c: 2\n  -   d: 3\n      e: 4\n',
    '"quoted key": "quoted"\n',
    'url: http://a.b/c?d=e#f\n',
    '- a\n- -1\n- .5\n',
    'a: 1',
    'a: |\n  last line',
    'a: |\n  last line\n\n  ',
    'a: |\n  last line\n    ',
  ])('is taken for %j', (text) => {
    expect(agrees(text)).toBe(true);
  });

  it.each([
    '',
    'a',
    'a: [1, 2]\n',
    'a: &b 1\nc: *b\n',
    'a: b\n  c\n',
    'a: b # c\n',
    'a:\n',
    'a: 1\na: 2\n',
    'a: "x\\n"\n',
    "a: 'it''s'\n",
    'a: |+\n  x\n\n',
    'a: >\n  x\n',
    'a:\tb\n',
    'a: é\n',
    '---\na: 1\n',
    'a: 1\n...\n',
    '%YAML 1.1\n---\na: 1\n',
    '<<: {a: 1}\n',
    'a: =\n',
    '- - a\n',
    '? a\n: b\n',
    'a: !x b\n',
    'a:\n   b: 1\n  c: 2\n',
    'a: |\n  x\n y\n',
    'a: 0b_\n',
  ])('is not taken for %j', (text) => {
    expect(agrees(text)).toBe(false);
  });

  it('is taken for a file as large and plain as files get', () => {
    const states = Array.from(
      { length: 1_000 },
      (_, i) => `/srv/${i}:\n  file.managed:\n    - mode: '0644'\n`,
    );
    expect(agrees(states.join(''))).toBe(true);
  });

  it('agrees on everything that PyYAML was recorded with', () => {
    const cases = readFileSync(join(ROOT, 'test/fixtures/yaml/load.jsonl'), 'utf8').trimEnd().split('\n');
    const taken = cases.filter((line) => agrees((JSON.parse(line) as { readonly text: string }).text));
    expect(taken.length).toBeGreaterThan(100);
  });

  it('agrees on our examples', () => {
    const files = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /\.(?:zy|sls|yaml)$/.test(name)))
      agrees(readFileSync(join(ROOT, 'examples', file), 'utf8'));
  });

  it('agrees on any lines, whatever their order and indentation', () => {
    const word = fc.constantFrom(
      ...['a', 'b-c', '/etc/x', '0644', 'yes', '~', '-1', '- x', '-', '--', 'a b', "'q'", '"q"', "''", '""'],
      ...[
        '|',
        '|-',
        '|+',
        '>',
        '[]',
        '{}',
        '[a]',
        '# c',
        'x # c',
        'x#y',
        'http://x',
        'a:b',
        'a: b',
        ': ',
        ':',
      ],
      ...[
        '*a',
        '&a',
        '!t',
        '@',
        '%x',
        '`',
        '=',
        '<<',
        '?',
        '? a',
        ' ',
        '',
        '1.5',
        'null',
        '\\',
        '$x',
        '(a)',
        '^x$',
      ],
    );
    const line = fc.oneof(
      word,
      fc.tuple(word, word).map(([key, value]) => `${key}: ${value}`),
      fc.tuple(word, word).map(([key, value]) => `- ${key}: ${value}`),
      word.map((key) => `${key}:`),
      word.map((item) => `- ${item}`),
      word.map((item) => `-   ${item}`),
    );
    const text = fc
      .array(fc.tuple(fc.constantFrom(0, 0, 1, 2, 2, 4, 4, 6), line), { maxLength: 7 })
      .map((lines) => lines.map(([indent, each]) => `${' '.repeat(indent)}${each}\n`).join(''))
      // A template loses its last newline.
      .chain((whole) => fc.constantFrom(whole, whole.replace(/\n$/, '')));
    fc.assert(
      fc.property(text, (each) => void agrees(each)),
      { numRuns: 5_000 },
    );
  });
});
