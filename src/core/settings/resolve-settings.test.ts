import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { type SettingsMachine, settingsInput } from '../../../test/harness/states/settings-input.ts';
import { isZesterError, zesterError } from '../errors/zester-error.ts';
import { printPlace } from '../states/state-problem.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { ResolvedSettings } from './resolved-settings.ts';
import { SETTINGS_FILES_MAX, SETTINGS_INCLUDE_DEPTH_MAX, SETTINGS_INCLUDES_MAX } from './settings-limits.ts';

type Files = Readonly<Record<string, string>>;

function resolve(files: Files, machine?: SettingsMachine): Promise<ResolvedSettings> {
  return resolveSettings(settingsInput(memoryTree(files), machine));
}

/** The settings of a tree whose top file gives all of these names to everybody. */
async function settingsOf(names: readonly string[], files: Files, machine?: SettingsMachine) {
  return (await resolve(treeOf(names, files), machine)).settings;
}

function treeOf(names: readonly string[], files: Files): Files {
  return { 'top.zy': `base:\n  '*': ${JSON.stringify(names)}\n`, ...files };
}

/** What is wrong, as it is printed. */
async function problemsOf(files: Files, machine?: SettingsMachine): Promise<string> {
  try {
    await resolve(files, machine);
  } catch (error) {
    if (isZesterError(error, 'SETTINGS_INVALID')) return String(error.params.problems);
    throw error;
  }
  return expect.fail('nothing is wrong');
}

// What Salt's compiler has too is compared with it in test/salt-settings.
describe('resolveSettings', () => {
  it('is empty for a tree without files, and for a peel that no line means', async () => {
    expect((await resolve({})).settings).toEqual({});
    expect((await resolve({ 'README.md': 'hello' })).settings).toEqual({});
    expect(
      (await resolve({ 'top.zy': "base:\n  'db*': [db]\n", 'db.zy': 'a: {{ nothing }}' })).settings,
    ).toEqual({});
  });

  it('needs a top file where there are settings', async () => {
    expect(await problemsOf({ 'common.zy': 'a: 1' })).toMatch(
      /^\/states: there is no top\.zy\n {2}next: make one: /,
    );
  });

  it('a template sees the settings of the files before it, whole', async () => {
    const files = {
      'a.zy': 'port: 80\nweb: {tls: false, names: [x]}\n',
      'b.zy': 'web: {tls: true}\n',
      'c.zy':
        'url: http://localhost:{{ settings.port }}/{{ pillar.web.names[0] }}\ntls: {{ salt["pillar.get"]("web:tls") }}\n',
    };
    expect(await settingsOf(['a', 'b', 'c'], files)).toMatchObject({
      url: 'http://localhost:80/x',
      tls: true,
    });
  });

  it('an included file sees what its includer saw and the includes before it, not the includer', async () => {
    const files = {
      'first.zy': 'seen: [first]\n',
      'app.zy': 'include: [one, two]\nown: 1\n',
      'one.zy': 'one: {{ settings.keys() | join(",") }}\n',
      'two.zy': 'two: {{ settings.keys() | join(",") }}\n',
    };
    expect(await settingsOf(['first', 'app'], files)).toEqual({
      seen: ['first'],
      one: 'seen',
      two: 'seen,one',
      own: 1,
    });
  });

  it('a template knows facts, its own name, and templates of the settings tree', async () => {
    const files = {
      'web/init.zy':
        "{% from 'lib/map.jinja' import sizes with context %}\nsize: {{ sizes.big }}\nsls: {{ sls }}\nid: {{ grains.id }}\n",
      'lib/map.jinja': "{% set sizes = {'big': facts.cpus * 2} %}",
    };
    const machine = { peelId: 'web-07', facts: { cpus: 4 } };
    expect(await settingsOf(['web'], files, machine)).toEqual({ size: 8, sls: 'web', id: 'web-07' });
  });

  it('merges as the file _merge.zy says', async () => {
    const files = { 'a.zy': 'list: [1, 2]\nmap: {a: 1}', 'b.zy': 'list: [2, 3]\nmap: {b: 2}' };
    const merged = (rule: string) => settingsOf(['a', 'b'], { ...files, '_merge.zy': rule });
    expect(await merged('')).toEqual({ list: [2, 3], map: { a: 1, b: 2 } });
    expect(await merged('lists: append')).toEqual({ list: [1, 2, 3], map: { a: 1, b: 2 } });
    expect(await merged('strategy: overwrite')).toEqual({ list: [2, 3], map: { b: 2 } });
  });

  it('keeps keys, their order and floats as they were written', async () => {
    const settings = await settingsOf(['a'], { 'a.zy': '443: https\n80: http\nyes: 1.0\n' });
    expect([...(settings as ReadonlyMap<unknown, unknown>).keys()]).toEqual([443, 80, true]);
  });

  it('says of each file how it came: its line of the top file, the includes on the way', async () => {
    const { layers } = await resolve({
      'top.zy': "base:\n  '*':\n    - common\n  'web*':\n    - web\n",
      'common.zy': 'a: 1\n',
      'web/init.zy': 'include:\n  - .tls\n  - common\nb: 1\n',
      'web/tls.zy': 'c: 1\n',
    });
    expect(
      layers.map(({ ref, file, pattern, broughtBy, chain }) =>
        [ref, file, pattern, printPlace(broughtBy), ...chain.map(printPlace)].join(' '),
      ),
    ).toEqual([
      'common common.zy * top.zy:3:7',
      'web.tls web/tls.zy web* web/init.zy:2:5 top.zy:5:7',
      'common common.zy web* web/init.zy:3:5 top.zy:5:7',
      'web web/init.zy web* top.zy:5:7',
    ]);
  });
});

