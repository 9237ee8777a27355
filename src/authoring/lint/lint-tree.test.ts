import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { NO_WORDS } from '../../core/target/operator-words.ts';
import { FUNCTIONS } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import { digest, hmac } from '../../runtime/digest.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { lintRecord, lintText } from './format-lint.ts';
import type { LintMachine } from './lint-machine.ts';
import { lintTree } from './lint-tree.ts';
import { sampleMachines } from './sample-facts.ts';

function lint(
  files: Readonly<Record<string, string>>,
  given: { machines?: readonly LintMachine[]; settings?: WireMap; topOnly?: boolean } = {},
) {
  const { settings = {}, ...rest } = given;
  return lintTree({
    tree: memoryTree(files),
    machines: sampleMachines(),
    settingsOf: () => settings,
    topOnly: false,
    functions: FUNCTIONS,
    modules: STATE_MODULES,
    runtime: { digest, hmac, random: () => 0.5, nowMs: () => 0 },
    signal: new AbortController().signal,
    ...rest,
  });
}

/** Without the summary. */
async function linesOf(...given: Parameters<typeof lint>): Promise<readonly string[]> {
  return lintText({ ...(await lint(...given)), isSample: false }, { states: 'states' }, 'zester')
    .split('\n')
    .slice(0, -2);
}

const CLEAN = '/etc/motd:\n  file.managed:\n    - contents: Hello\n';

