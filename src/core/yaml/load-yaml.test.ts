import { describe, expect, it } from 'vitest';
import { isZesterError } from '../errors/zester-error.ts';
import { loadYaml } from './load-yaml.ts';
import { yamlData } from './yaml-data.ts';
import type { YamlMapping, YamlNode, YamlScalar } from './yaml-node.ts';

function mapping(text: string): YamlMapping {
  const { root } = loadYaml(text, { name: 'x.sls' });
  if (root?.kind !== 'mapping') throw new Error('not a mapping');
  return root;
}

function value(text: string, key: string): YamlNode {
  const entry = mapping(text).entries.find((candidate) => candidate.key.source === key);
  if (entry === undefined) throw new Error(`no ${key}`);
  return entry.value;
}

/** `line:column problem`, so that one expectation says where and what. */
function problem(text: string): string {
  try {
    loadYaml(text, { name: 'x.sls' });
  } catch (error) {
    if (!isZesterError(error, 'YAML_INVALID')) throw error;
    expect(error.at?.file).toBe('x.sls');
    return `${error.at?.line}:${error.at?.column} ${error.message}`;
  }
  return 'no error';
}

describe('loadYaml', () => {
  it('tells how a number was written, for file modes', () => {
    const modes = ['644', '0644', '"0644"', '0o644'].map(
      (mode) => value(`mode: ${mode}`, 'mode') as YamlScalar,
    );
    expect(modes.map(({ source, value }) => [source, value.type])).toEqual([
      ['644', 'int'],
      ['0644', 'int'],
      ['0644', 'str'],
      ['0o644', 'str'],
    ]);
  });

  it('knows the place of every node', () => {
    const text = 'a:\n  - 1\n  - b: "x"\n';
    const list = value(text, 'a');
    expect(mapping(text).entries[0]?.key.at).toEqual({ line: 1, column: 1 });
    expect(list.at).toEqual({ line: 2, column: 3 });
    const inner = list.kind === 'sequence' ? list.items[1] : undefined;
    expect(inner?.at).toEqual({ line: 3, column: 5 });
    expect(inner?.kind === 'mapping' && inner.entries[0]?.value.at).toEqual({ line: 3, column: 8 });
  });

  it('keeps clock times and dates as text', () => {
    expect(yamlData(loadYaml('[12:30, 1:30:45, 2024-01-02]', { name: 'x' }).root)).toEqual([
      '12:30',
      '1:30:45',
      '2024-01-02',
    ]);
  });

  it('makes one node of an anchor and its aliases', () => {
    const text = 'a: &x [1]\nb: *x\n';
    expect(value(text, 'a')).toEqual(value(text, 'b'));
    const root = mapping(text);
    expect(root.entries[0]?.value).toBe(root.entries[1]?.value);
  });

  it('says where a file is wrong, and what is wrong there', () => {
    expect(problem('a: 1\nb: 2\na: 3\n')).toBe('3:1 the key a is there twice');
    expect(problem('a:\n  1: x\n  true: y\n')).toBe('3:3 the key true is there twice');
    expect(problem('a: *nope\n')).toBe('1:4 there is no anchor &nope before *nope');
    expect(problem('a: &x [*x]\n')).toBe('1:8 *x stands inside of what it names');
    expect(problem('a: &x 1\nb: &x 2\n')).toBe('2:4 the anchor &x is there twice');
    expect(problem('a:\n  ? [1, 2]\n  : x\n')).toBe('2:5 a list or a mapping cannot be a key');
    expect(problem('a:\n\tb: 1\n')).toBe('2:1 a tab cannot stand here; YAML takes spaces only');
    expect(problem('a: 1\n---\nb: 2\n')).toContain('there is a second document');
    expect(problem('a: !foo 1\n')).toBe('1:4 the tag !foo is not known');
    expect(problem('a: !!int x\n')).toBe('1:4 "x" cannot be a tag:yaml.org,2002:int');
    expect(problem('a: =\n')).toBe('1:4 = has a meaning of its own in YAML: put it in quotes');
    expect(problem('a: 0b_\n')).toBe('1:4 0b_ looks like a number but is none');
    expect(problem('a:\n  <<: 1\n')).toBe('2:3 << takes a mapping or a list of mappings');
    expect(problem('a: \u0007\n')).toBe('1:4 the character U+0007 is not allowed in YAML');
    expect(problem('x:\n  : a\n')).toBe('2:3 there is no key before the colon');
    expect(problem('a: [1, 2\nb: 3\n')).toBe('2:2 a comma or ] is missing before this');
    expect(problem('a: [1, 2\n')).toBe('1:4 the bracket is not closed; there is no ]');
    expect(problem('k: "v\\"\n')).toBe('1:4 the quote is not closed');
    expect(problem('a: b: c\n')).toBe('1:5 a colon cannot stand here; put text with ": " in it in quotes');
    expect(problem('a\n: 1\n')).toBe('2:1 the text before is complete, and nothing can follow it');
    expect(problem('a: 1\n  b: 2\n')).toBe(
      '2:4 a colon cannot stand here; put text with ": " in it in quotes',
    );
    expect(problem('a: "\\q"\n')).toBe(
      '1:5 \\q is no escape of YAML; write \\\\ for a backslash, or use single quotes',
    );
    expect(problem('a: *.conf\n')).toBe(
      '1:4 * begins the name of an anchor, which has letters, digits, - and _; put text with * in quotes',
    );
    expect(problem(`${'['.repeat(501)}${']'.repeat(501)}`)).toBe('1:501 this is nested more than 500 times');
    expect(problem('a: &x {k: 1}\nb: &y {k: 2}\nc: {<<: [*x, *y]}\n')).toBe(
      '1:8 the key k comes twice through <<; give it in the mapping itself',
    );
  });

  it('points at the right line where brackets close further left than they may', () => {
    expect(problem('a:\n  - b: {\n    c: 1,\n    d: *nope\n  }\n')).toBe(
      '4:8 there is no anchor &nope before *nope',
    );
  });

  it('refuses a small file that aliases blow up', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) =>
        `l${level}: &l${level} [${Array(10)
          .fill(level === 0 ? 'x' : `*l${level - 1}`)
          .join(', ')}]`,
    );
    expect(problem(levels.join('\n'))).toContain('with its aliases this is more than 1000000 values');
  });

  it('refuses a small file that merges blow up, before they are made', () => {
    const defaults = `- &d {${Array.from({ length: 2_000 }, (_, at) => `k${at}: 1`).join(', ')}}\n`;
    expect(problem(`${defaults}${'- {<<: *d}\n'.repeat(1_000)}`)).toBe(
      '502:4 up to here << copied more than 1000000 values',
    );
    expect(problem(`${defaults}- {${'<<: *d, '.repeat(1_000)}}\n`)).toBe(
      '2:4004 up to here << copied more than 1000000 values',
    );
  });

  it('refuses nesting that aliases hide', () => {
    const level = (at: number) => (at === 0 ? 'x' : `*a${at - 1}`);
    const levels = Array.from({ length: 501 }, (_, at) => `- &a${at} [${level(at)}]`);
    expect(problem(levels.join('\n'))).toBe('501:9 with its aliases this is nested more than 500 times');
    // What the mapping has itself takes the place of what is merged, and of all that is in it.
    const hidden = Array.from({ length: 501 }, (_, at) => `- {<<: {k: &a${at} [${level(at)}]}, k: 1}`);
    expect(problem(hidden.join('\n'))).toContain('with its aliases this is nested more than 500 times');
  });

  it('has no root for a file without content', () => {
    expect(loadYaml('# nothing\n', { name: 'x' }).root).toBeUndefined();
  });
});
