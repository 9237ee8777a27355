import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typedInput } from '../../../test/harness/programs/run-command.ts';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { stateTemplates } from '../../core/states/template/state-templates.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { CliContext } from '../program/command.ts';
import { parseOptions } from '../program/parse-options.ts';
import { failureOf } from '../program/print-error.ts';
import { renderCommand } from './render.ts';
import { runRender } from './run-render.ts';

const FILES = {
  'states/nginx/init.sls':
    "{% from './map.jinja' import nginx with context %}\n{{ nginx.pkg }}:\n  pkg.installed:\n    - version: {{ version }}\n",
  'states/nginx/map.jinja': "{% set nginx = {'Debian': {'pkg': 'nginx-full'}}[grains.os] %}",
  'states/escape.sls': "{% include '../secret' %}",
  'states/common/motd': 'Welcome to {{ grains.host }}',
  'states/motd.sls': "{% include 'salt://common/motd' %}",
  secret: 'secret',
  'ask.jinja': "{{ salt['cmd.run']('id') }}",
  'names.jinja': "{{ show_full_context()|list|sort|join(' ') }} {{ salt|list|sort|join(' ') }}",
  'lookups.sls':
    "{{ salt['pillar.get']('web:port') }} {{ settings.web.port }} {{ pillar.web.port }} {{ grains.os_family }} {{ opts.id }} {{ salt['facts.get']('os.family') }} {{ sls }} {{ tpldir }} {{ saltenv }} {{ opts.test }}",
  'hash.jinja': "{{ 'x'|sha256 }} {{ 'a1'|regex_search('([0-9])') }} {{ {'b': [1], 'a': None}|yaml }}",
  'web01.yaml': 'version: 1.10\ngrains: {os: Debian, host: web01}\n',
  'web01.json': '{"version": 1.0, "grains": {"os": "Debian"}}',
  'settings/top.zy': "base:\n  '*': [common]\n  'web*': [web]\n  'db*': [db]\n",
  'settings/common.zy': 'port: 80\npassword: !encrypted "s3cret"\n',
  'settings/web.zy': 'url: http://{{ grains.id }}:{{ settings.port }}\ndsn: {{ settings.password }}\n',
  'settings/db.zy': 'size: {{ settings.nothing }}\n',
  'settings/lib.jinja': '{{ settings.url }}',
  'plain/a.yaml': 'url: plain\n',
  'web07.yaml': 'id: web-07\n',
  'list.yaml': '- 1\n',
  'broken.yaml': 'a: [1\n',
};

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-render-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
});
afterAll(() => rmSync(dir, { recursive: true }));

/** What the command prints and its exit code; of an error the text that a person sees. */
async function run(...words: string[]): Promise<{ readonly text: string; readonly code: number }> {
  let text = '';
  const context: CliContext = {
    runtime: {
      clock: systemClock,
      random: seededRandom(1),
      log: jsonLog({ clock: systemClock, write: () => {}, level: 'error' }),
    },
    program: 'zester',
    env: {},
    cwd: dir,
    out: (more) => {
      text += more;
    },
    say: (more) => {
      text += more;
    },
    interrupted: new AbortController().signal,
    isTerminal: false,
    input: typedInput({}),
    columns: () => 80,
  };
  try {
    return { code: await runRender(context, parseOptions(renderCommand, words)), text };
  } catch (error) {
    const failure = failureOf(error, ['render', ...words], 'zester');
    return { code: failure.exitCode, text: text + failure.text };
  }
}

