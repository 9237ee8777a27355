import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemLine } from '../../../test/harness/states/compiled-files.ts';
import { dataOfYaml } from '../data/data-of-yaml.ts';
import type { DataMap } from '../data/data-value.ts';
import { ProblemList } from '../states/compile/problem-list.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import { findSecrets, refuseSecretsInStates, withPlaceholders } from './find-secrets.ts';
import { substituteSecrets } from './secret-placeholders.ts';

const opened = (sealed: string) => (sealed === 'ENC[fleet,1,AAAA]' ? 'opened value' : undefined);

function found(text: string, path = 'a.zy') {
  const problems = new ProblemList();
  const secrets = findSecrets({ path, text }, opened, problems);
  return {
    problems: problems.errors.map(problemLine),
    values: Object.fromEntries(secrets.map(({ path: name, value }) => [name, value])),
    places: secrets.map(({ at }) => `${at.line}:${at.column}`),
    clean: withPlaceholders(text, secrets, ({ path: name }) => name),
  };
}

function data(text: string): DataMap {
  const { root } = loadYaml(text, { name: 'x' });
  return dataOfYaml(root ?? expect.fail()) as DataMap;
}

describe('a marked value', () => {
  it('gives way to a placeholder, and everything else stays', () => {
    const text = [
      '# Who may write to it',
      'database:',
      '  host: db.example.com   # the new one',
      '  password: !encrypted "s3cretP@ss" # rotate in May',
      "  odd: '{{ facts.os }}'",
      'users:',
      '  - {name: anna, password: !encrypted one-two}',
      '  - name: ben',
      '    password: !encrypted three four',
      '',
    ].join('\n');
    const { values, clean, problems, places } = found(text);
    expect(problems).toEqual([]);
    expect(values).toEqual({
      'database.password': 's3cretP@ss',
      'users.0.password': 'one-two',
      'users.1.password': 'three four',
    });
    expect(places).toEqual(['4:13', '7:28', '9:15']);
    expect(clean).toBe(
      [
        '# Who may write to it',
        'database:',
        '  host: db.example.com   # the new one',
        '  password: "__ZESTER_SECRET:database.password__" # rotate in May',
        "  odd: '{{ facts.os }}'",
        'users:',
        '  - {name: anna, password: "__ZESTER_SECRET:users.0.password__"}',
        '  - name: ben',
        '    password: "__ZESTER_SECRET:users.1.password__"',
        '',
      ].join('\n'),
    );
  });

  it.each<[text: string, clean: string]>([
    ['a: !encrypted |\r\n  one1\r\n  two2\r\nb: 1\r\n', 'a: "P"\r\n\r\n\r\nb: 1\r\n'],
    ['a: !encrypted >-\n  one1\n\n  two2\n\n\n# c\nb: 1\n', 'a: "P"\n\n\n\n\n\n# c\nb: 1\n'],
    ['a: !encrypted\n  "one1\n  two2" # c\nb: 1\n', 'a: \n  "P"\n # c\nb: 1\n'],
    ['\ufeffa: &x !encrypted one1\nb: *x\n', '\ufeffa: &x "P"\nb: *x\n'],
    ['a: !encrypted &x one1\n', 'a: &x "P"\n'],
    ['a: !<!encrypted> one1\n', 'a: "P"\n'],
  ])('%j keeps its line and what stands around it', (text, clean) => {
    expect(found(text)).toMatchObject({ problems: [], clean: clean.replace('P', '__ZESTER_SECRET:a__') });
  });

  it('has one placeholder, whatever names it again', () => {
    const text = [
      'base: &b {user: u, password: !encrypted one1}',
      'other: *b',
      'merged: {<<: *b, user: v}',
      'own: {<<: {password: !encrypted two2}, password: !encrypted three3}',
    ].join('\n');
    const { values, clean } = found(text);
    expect(Object.keys(values)).toEqual(['base.password', 'own.%3C%3C.password', 'own.password']);
    expect(substituteSecrets(data(clean), new Map(Object.entries(values)))).toEqual({
      data: {
        base: { user: 'u', password: 'one1' },
        other: { user: 'u', password: 'one1' },
        merged: { password: 'one1', user: 'v' },
        own: { password: 'three3' },
      },
      missing: [],
    });
  });

  it('that is sealed at rest is opened', () => {
    expect(found('a: !encrypted "ENC[fleet,1,AAAA]"\nb: !encrypted >\n  ENC[fleet,1,AAAA]\n').values).toEqual(
      {
        a: 'opened value',
        b: 'opened value',
      },
    );
  });
});

