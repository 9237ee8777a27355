import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataOfYaml } from '../data/data-of-yaml.ts';
import { type DataValue, dataAt, isDataMap } from '../data/data-value.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import { keysOfSecretPath } from './secret-path.ts';
import { setSecret } from './set-secret.ts';

const SEALED = 'ENC[fleet,1,AAAA]';
const NEW = `!encrypted "${SEALED}"`;

function set(text: string | undefined, path: string, mustExist = false) {
  const keys = keysOfSecretPath(path) ?? expect.fail();
  return setSecret({ path: 'a.zy', text }, { keys, sealed: SEALED, mustExist });
}

function textAfter(text: string | undefined, path: string, mustExist = false): string {
  const done = set(text, path, mustExist);
  return 'text' in done ? done.text : `refused: ${done.message}`;
}

describe('a secret that is there', () => {
  it.each<[before: string, path: string, after: string]>([
    ['a: !encrypted "old1" # note\nb: 1\n', 'a', `a: ${NEW} # note\nb: 1\n`],
    ['a:\n  - x: !encrypted old1\n    y: 1\n', 'a.0.x', `a:\n  - x: ${NEW}\n    y: 1\n`],
    ['a: !encrypted |\n  old1\n  old2\n\n# note\nb: 1\n', 'a', `a: ${NEW}\n\n# note\nb: 1\n`],
    ['a: {b: !encrypted old1, c: 1}\r\n', 'a.b', `a: {b: ${NEW}, c: 1}\r\n`],
    ['a: !encrypted &x old1\nb: *x\n', 'a', `a: !encrypted &x "${SEALED}"\nb: *x\n`],
    ['"a b": !encrypted old1\n', 'a%20b', `"a b": ${NEW}\n`],
    ['\ufeffa: !encrypted old1\n', 'a', `\ufeffa: ${NEW}\n`],
  ])('%j is replaced at %s', (before, path, after) => {
    expect(textAfter(before, path, true)).toBe(after);
  });
});

describe('a setting that is no secret yet', () => {
  it.each<[before: string, path: string, after: string]>([
    ['a: old # note\n', 'a', `a: ${NEW} # note\n`],
    ['a:\n  b: "x\n  y"\n', 'a.b', `a:\n  b: ${NEW}\n`],
    ['a:  # note\nb: 1\n', 'a', `a: ${NEW}  # note\nb: 1\n`],
    ['a: ~\n', 'a', `a: ${NEW}\n`],
  ])('%j becomes one at %s', (before, path, after) => {
    expect(textAfter(before, path)).toBe(after);
  });

  it('is not rotated', () => {
    for (const [text, path] of [
      ['a: old\n', 'a'],
      ['a: {b: 1}\n', 'a.c'],
      [undefined, 'a'],
      ['', 'a'],
    ] as const)
      expect(textAfter(text, path, true)).toBe('refused: there is no such secret');
  });
});

describe('a key that is not there', () => {
  it.each<[before: string | undefined, path: string, after: string]>([
    [undefined, 'a.b', `a:\n  b: ${NEW}\n`],
    ['', 'a', `a: ${NEW}\n`],
    ['# only a comment', 'a', `# only a comment\na: ${NEW}`],
    ['a: 1', 'b', `a: 1\nb: ${NEW}`],
    ['a: 1\r\n# end\r\n', 'b', `a: 1\r\nb: ${NEW}\r\n# end\r\n`],
    [
      'db:\n  host: x\n  # later\n\nweb: 1\n',
      'db.password',
      `db:\n  host: x\n  password: ${NEW}\n  # later\n\nweb: 1\n`,
    ],
    ['db:\n  host: x\nweb: 1\n', 'db.users.0', `db:\n  host: x\n  users:\n    "0": ${NEW}\nweb: 1\n`],
    ['a:\n- x: 1\n- y: 2\nb: 3\n', 'a.0.z', `a:\n- x: 1\n  z: ${NEW}\n- y: 2\nb: 3\n`],
    ['a: {b: 1}\n', 'a.c.d', `a: {c: {d: ${NEW}}, b: 1}\n`],
    ['a: {}\n', 'a.yes', `a: {"yes": ${NEW}}\n`],
    ['{a: 1}\n', 'b', `{b: ${NEW}, a: 1}\n`],
    ['a:   # note\nb: 1\n', 'a.c', `a:   # note\n  c: ${NEW}\nb: 1\n`],
    ['a: |\n  x\n  # text\nb: 1\n', 'c', `a: |\n  x\n  # text\nb: 1\nc: ${NEW}\n`],
    ['t:\n  a: |\n    x\n    # text\n', 't.c', `t:\n  a: |\n    x\n    # text\n  c: ${NEW}\n`],
    ['a: 1\n...\n', 'b', `a: 1\nb: ${NEW}\n...\n`],
    ['base: &b {p: 1}\nc:\n  <<: *b\n', 'c.p', `base: &b {p: 1}\nc:\n  <<: *b\n  p: ${NEW}\n`],
  ])('in %j is added at %s', (before, path, after) => {
    expect(textAfter(before, path)).toBe(after);
  });
});

