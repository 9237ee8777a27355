import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemLine } from '../../../test/harness/states/compiled-files.ts';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { settingsInput } from '../../../test/harness/states/settings-input.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { NO_WORDS } from '../target/operator-words.ts';
import { extractSettings } from './extract-settings.ts';
import { resolveSettings } from './resolve-settings.ts';

type Files = Readonly<Record<string, string>>;

function extract(files: Files, isTrustedFact: (path: string) => boolean = () => false) {
  const texts = Object.entries(files).map(([path, text]) => ({ path, text }));
  const extraction = extractSettings(texts, { openAtRest: () => undefined, isTrustedFact });
  return {
    ...extraction,
    problems: extraction.problems.map(problemLine),
    of: (peel: string, tags: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(extraction.secretsOf(peel as PeelId, { ...NO_WORDS, tags })),
    texts: Object.fromEntries(extraction.files.map(({ path, text }) => [path, text])),
  };
}

const SECRETS = { 'secrets.zy': 'password: !encrypted hunter22\n' };
const giving = (pattern: string, more = '') => ({
  'top.zy': `base:\n  ${JSON.stringify(pattern)}:${more}\n    - secrets\n`,
  ...SECRETS,
});

describe('the secrets of a tree', () => {
  it('go to the peels that the top file names by their ids', () => {
    const { of, problems, texts, secrets } = extract({
      'top.zy': "base:\n  'web*': [web]\n  L@db-01,web-02: [db]\nother:\n  E@01$: [web]\n",
      'web.zy': 'tls: {key: !encrypted web-key}\n',
      'db.zy': 'db: {password: !encrypted db-password}\nport: 5432\n',
      'unused.zy': 'x: !encrypted nobody-knows\n',
    });
    expect(problems).toEqual([]);
    expect(of('web-03')).toEqual({ 'tls.key': 'web-key' });
    expect(of('web-02')).toEqual({ 'db.password': 'db-password', 'tls.key': 'web-key' });
    expect(of('db-01')).toEqual({ 'db.password': 'db-password', 'tls.key': 'web-key' });
    expect(of('mail')).toEqual({});
    expect(texts['db.zy']).toBe('db: {password: "__ZESTER_SECRET:db.password__"}\nport: 5432\n');
    expect(secrets.map(({ path, file, at }) => [path, file, at.line])).toEqual([
      ['db.password', 'db.zy', 1],
      ['tls.key', 'web.zy', 1],
      ['x', 'unused.zy', 1],
    ]);
  });

  it('are named with their files where several files have one at the same path', () => {
    const { of, texts } = extract({
      'top.zy': "base:\n  'web*': [web]\n  'db*': [db, web.one]\n",
      'web/init.zy': 'db: {password: !encrypted of-web}\n',
      'web/one.zy': 'db: {password: !encrypted of-one, user: !encrypted anna}\n',
      'db.zy': 'x: 1\n',
    });
    expect(texts['web/init.zy']).toBe('db: {password: "__ZESTER_SECRET:db.password@web/init.zy__"}\n');
    expect(of('web-01')).toEqual({ 'db.password@web/init.zy': 'of-web' });
    expect(of('db-01')).toEqual({ 'db.password@web/one.zy': 'of-one', 'db.user': 'anna' });
  });

  it('go with includes that can be read before rendering', () => {
    const { of } = extract({
      'top.zy': "base:\n  'web*': [a]\n  'db*': [t]\n",
      'a/init.zy': 'include:\n  - .b\n  - c:\n      key: x\n',
      'a/b.zy': 'include: [a]\n',
      'c.zy': 'include: [secrets, "{{ nothing }}", missing]\n',
      't.zy': '{% if true %}\ninclude: [secrets]\n{% endif %}\n',
      ...SECRETS,
    });
    expect(of('web-01')).toEqual({ password: 'hunter22' });
    expect(of('db-01')).toEqual({});
  });
});

describe('a line of the top file that looks at facts', () => {
  it.each([
    ['G@role:db', ''],
    ['role:db', ''],
    ['web* and G@role:db', ''],
    ['not G@role:db', ''],
    ['web* or (db* and not I@x:y)', ''],
    ['role:db', '\n    - match: grain'],
    ['role:db', '\n    - match: pillar'],
  ])('%s%s may not lead to a secret', (pattern, more) => {
    expect(extract(giving(pattern, more)).problems).toEqual([
      expect.stringContaining(`top.zy:2:3 ${pattern} looks at facts, and leads to secrets in secrets.zy: `),
    ]);
  });

  it('may not through an include either', () => {
    const { problems } = extract({
      'top.zy': 'base:\n  G@os:Debian: [a, b]\n',
      'a.zy': 'include: [secrets]\n',
      'b.zy': 'x: 1\n',
      ...SECRETS,
    });
    expect(problems).toEqual([expect.stringContaining('top.zy:2:3 G@os:Debian looks at facts')]);
  });

  it('may lead to files without secrets, and by facts that an operator has set', () => {
    expect(
      extract({ 'top.zy': 'base:\n  G@os:Debian: [a]\n', 'a.zy': 'x: 1\n', ...SECRETS }).problems,
    ).toEqual([]);
    const { problems } = extract(giving('G@tags.tier:gold and web*'), (path) => path === 'tags.tier');
    expect(problems).toEqual([]);
    expect(extract(giving('G@a:1 and G@b:1'), (path) => path === 'a').problems).toHaveLength(1);
  });

  it('T@ may, and gives the secret to whom operators say it of, whatever a peel says', () => {
    const { problems, of } = extract(giving('web* and T@role:db'));
    expect(problems).toEqual([]);
    expect([of('web-01'), of('web-01', { role: 'web' }), of('db-01', { role: 'db' })]).toEqual([{}, {}, {}]);
    expect(of('web-01', { role: 'db' })).toEqual({ password: 'hunter22' });
    expect(extract(giving('T@role:db and G@os:Debian')).problems).toHaveLength(1);
  });

  it.each(['*', 'web*', 'not web*', 'E@^web', 'L@a,b', 'web* or (db* and not E@x)'])(
    '%s looks at none',
    (pattern) => {
      expect(extract(giving(pattern)).problems).toEqual([]);
    },
  );
});

describe('nothing is published', () => {
  it.each<[why: string, files: Files, problem: string]>([
    ['without a top file', SECRETS, 'the settings there is no top.zy'],
    ['with two', { ...giving('*'), 'top.sls': '' }, 'the settings there are top.zy and top.sls'],
    [
      'when it is a template',
      { ...giving('*'), 'top.zy': '{% if x %}' },
      'top.zy:1:1 the top file of settings is not a template',
    ],
    [
      'when it names a file that is not there',
      { 'top.zy': "base:\n  '*': [secret]\n", ...SECRETS },
      'top.zy:2:9 there is no settings file secret | did you mean secrets?',
    ],
    [
      'when it names two files at once',
      { ...giving('*'), 'secrets/init.zy': '' },
      'secrets is both secrets/init.zy and secrets.zy',
    ],
    ['when a pattern cannot be read', giving('web* and'), 'top.zy:2:3 '],
    [
      'when a file is broken',
      { ...giving('*'), 'b.zy': 'x: !encrypted\n' },
      'b.zy:1:4 a secret has at least',
    ],
    [
      'when the top file has a secret',
      { 'top.zy': "base:\n  '*': !encrypted hunter22\n", ...SECRETS },
      'top.zy:2:8 !encrypted has a meaning in settings files only',
    ],
    [
      'when another file has one',
      { ...giving('*'), 'map.yaml': 'a: !encrypted hunter22' },
      'map.yaml:1:4 !encrypted has a meaning',
    ],
  ])('%s', (_, files, problem) => {
    const { problems } = extract(files);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('hunter');
  });

  it('but a file that may be missing may be', () => {
    const top = "base:\n  '*':\n    - ignore_missing: true\n    - none\n    - secrets\n";
    expect(extract({ 'top.zy': top, ...SECRETS }).problems).toEqual([]);
  });

  it('and a tree without settings files is no problem', () => {
    expect(extract({ 'README.md': 'hello' })).toMatchObject({ problems: [], secrets: [] });
    expect(extract({}).of('web-01')).toEqual({});
  });
});

describe('any tree', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const file = fc.record({
    includes: fc.subarray(['a', 'b', 'c', 'd']),
    secrets: fc.subarray(['one', 'two', 'x.y']),
  });
  const line = fc.record({
    pattern: fc.constantFrom('*', 'web*', 'not web*', 'L@web-01', 'E@2$'),
    refs: fc.uniqueArray(name, { minLength: 1 }),
  });
  const text = (
    own: string,
    { includes, secrets }: { includes: readonly string[]; secrets: readonly string[] },
  ) =>
    [
      `include: ${JSON.stringify(includes)}`,
      `name_${own}: plain`,
      ...secrets.map((path) =>
        path.includes('.')
          ? `x: {y: !encrypted 'value of x.y in ${own}'}`
          : `${path}: !encrypted 'value of ${path} in ${own}'`,
      ),
    ].join('\n');

  it('gives each peel exactly the secrets that its settings ask for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ a: file, b: file, c: file, d: file }),
        fc.uniqueArray(line, { selector: ({ pattern }) => pattern }),
        fc.constantFrom('web-01', 'web-02', 'db-02', 'mail'),
        async (files, lines, peel) => {
          const top = lines.map(
            ({ pattern, refs }) => `  ${JSON.stringify(pattern)}: ${JSON.stringify(refs)}`,
          );
          const tree = {
            'top.zy': `base:\n${top.join('\n')}\n`,
            ...Object.fromEntries(Object.entries(files).map(([own, each]) => [`${own}.zy`, text(own, each)])),
          };
          const { texts, problems, of } = extract(tree);
          expect(problems).toEqual([]);
          expect(JSON.stringify(texts)).not.toContain('value of');
          const given = of(peel);
          const resolved = await resolveSettings(
            settingsInput(memoryTree(texts), { peelId: peel, secrets: given }),
          );
          // Whatever the merge shows is the value of the file on top; and every secret given is of a file it has.
          const reached = new Set(resolved.layers.map(({ file: path }) => path));
          const asked = Object.entries(files).filter(([own]) => reached.has(`${own}.zy`));
          expect(Object.values(given).sort()).toEqual(
            asked.flatMap(([own, { secrets }]) => secrets.map((path) => `value of ${path} in ${own}`)).sort(),
          );
          expect(JSON.stringify(resolved.settings)).not.toContain('__ZESTER');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('leaves a peel that has no secrets without settings, instead of with placeholders', async () => {
    const { texts } = extract(giving('web*'));
    const missing = resolveSettings(settingsInput(memoryTree(texts), { peelId: 'web-01' }));
    await expect(missing).rejects.toSatisfy((error) => isZesterError(error, 'SETTINGS_SECRETS_MISSING'));
  });
});