describe('a file is refused, without a word of its text,', () => {
  const LIST = 'write it before one value';
  it.each<[why: string, text: string, problem: string]>([
    [
      'when it is no YAML',
      'a: !encrypted hunter22\n{% if x %}\n',
      'a.zy:2:2 a file with !encrypted must be YAML before it is rendered, and this one is not: no text can begin with …; put it in quotes | move the secret values to a file of their own',
    ],
    [
      'when its mark has no blank behind it',
      'a: !encrypted"hunter22"\n',
      'a.zy:1:4 a file with !encrypted must be YAML before',
    ],
    ['when it is a list', '- !encrypted hunter22\n', 'a.zy:1:1 a settings file is a mapping'],
    ['when it is one value', '!encrypted hunter22\n', 'a.zy:1:12 a settings file is a mapping'],
    [
      'for a mark on a list',
      'a: !encrypted [hunter22]\n',
      `a.zy:1:4 !encrypted stands before a list | ${LIST}`,
    ],
    [
      'for a mark on a mapping',
      'a: !encrypted\n  hunter22: 1\n',
      `a.zy:1:4 !encrypted stands before a mapping | ${LIST}`,
    ],
    ['for a mark on a key', '!encrypted hunter22: 1\n', 'a.zy:1:1 !encrypted stands before a key'],
    [
      'for a secret as a key',
      'a: &k !encrypted hunter22\n*k : 1\n',
      'a.zy:1:7 !encrypted stands before a key',
    ],
    ['for a mark on nothing', 'a: !encrypted\n', 'a.zy:1:4 a secret has at least 4 characters'],
    ['for a short value', 'a: !encrypted " abc  "\n', 'a.zy:1:4 a secret has at least 4 characters'],
    [
      'for a mark in a comment',
      'a: !encrypted hunter22\n# b: !encrypted hunter23\n',
      'a.zy:2:6 !encrypted stands here as text or in a comment',
    ],
    ['for a mark in a text', 'b: "!encrypted hunter22"\n', 'a.zy:1:5 !encrypted stands here as text'],
    [
      'for two keys that look the same',
      '1: !encrypted hunter22\n"1": !encrypted hunter23\n',
      'a.zy:2:6 two keys here look the same',
    ],
    [
      'for a seal that does not open',
      'a: !encrypted ENC[fleet,1,BBBB]\n',
      'a.zy:1:4 this value was sealed to another fleet key',
    ],
    [
      'for a seal that was cut off',
      'a: !encrypted "ENC[fleet,1"\n',
      'a.zy:1:4 this value was sealed to another fleet key',
    ],
    [
      'for a misspelled mark',
      'a: !encypted hunter22\n',
      'a.zy:1:4 this looks like !encrypted with a mistake',
    ],
    [
      'for a mark with capitals',
      '{% if x %}\na: [!Encrypted hunter22]\n',
      'a.zy:2:5 this looks like !encrypted',
    ],
    ['for a mark that hides itself', 'a: !%65ncrypted hunter22\n', 'a.zy:1:4 this looks like !encrypted'],
    ['for a mark of YAML', 'a: !!encrypted hunter22\n', 'a.zy:1:4 a file with !encrypted must be YAML'],
  ])('%s', (_, text, problem) => {
    const { problems } = found(text);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hunter');
  });

  it('when it is no settings file', () => {
    expect(found('a: !encrypted hunter22', 'map.jinja').problems).toEqual([
      expect.stringContaining('map.jinja:1:4 !encrypted has a meaning in settings files only'),
    ]);
  });

  it('with all its mistakes at once', () => {
    expect(found('a: !encrypted [x]\nb: !encrypted y\n').problems).toHaveLength(2);
  });
});

describe('a file without the mark', () => {
  it.each(['{% if x != 1 %}\na: !!str 1\n{% endif %}', 'a: hunter22', "a: 'wow! important'", 'a: !other b'])(
    '%j passes as it is',
    (text) => {
      expect(found(text)).toEqual({ problems: [], values: {}, places: [], clean: text });
    },
  );
});