describe('secrets', () => {
  const files = {
    'a.zy':
      'db: {password: "__ZESTER_SECRET:db.password__", users: [{key: "__ZESTER_SECRET:db.users.0.key__"}]}\n',
    'b.zy':
      'dsn: "postgres://app:{{ settings.db.password }}@db/app"\nlength: {{ settings.db.password | length }}\n',
  };
  const secrets = { 'db.password': 's3cret-{{ 7 * 6 }}', 'db.users.0.key': 'k3y' };

  it('are put in after the merge; templates see placeholders, and carry them on', async () => {
    const resolved = await resolve(treeOf(['a', 'b'], files), { secrets });
    expect(resolved.settings).toEqual({
      db: { password: 's3cret-{{ 7 * 6 }}', users: [{ key: 'k3y' }] },
      dsn: 'postgres://app:s3cret-{{ 7 * 6 }}@db/app',
      length: '__ZESTER_SECRET:db.password__'.length,
    });
    expect(JSON.stringify(resolved.raw)).not.toContain('s3cret');
    expect(resolved.raw).toMatchObject({ dsn: 'postgres://app:__ZESTER_SECRET:db.password__@db/app' });
  });

  it('that are missing fail the resolve, all of them named and none of their values', async () => {
    const error: unknown = await resolve(treeOf(['a', 'b'], files), { secrets: { other: 'x' } }).catch(
      (e: unknown) => e,
    );
    if (!isZesterError(error, 'SETTINGS_SECRETS_MISSING')) throw error;
    expect(error.message).toBe(
      'settings: resolve for peel web-01: unresolved secret placeholders for keys: db.password, db.users.0.key',
    );
  });

  it('of a file that is not for this peel are not needed', async () => {
    const tree = { 'top.zy': "base:\n  'db*': [a]\n  '*': [c]\n", ...files, 'c.zy': 'c: 1' };
    expect((await resolve(tree)).settings).toEqual({ c: 1 });
  });
});