describe('lintTree', () => {
  it('has nothing to say about a clean tree', async () => {
    const report = await lint({ 'top.zy': "base:\n  '*':\n    - motd\n", 'motd.zy': CLEAN });
    expect(lintText(report, { states: 'states' }, 'bin/zester')).toBe(
      [
        '2 state files, with the facts of debian and rhel: 0 errors, 0 warnings',
        '  next: these facts are samples; for those of a peel: `bin/zester peel show <peel> --format yaml > facts.yaml`, then lint with --facts facts.yaml',
        '',
      ].join('\n'),
    );
  });

  it('tells all mistakes of all files at once, by place, each with what to do', async () => {
    const report = await lint({
      'b.zy': 'x:\n  file.manged: []\ny:\n  file.managed:\n    - moed: 644\n',
      'a.zy': 'include: [nothing]\n',
    });
    expect(report.problems.map(({ at, severity }) => [at.file, at.line, severity])).toEqual([
      ['a.zy', 1, 'error'],
      ['b.zy', 2, 'error'],
      ['b.zy', 5, 'error'],
    ]);
    const text = lintText({ ...report, isSample: false }, { states: 'states/' }, 'zester');
    expect(text).toContain('states/b.zy:2:3: error: ');
    expect(text).toContain('  next: did you mean file.managed?\n');
    expect(text).toContain('did you mean mode?');
    expect(text).toMatch(/: 3 errors, 0 warnings\n$/);
  });

  it('tells a mistake of an included file once, where it is', async () => {
    const lines = await linesOf({
      'a.zy': 'include: [b]\n',
      'b.zy': 'x:\n  file.nope: []\n',
      'c.zy': 'include: [a]\n',
    });
    expect(lines.filter((line) => line.includes('error'))).toHaveLength(1);
    expect(lines[0]).toMatch(/^states\/b\.zy:2:3: error: /);
    // Alone it has no chain, and that is the shortest way to it.
    expect(lines.join('\n')).not.toContain('included from');
  });

  it('shows how a file came into the run where only that way is wrong', async () => {
    const lines = await linesOf({
      'a.zy': '{% set x = 1 %}\ninclude: [b, c]\n',
      'b.zy': 'x: {test.nop: [names: ["y:z"]]}\n',
      'c.zy': '"x:y": {test.nop: [names: [z]]}\n',
    });
    expect(lines.join('\n')).toContain('  included from states/a.zy:2:14');
  });

  it('says with which facts a mistake shows', async () => {
    const [line] = await linesOf({
      'a.zy': "x:\n  test.{{ 'nop' if grains.os_family == 'Debian' else 'npo' }}: []\n",
    });
    expect(line).toContain('(with the facts of rhel)');
  });

  it('sees settings, and says where they are missing', async () => {
    const files = { 'a.zy': 'x:\n  cmd.wait:\n    - name: echo {{ pillar.web.port }}\n' };
    expect((await linesOf(files))[0]).toMatch(/^states\/a\.zy:3:\d+: error: .*web/);
    expect(await linesOf(files, { settings: { web: { port: 80 } } })).toEqual([]);
  });

  it('says what is wrong where a template imports nothing', async () => {
    const [line] = await linesOf({ 'a.zy': "{% from 'web/map.jinja' import web %}\n" });
    expect(line).toMatch(/^states\/a\.zy:1:4: error: there is no template web\/map\.jinja in the tree/);
  });

  it('finds circles of requisites', async () => {
    const text = (
      await linesOf({
        'a.zy': 'x:\n  test.nop:\n    - require: [test: y]\ny:\n  test.nop:\n    - require: [test: x]\n',
      })
    ).join('\n');
    expect(text).toContain('error');
    expect(text).toContain('test.nop:x');
  });

  it('compiles what each pattern of the top file gives out, whoever it fits', async () => {
    const lines = await linesOf({
      'top.zy': "base:\n  'db*':\n    - one\n    - two\n    - three\n  '( web':\n    - one\n",
      'one.zy': 'include: [two]\n',
      'two.zy': CLEAN,
    });
    const text = lines.join('\n');
    expect(text).toContain('states/top.zy:5:7: error: there is no state file three');
    expect(text).toMatch(/states\/top\.zy:6:3: error: /);
  });

  it('asks the patterns of the top file for real facts', async () => {
    const files = {
      'top.zy': "base:\n  'web*':\n    - good\n  'db*':\n    - bad\n",
      'good.zy': CLEAN,
      'bad.zy': 'x:\n  file.nope: []\n',
    };
    const machine = (peelId: string): LintMachine => ({
      name: 'facts.yaml',
      peelId: peelId as PeelId,
      facts: {},
      words: NO_WORDS,
      isReal: true,
    });
    expect(await linesOf(files, { machines: [machine('web-01')], topOnly: true })).toEqual([]);
    expect(await linesOf(files, { machines: [machine('db-01')], topOnly: true })).not.toEqual([]);
  });

  it('misses a top file only when it was asked for it', async () => {
    expect(await linesOf({ 'a.zy': CLEAN })).toEqual([]);
    expect((await linesOf({ 'a.zy': CLEAN }, { topOnly: true })).join('\n')).toContain('there is no top.zy');
  });

  it('does not call it an error when a template fails after it asked a machine that is not there', async () => {
    const { problems } = await lint({ 'a.zy': "{{ salt['test.version']()['x'] }}:\n  test.nop: []\n" });
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(problems[0]?.message).toContain('the file asks the machine, and lint has none');
  });

  it.each([
    "salt['user.info']('root')",
    "salt['cmd.has_exec']('sh')",
    "user_info('root')",
    "cmd_has_exec('sh')",
  ])('has no answer for %s, and goes on', async (question) => {
    expect(await linesOf({ 'a.zy': `{% set answer = ${question} %}\n${CLEAN}` })).toEqual([]);
  });

  it('gives programs every field', async () => {
    expect(lintRecord(await lint({ 'a.zy': 'x:\n  file.manged: []\n' }))).toEqual({
      files: 1,
      settings_files: 0,
      facts: ['debian', 'rhel'],
      sample_facts: true,
      errors: 1,
      warnings: 0,
      problems: [
        {
          severity: 'error',
          tree: 'states',
          file: 'a.zy',
          line: 2,
          column: 3,
          message: expect.stringContaining('file.manged') as string,
          next: 'did you mean file.managed?',
          included_from: [],
          facts: ['debian', 'rhel'],
        },
      ],
    });
  });
});