describe('a file is left alone, without a word of its text,', () => {
  it.each<[text: string, path: string, message: string]>([
    ['{% if hunter22 %}\na: 1\n', 'a', 'no text can begin with …; put it in quotes'],
    ['- hunter22\n', 'a', 'a settings file is a mapping of names to values'],
    ['a: hunter22\n', 'a.b', 'here is a value, and no mapping'],
    ['a: {b: hunter22}\n', 'a', 'here is a list or a mapping, and no value'],
    ['a: [hunter22]\n', 'a.1', 'the list here has no such item'],
    ['a: [hunter22]\n', 'a.x', 'the list here has no such item'],
    [
      'a:\n  b: "hunter22\nmore"\n',
      'a.c',
      'this cannot be put into the file without changing something else in it',
    ],
    ['a: !!str hunter22\n', 'a', 'this cannot be put into the file without changing something else in it'],
    ['{a}\n', 'a', 'this cannot be put into the file without changing something else in it'],
  ])('when %j has no place for %s', (text, path, message) => {
    const done = set(text, path);
    expect(done).toMatchObject({ message, at: { file: 'a.zy' }, hint: expect.any(String) });
    expect(JSON.stringify(done)).not.toContain('hunter');
  });
});

describe('any file', () => {
  const KEYS = ['a', 'b', 'c', 'no', '1', 'x y'];
  const key = fc.constantFrom(...KEYS);
  const leaf = fc.constantFrom(
    '1',
    'text # note',
    '"q"',
    '!encrypted old1',
    '|\n      # l\n      m',
    '[1, 2]',
    '{z: 1}',
    '',
  );
  const { map } = fc.letrec<{ map: Readonly<Record<string, unknown>> }>((tie) => ({
    map: fc.dictionary(key, fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('map')), {
      minKeys: 1,
      maxKeys: 4,
    }),
  }));
  const printed = (tree: Readonly<Record<string, unknown>>, indent: string): string =>
    Object.entries(tree)
      .map(([name, value]) => {
        const head = `${indent}# about ${name}\n${indent}${JSON.stringify(name)}:`;
        return typeof value === 'string'
          ? `${head} ${value}\n`
          : `${head}\n${printed(value as Readonly<Record<string, unknown>>, `${indent}  `)}`;
      })
      .join('\n');
  const below = (data: DataValue | undefined, name: string): DataValue | undefined => {
    if (Array.isArray(data)) return (data as readonly DataValue[])[Number(name)];
    return isDataMap(data) ? dataAt(data, name) : undefined;
  };
  const means = (text: string) =>
    dataOfYaml(loadYaml(text.replaceAll('!encrypted', '!!str'), { name: 'x' }).root ?? expect.fail());

  it('means the same but at the path, and keeps its comments', () => {
    let sets = 0;
    fc.assert(
      fc.property(map, fc.array(key, { minLength: 1, maxLength: 3 }), (tree, keys) => {
        const before = printed(tree, '');
        const done = setSecret({ path: 'a.zy', text: before }, { keys, sealed: SEALED, mustExist: false });
        if (!('text' in done)) return;
        sets += 1;
        let old: DataValue | undefined = means(before);
        let now: DataValue | undefined = means(done.text);
        for (const [depth, name] of keys.entries()) {
          for (const other of KEYS.filter((each) => each !== name))
            expect(below(now, other)).toEqual(below(old, other));
          [old, now] = [below(old, name), below(now, name)];
          if (depth === keys.length - 1) expect(now).toBe(SEALED);
        }
        const comments = (text: string) => text.match(/# (?:about|note).*/g) ?? [];
        expect(comments(done.text)).toEqual(comments(before));
      }),
      { numRuns: 500 },
    );
    expect(sets).toBeGreaterThan(200);
  });
});