describe('mistakes', () => {
  it('are told all at once, with places in the files that were written', async () => {
    const files = {
      'top.zy': "base:\n  '*':\n    - one\n    - comon\n    - two\n  'web-01 and (':\n    - three\n",
      '_merge.zy': 'list: append\n',
      'common.zy': 'a: 1\n',
      'one.zy': 'include:\n  - part\n  - missing.file\nlist:\n  - 1\n',
      'two.zy': '{% for name in ["x"] %}\n{{ name }}: {{ 1 / 0 }}\n{% endfor %}\n',
      'part.zy': '- not\n- a mapping\n',
    };
    expect(await problemsOf(files)).toBe(
      [
        '_merge.zy:1:1: the merge rule has no key list',
        '  next: did you mean lists?',
        'top.zy:4:7: there is no settings file comon',
        '  next: did you mean common?',
        'top.zy:6:3: the parenthesis is never closed',
        '  web-01 and (',
        '             ^',
        '  next: combine matchers with and, or, not and parentheses; put a value with blanks in quotes',
        'part.zy:1:1: a settings file is a mapping of names to values, not a list',
        '  included from one.zy:2:5',
        '  next: begin with a name, such as `port: 80`',
        'one.zy:3:5: there is no settings file missing.file',
        '  next: looked for missing/file/init.zy, missing/file.zy, missing/file/init.sls, missing/file.sls',
        'two.zy:2:18: division by zero',
      ].join('\n'),
    );
  });

  it('of an included file name the file that includes it', async () => {
    const files = { 'a.zy': 'include: [b]\n', 'b.zy': 'include:\n  - c\n', 'c.zy': 'x: [\n' };
    expect(await problemsOf(treeOf(['a'], files))).toBe(
      [
        'c.zy:2:1: a value is missing here',
        '  included from b.zy:2:5',
        '  included from a.zy:1:11',
        '  next: look at the line and column given; quote text that YAML would read as something else',
      ].join('\n'),
    );
  });

  it('that follow from another are not told: what a later file misses may stand in the broken one', async () => {
    const files = { 'a.zy': 'port: [\n', 'b.zy': 'url: {{ settings.port }}\n', 'c.zy': 'x: {{ 1 / 0 }}\n' };
    const printed = await problemsOf(treeOf(['a', 'b', 'c'], files));
    expect(printed).toContain('a.zy:2:1');
    expect(printed).toContain('c.zy:1:9: division by zero');
    expect(printed).not.toContain('b.zy');
    expect(await problemsOf(treeOf(['b'], files))).toContain(
      "b.zy:1:18: 'dict object' has no attribute 'port'",
    );
  });

  it.each([
    ['include: part', 'a.zy:1:10: include takes a list of files, not "part"'],
    ['include: [{b: {key: x}, c: {}}]', 'a.zy:1:11: include takes names of files, not a mapping'],
    ['include: [{b: }]', 'a.zy:1:11: include takes names of files, not a mapping'],
    ['include: [{b: {kye: x}}]', 'a.zy:1:16: an include has no option kye'],
    ['include: [{b: {key: [x]}}]', 'a.zy:1:21: key of an include is text, not a list'],
    ['include: [{b: {key: "x::y"}}]', 'a.zy:1:21: a part of the key is empty'],
    ['include: [{b: {defaults: 1}}]', 'a.zy:1:26: defaults of an include is a mapping, not "1"'],
    ['include: [...b]', 'a.zy:1:11: ...b leads out of the tree'],
    ['include: [bb]', 'a.zy:1:11: there is no settings file bb'],
    ['x: {__proto__: 1}', 'a.zy:1:5: __proto__ cannot be a key'],
    ['#!py\nx: 1', 'a.zy:1:1: a settings file is read with jinja and yaml only'],
    ["{% import 'none.jinja' as m %}", 'a.zy:1:4: there is no template none.jinja in the tree of settings'],
    [
      'x: !encrypted "y"',
      'a.zy:1:4: a template writes !encrypted here, and then it is too late to seal the value',
    ],
    [
      'x: !encrypted [y]',
      'a.zy:1:4: a template writes !encrypted here, and then it is too late to seal the value',
    ],
  ])('%s', async (text, problem) => {
    const printed = await problemsOf(treeOf(['a'], { 'a.zy': `${text}\n`, 'b.zy': 'b: 1\n' }));
    expect(printed.split('\n')[0]).toBe(problem);
  });

  it('of a file that cannot be read stand at the line that asks for it', async () => {
    const tree = memoryTree(treeOf(['a'], { 'a.zy': 'x: 1' }));
    const broken = {
      ...tree,
      readText: async (path: string) => {
        if (path === 'a.zy') throw zesterError('STATE_FILE_TEXT', { path });
        return tree.readText(path);
      },
    };
    const error: unknown = await resolveSettings(settingsInput(broken)).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('top.zy:2:9: a.zy is not UTF-8 text');
  });

  it('a file included a second time with other defaults is a warning', async () => {
    const { warnings, settings } = await resolve(
      treeOf(['a'], {
        'a.zy': 'include:\n  - b: {key: one, defaults: {n: 1}}\n  - b: {key: two, defaults: {n: 2}}\n',
        'b.zy': 'n: {{ n }}\n',
      }),
    );
    expect(settings).toEqual({ one: { n: 1 }, two: { n: 1 } });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^a\.zy:3:5: b was rendered before with other defaults/);
  });
});

describe('bounds', () => {
  it('too many files', async () => {
    const names = Array.from({ length: SETTINGS_FILES_MAX + 1 }, (_, i) => `f${i}`);
    const files = Object.fromEntries(names.map((name) => [`${name}.zy`, '']));
    expect(await problemsOf(treeOf(names, files))).toMatch(/this would be more than 2000 settings files$/);
  });

  it('includes too deep', async () => {
    const files = Object.fromEntries(
      Array.from({ length: SETTINGS_INCLUDE_DEPTH_MAX + 2 }, (_, i) => [
        `f${i}.zy`,
        `include: [f${i + 1}]\n`,
      ]),
    );
    expect(await problemsOf(treeOf(['f0'], files))).toContain('includes are nested more than 50 deep');
  });

  it('too many includes of one file', async () => {
    const files = { 'a.zy': `include: [${'b,'.repeat(SETTINGS_INCLUDES_MAX + 2)}]\n`, 'b.zy': 'b: 1\n' };
    const printed = await problemsOf(treeOf(['a'], files));
    expect(printed).toMatch(/this would be more than 10000 includes$/);
    expect(printed.split('\n')).toHaveLength(1);
  });
});