describe('the templates that states name', () => {
  const uses = (more: string) => `/a:\n  file.managed:\n    - template: jinja\n${more}`;
  const SOURCE = uses('    - source: salt://web/a.conf\n    - context: {port: 80}\n');

  it.each([
    [
      'what is not defined',
      SOURCE,
      'x\n{{ prot }}\n',
      /^states\/web\/a\.conf:2:4: error: .*prot.*file\.managed:\/a/,
    ],
    ['bad syntax', SOURCE, '{% if %}\n', /^states\/web\/a\.conf:1:\d+: error: /],
    ['what only some facts show', SOURCE, '{{ grains.os == "Rocky" and nope.x }}\n', /facts of rhel/],
    [
      'what a file of a directory says',
      '/a:\n  file.recurse:\n    - template: jinja\n    - source: salt://web\n',
      '{{ nope.x }}',
      /^states\/web\/a\.conf:1:\d+: error: /,
    ],
    [
      'inline content',
      uses('    - contents: \'{{ "{{ nope.x }}" }}\'\n'),
      '',
      /^states\/a\.zy:2:3: error: .*nope/,
    ],
    [
      'what a script says',
      'x:\n  cmd.script:\n    - template: jinja\n    - creates: /x\n    - source: salt://web/a.conf\n',
      '{{ nope.x }}',
      /^states\/web\/a\.conf:1:\d+: error: /,
    ],
  ])('%s is told, once', async (_, state, template, expected) => {
    const lines = await linesOf({ 'a.zy': state, 'b.zy': 'include: [a]\n', 'web/a.conf': template });
    const found = lines.filter((line) => /: (?:error|warning): /.test(line));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  it('is only a warning where the template asks the machine', async () => {
    const { problems } = await lint({
      'a.zy': SOURCE,
      'web/a.conf': "{{ salt['test.version']()['x'].y }}\n",
    });
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it.each([
    ['sees context, facts and settings', SOURCE, '{{ port }} {{ grains.os }} {{ pillar.web.name }}\n'],
    ['sees what a run tells about the file', SOURCE, '{{ name }} {{ source }} {{ user }} {{ mode }}\n'],
    [
      'sees it in the files of a directory',
      '/a:\n  file.recurse:\n    - template: jinja\n    - source: salt://web\n',
      "{{ 1 / 0 if (name, source) != ('/a/a.conf', 'salt://web/a.conf') and (name, source) != ('/a/b', 'salt://web/b') }}",
    ],
    [
      'leaves files alone that are no templates',
      '/a:\n  file.managed:\n    - source: salt://web/a.conf\n',
      '{{ nope.x }}',
    ],
    [
      'leaves out what a pattern leaves out',
      "/a:\n  file.recurse:\n    - template: jinja\n    - source: salt://web\n    - exclude_pat: '*.conf'\n",
      '{{ nope.x }}',
    ],
  ])('%s', async (_, state, template) => {
    const files = { 'a.zy': state, 'web/a.conf': template, 'web/b': '' };
    expect(await linesOf(files, { settings: { web: { name: 'shop' } } })).toEqual([]);
  });
});

describe('values that Salt reads differently', () => {
  it('are told where they stand in the template, and not where they are quoted or inside of a text', async () => {
    const text = [
      '{% set at = "22:30" %}',
      '/a:',
      '  file.managed:',
      '    - contents: |',
      '        at: 12:30',
      "    - context: {quoted: '12:30', mac: 00:11:22:33:44:55}",
      'docker:',
      '  cmd.run:',
      '    - creates: /b',
      '    - env:',
      '      - PORT: {{ at }}',
    ].join('\n');
    expect(await linesOf({ 'a.zy': text })).toEqual([
      'states/a.zy:11:18: warning: 22:30 is text here; Salt reads it as a number with the base 60',
      "  next: write '22:30': in quotes it is text for both",
    ]);
  });

  it('does not lose the context of a template whose keys are numbers', async () => {
    const state =
      '/a:\n  file.managed:\n    - source: salt://a.j2\n    - template: jinja\n    - context: {1: x, port: 80}\n';
    expect(await linesOf({ 'a.zy': state, 'a.j2': '{{ port }}\n' })).toEqual([]);
  });
});

describe('patterns that are none', () => {
  it.each([
    ['file.replace', "    - pattern: '(a'\n    - repl: x\n", '3:16'],
    ['file.replace', "    - pattern: 'a(?=b)'\n    - repl: x\n", '3:16'],
    ['file.comment', "    - regex: '[a'\n", '3:14'],
    ['file.uncomment', "    - regex: '*a'\n", '3:14'],
    ['file.line', "    - content: x\n    - match: '(a'\n", '4:14'],
    ['file.line', "    - content: x\n    - mode: insert\n    - after: '(a'\n", '5:14'],
    ['file.blockreplace', "    - content: x\n    - insert_before_match: '(a'\n", '4:28'],
    ['file.recurse', "    - source: salt://web\n    - include_pat: 'E@(a'\n", '2:3'],
    ['file.recurse', "    - source: salt://web\n    - exclude_pat: ['*.x', 'E@(a']\n", '2:3'],
  ])('%s\n%s', async (module, args, at) => {
    const { problems } = await lint({ 'a.zy': `/a:\n  ${module}:\n${args}`, 'web/x': '' });
    expect(problems.map((each) => `${each.at.line}:${each.at.column} ${each.severity}`)).toEqual([
      `${at} error`,
    ]);
  });
});

describe('traps', () => {
  it.each([
    [
      'a template that runs programs',
      "{% set x = salt['cmd.run']('id') %}\n{# salt['cmd.run'] in a comment #}\n",
      /a\.zy:1:12: warning: the template calls cmd\.run/,
    ],
    [
      'the same by attribute',
      "{% set x = salt.cmd.run('id') %}\n",
      /a\.zy:1:12: warning: the template calls cmd\.run/,
    ],
    ['a command without a condition', 'x:\n  cmd.run:\n    - name: ls\n', /cmd\.run:x runs every time/],
    [
      'a watch that is a require',
      '/a:\n  file.managed:\n    - watch: [file: /b]\n/b:\n  file.managed: []\n',
      /a\.zy:2:3: warning: watch is no more than require for file\.managed/,
    ],
    [
      'order: last before others',
      'x:\n  test.nop:\n    - order: last\ny:\n  test.nop:\n    - require: [test: x]\n',
      /test\.nop:x has order: last, but 1 state comes after it/,
    ],
    [
      'order: first after others',
      'x:\n  test.nop: []\ny:\n  test.nop:\n    - order: first\n    - require: [test: x]\n',
      /test\.nop:y has order: first, but 1 state comes before it/,
    ],
    [
      'two states on one file',
      '/a:\n  file.managed: []\nmore:\n  file.append:\n    - name: /a\n    - text: x\n',
      /both work on \/a, and neither waits/,
    ],
    [
      'a mode that was read as decimal',
      '/a:\n  file.managed:\n    - mode: 420\n',
      /file\.managed:\/a has mode 0420, which lets the group or others do what the owner may not/,
    ],
    [
      'a template that runs programs, under a name of its own',
      '/a:\n  file.managed:\n    - source: salt://files/id.conf\n    - template: jinja\n',
      /files\/id\.conf:1:4: warning: the template calls cmd\.run/,
    ],
    [
      'a source that is not there',
      '/a:\n  file.managed:\n    - source: salt://fils/a.conf\n',
      /has a source that is not in the tree: salt:\/\/fils\/a\.conf\n {2}next: did you mean files\/a\.conf\?/,
    ],
  ])('warns of %s', async (_, text, warning) => {
    const idConf = "{{ salt['cmd.run']('id') }}\n";
    const lines = await linesOf({ 'a.zy': text, 'files/a.conf': '', 'files/id.conf': idConf });
    expect(lines.join('\n')).toMatch(warning);
    expect(lines.filter((line) => /: (?:warning|error): /.test(line))).toHaveLength(1);
  });

  it.each([
    ['a query in a template', "x{{ salt['grains.get']('os_family') }}:\n  test.nop: []\n"],
    ['a command with a condition', 'x:\n  cmd.run:\n    - name: ls\n    - creates: /a\n'],
    [
      'a command after a change',
      'x:\n  cmd.run:\n    - name: ls\n    - onchanges: [y]\ny:\n  test.nop: []\n',
    ],
    ['order: last where it is', 'x:\n  test.nop:\n    - order: last\ny:\n  test.nop: []\n'],
    [
      'one file, one after the other',
      '/a:\n  file.managed: []\nmore:\n  file.append:\n    - name: /a\n    - text: x\n    - require: [/a]\n',
    ],
    ['a watch that means something', '/a:\n  file.touch:\n    - watch: [y]\ny:\n  test.nop: []\n'],
    ['a source that is there', '/a:\n  file.managed:\n    - source: zester://files/a.conf\n'],
    ['a source of the machine', '/a:\n  file.managed:\n    - source: [salt://nope, /etc/a]\n'],
    ['a directory for a source', '/a:\n  file.recurse:\n    - source: salt://files\n'],
  ])('does not warn of %s', async (_, text) => {
    expect(await linesOf({ 'a.zy': text, 'files/a.conf': '' })).toEqual([]);
  });

  it('knows which functions of the file family act when something else changed', () => {
    const folder = join(import.meta.dirname, '../../modules/file');
    const acting = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        /\bforced\b/.test(readFileSync(join(folder, name), 'utf8')),
    );
    expect(acting).toEqual(['touch.ts']);
  });

  it('warns of a file that nobody can name', async () => {
    expect(await linesOf({ 'web/my.state.sls': 'x: test.nop\n' })).toEqual([
      'states/web/my.state.sls: warning: this file cannot be applied or included: a dot in its name would mean a folder',
      '  next: rename it to web/my_state.sls',
    ]);
  });
});

describe('what differs from Salt', () => {
  it('is told of the top file', async () => {
    const top = "base:\n  'I@role:web': [motd]\n  'G@os:x and not I@a:b': [motd]\nprod:\n  '*': [motd]\n";
    const { problems } = await lint({ 'top.sls': top, 'motd.zy': CLEAN });
    expect(problems.map(({ message }) => message)).toEqual([
      'G@os:x and not I@a:b looks at facts here; in Salt at the pillar',
      'I@role:web looks at facts here; in Salt at the pillar',
      'prod is only a heading here: its files come from this tree; in Salt from that environment',
    ]);
  });

  it('is told of a top file that says match: pillar', async () => {
    const top = "base:\n  'role:web':\n    - match: pillar\n    - motd\n";
    const { problems } = await lint({ 'top.sls': top, 'motd.zy': CLEAN });
    expect(problems.map(({ message }) => message)).toEqual([
      'role:web looks at facts here; in Salt at the pillar',
    ]);
  });

  it.each([
    ['(?<=a)b', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['(a*)*', 'repeats a group that may be empty'],
  ])('is told of the pattern %s of a state', async (pattern, why) => {
    const text = `/a:\n  file.replace:\n    - pattern: '${pattern}'\n    - repl: x\n`;
    const { problems } = await lint({ 'a.zy': text });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
  });

  it('is told of templates that states name, whatever they are called', async () => {
    const { problems } = await lint({
      'a.zy': '/a:\n  file.managed:\n    - template: jinja\n    - source: salt://a.conf\n',
      'a.conf': "{% if false %}{{ 'x'|regex_search('(?=x)') }}{% endif %}",
      'b.conf': "{% if false %}{{ 'x'|regex_search('(?=x)') }}{% endif %}",
    });
    expect(problems.map(({ at, severity }) => [at.file, severity])).toEqual([['a.conf', 'warning']]);
  });

  it('is told once where the render fails at it', async () => {
    const { problems } = await lint({
      'a.zy': "{{ 'x'|regex_search('(?=x)') }}",
      'b.zy': '{{ 5|random_str }}',
    });
    expect(problems.map(({ at, severity }) => [at.file, severity])).toEqual([
      ['a.zy', 'error'],
      ['b.zy', 'error'],
    ]);
  });
});

it('a secret in a state file is told as masters tell it when they refuse to publish it', async () => {
  const { problems } = await lint({ 'a.zy': 'a:\n  test.nop:\n    - name: !encrypted "hunter2"\n' });
  expect(problems.map(({ severity, message }) => [severity, message])).toContainEqual([
    'error',
    '!encrypted stands in a file of the states, which every peel can read',
  ]);
});