describe('a state file', () => {
  it('with the mark is refused, wherever it stands', () => {
    const problem = refuseSecretsInStates('web/init.zy', '{% if x %}\n  - text: !encrypted "hunter22"\n');
    expect(problem === undefined ? '' : problemLine(problem)).toContain(
      'web/init.zy:2:11 !encrypted stands in a file of the states',
    );
    expect(refuseSecretsInStates('x.sls', '# [!encrypted, a]')).toBeDefined();
  });

  it.each(['web/vars.yaml', 'map.jinja', 'x.json', 'web.v1/a.zy', 'notes.txt'])(
    'is refused in %s',
    (path) => {
      expect(refuseSecretsInStates(path, 'a: !encrypted x')).toBeDefined();
    },
  );

  it.each(['!Encrypted x', '!encrypt x', '!<!encrypted> x', '!encrypted"x"', '[!encrypted, a]'])(
    'is refused when it is spelled %s',
    (text) => {
      expect(refuseSecretsInStates('a.yaml', `a: ${text}`)).toBeDefined();
    },
  );

  it('without it is not', () => {
    expect(refuseSecretsInStates('a.zy', 'text: not!encrypted')).toBeUndefined();
    expect(refuseSecretsInStates('a.conf', 'a = !crypt, !encryptedly')).toBeUndefined();
  });
});

/** A document with marked values in every style, and the lines of its keys. */
const value = fc.tuple(
  fc.constantFrom('plain', 'single', 'double', 'literal', 'folded', 'keep', 'wrapped', 'next line'),
  fc.boolean(),
  fc.integer({ min: 0, max: 9_999 }),
);
type Value = typeof value extends fc.Arbitrary<infer T> ? T : never;
interface Tree {
  readonly entries: readonly ({ readonly value: Value } | { readonly list: readonly Value[] } | Tree)[];
}
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.record({
    entries: fc.array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({ value }),
        fc.record({ list: fc.array(value, { minLength: 1, maxLength: 3 }) }),
        tie('tree'),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  }),
}));

/** In brackets where that is possible. */
function list(items: readonly Value[], indent: string): string {
  const inBrackets = items.every(([style]) => ['plain', 'double', 'wrapped'].includes(style));
  return inBrackets
    ? ` [${items.map((item) => written(item, indent)).join(', ')}]`
    : items.map((item) => `\n${indent}- ${written(item, indent)}`).join('');
}

function written([style, isSecret, number]: Value, indent: string): string {
  const mark = isSecret ? '!encrypted ' : '';
  const [a, b] = isSecret ? [`s3cret${number}`, `#b: ${number}s3cret`] : [`plain${number}`, 'more'];
  const deeper = `\n${indent}    `;
  switch (style) {
    case 'single':
      return `${mark}'${a}''${b}' # note`;
    case 'double':
      return `${mark}"${a}\\t\\"${b}"`;
    case 'literal':
      return `${mark}|${deeper}${a}${deeper}  ${b}\n`;
    case 'folded':
      return `${mark}>-${deeper}${a}\n${deeper}${a}`;
    case 'keep':
      return `${mark}|+ # note${deeper}${a}\n\n`;
    case 'wrapped':
      return `${mark}"${a}${deeper}${a}\n${deeper}end"`;
    case 'next line':
      return `${mark.trimEnd()} # note${deeper}${a}${deeper}${a}`;
    default:
      return `${mark}${a} ${a}`;
  }
}

function printed({ entries }: Tree, indent: string): string {
  const lines = entries.map((entry, at) => {
    const key = `${indent}k${at}:`;
    if ('entries' in entry) return `${key}\n${printed(entry, `${indent}  `)}`;
    if ('list' in entry) return `${key}${list(entry.list, indent)}\n`;
    return `${key} ${written(entry.value, indent)}\n`;
  });
  return lines.join(`${indent}# between\n`);
}

function linesOfKeys(text: string): readonly (readonly [string, number])[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, at) => (/^ *(?:- )?k\d+:/.test(line) ? [[line.split(':')[0] ?? '', at] as const] : []));
}

describe('any document', () => {
  it('means the same with its values put back, in the same lines, and shows none of them', () => {
    fc.assert(
      fc.property(tree, fc.boolean(), fc.boolean(), (given, hasCr, hasBom) => {
        const plain = `${hasBom ? '\ufeff' : ''}${printed(given, '')}`;
        const text = hasCr ? plain.replaceAll('\n', '\r\n') : plain;
        const { problems, values, clean } = found(text);
        expect(problems).toEqual([]);
        const { data: filled, missing } = substituteSecrets(data(clean), new Map(Object.entries(values)));
        expect(missing).toEqual([]);
        expect(filled).toEqual(data(text.replaceAll('!encrypted', '!!str')));
        expect(clean).not.toMatch(/s3cret|!encrypted/);
        expect(linesOfKeys(clean)).toEqual(linesOfKeys(text));
      }),
      { numRuns: 500 },
    );
  });
});