describe('zester render', () => {
  const SLS = 'states/nginx/init.sls';

  it('prints the rendering, with variables from YAML and files from the root', async () => {
    const { code, text } = await run(SLS, '--root', 'states', '--context', 'web01.yaml');
    expect({ code, text }).toEqual({
      code: 0,
      text: '\nnginx-full:\n  pkg.installed:\n    - version: 1.1\n',
    });
  });

  it('reads JSON, and tells 1.0 from 1', async () => {
    expect((await run(SLS, '--context', 'web01.json')).text).toContain('- version: 1.0');
  });

  it('lets --set add to and change the variables', async () => {
    const { text } = await run(SLS, '--context', 'web01.json', '--set', 'version="1.10"');
    expect(text).toContain('- version: 1.10');
    expect((await run('states/motd.sls', '--set', 'grains.host=web02')).text).toBe('Welcome to web02');
  });

  it('has digests, regular expressions and YAML', async () => {
    expect((await run('hash.jinja')).text).toBe(
      "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881 ('1',) {a: null, b: [1]}",
    );
  });

  it('shows an error as an operator reads it', async () => {
    const { code, text } = await run(SLS, '--set', 'grains.os=Debian');
    expect(code).toBe(1);
    expect(text.split('\n').slice(0, 6)).toEqual([
      "init.sls:4:19: UndefinedError: 'version' is undefined",
      '  3 |   pkg.installed:',
      '  4 |     - version: {{ version }}',
      '    |                   ^',
      '  5 |',
      'zester: the template init.sls cannot be rendered [TEMPLATE_FAILED]',
    ]);
  });

  it('shows where an undefined value came from', async () => {
    const { text } = await run(SLS, '--root', 'states', '--set', 'grains.os=Suse');
    expect(text).toContain("nginx/init.sls:2:10: UndefinedError: 'dict object' has no attribute 'Suse'");
    expect(text).toContain('the undefined value comes from nginx/map.jinja:1:49');
  });

  it('gives programs JSON', async () => {
    expect(
      JSON.parse((await run('states/motd.sls', '--set', 'grains={host: a}', '--format', 'json')).text),
    ).toEqual({
      output: 'Welcome to a',
    });
    const { code, text } = await run('states/motd.sls', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject({
      error: {
        type: 'UndefinedError',
        message: "'dict object' has no attribute 'host'",
        name: 'common/motd',
        line: 1,
        column: 22,
        chain: [{ what: 'included from', name: 'motd.sls', line: 1, column: 4 }],
      },
    });
  });

  it('takes other types of undefined', async () => {
    expect((await run('states/motd.sls', '--undefined', 'chainable')).text).toBe('Welcome to ');
    expect((await run('states/motd.sls', '--undefined', 'lax')).text).toContain('CLI_OPTION_VALUE');
  });

  it('looks facts and settings up in what was given, under both of their names', async () => {
    const given = [
      '--set',
      'pillar.web.port=80',
      '--set',
      'facts.os={family: debian}',
      '--set',
      'facts.id=web07',
    ];
    expect((await run('lookups.sls', ...given)).text).toBe(
      '80 80 80 Debian web07 debian lookups . base True',
    );
  });

  describe('with settings', () => {
    const TREE = ['--settings', 'settings', '--facts', 'web07.yaml'];

    it('renders a file of the tree at its place, with the settings before it and placeholders for secrets', async () => {
      expect(await run('settings/web.zy', ...TREE)).toEqual({
        code: 0,
        text: 'url: http://web-07:80\ndsn: __ZESTER_SECRET:password__\n',
      });
    });

    it('gives any other template the settings of the machine', async () => {
      expect((await run('settings/lib.jinja', ...TREE)).text).toBe('http://web-07:80');
      expect((await run('settings/lib.jinja', ...TREE, '--id', 'web-01')).text).toBe('http://web-01:80');
      expect((await run('settings/lib.jinja', ...TREE, '--set', 'pillar.url=x')).text).toBe('x');
      expect((await run('settings/lib.jinja', '--settings', 'plain')).text).toBe('plain');
    });

    it('says what is wrong: with the file, with another one, with the machine', async () => {
      expect((await run('settings/db.zy', ...TREE)).text).toContain('RENDER_NOT_GIVEN');
      expect((await run('settings/db.zy', ...TREE, '--id', 'db-01')).text).toContain(
        "db.zy:1:19: UndefinedError: 'dict object' has no attribute 'nothing'",
      );
      const other = await run('settings/lib.jinja', ...TREE, '--id', 'db-01');
      expect(other.text).toContain('SETTINGS_INVALID');
      expect(other.text).toContain('db.zy:1:19');
      expect((await run('settings/db.zy', ...TREE, '--id', 'no id')).text).toContain('CLI_OPTION_VALUE');
      expect((await run('settings/db.zy', '--settings', 'none')).text).toContain('SETTINGS_UNREADABLE');
    });
  });

  it('says that nobody is asked for what only a machine knows', async () => {
    const { code, text } = await run('ask.jinja');
    expect(code).toBe(1);
    expect(text).toContain("salt['cmd.run'] needs a machine to ask, and zester render asks none");
  });

  it('offers the names that the state engine offers, and no other', async () => {
    const machine = {
      functionNames: FUNCTIONS.all.map(({ name }) => name).sort(),
      callFunction: async () => null,
      hasProgram: async () => false,
      userInfo: async () => ({}),
    };
    const engine = stateTemplates({
      tree: memoryTree({}),
      data: {
        peelId: 'web-01' as PeelId,
        facts: {},
        words: NO_WORDS,
        settings: {},
        statesDir: '/',
        dryRun: false,
        machine,
      },
      runtime: {},
      signal: new AbortController().signal,
    });
    const { text } = await engine.renderFile('names.jinja', FILES['names.jinja'], 'names');
    expect(text.split(' ').length).toBeGreaterThan(60);
    expect((await run('names.jinja')).text).toBe(text);
  });

  it('does not read files outside of the root', async () => {
    expect((await run('states/escape.sls')).text).toContain('../secret leads out of the tree');
  });

  it.each([
    [['nope.sls'], 'cannot read nope.sls'],
    [['hash.jinja', '--context', 'nope.yaml'], 'cannot read nope.yaml'],
    [['hash.jinja', '--context', 'list.yaml'], 'it is a list, not a mapping'],
    [['hash.jinja', '--context', 'broken.yaml'], 'the variables in broken.yaml cannot be used'],
    [['hash.jinja', '--context', 'secret'], 'it is a str, not a mapping'],
    [['hash.jinja', '--set', 'novalue'], 'is name=value, not novalue'],
    [[], 'render needs <file>'],
    [['hash.jinja', 'extra'], 'does not take the argument extra'],
  ])('%j: %s', async (words, problem) => {
    const { code, text } = await run(...words);
    expect(code).toBe(1);
    expect(text).toContain(problem);
  });
});
