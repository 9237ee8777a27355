import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../../test/harness/states/memory-tree.ts';
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../../wire/names/ids.ts';
import { TemplateError } from '../../jinja/errors.ts';
import { stateTemplates } from './state-templates.ts';

const FACTS: WireMap = {
  os: { name: 'linux', family: 'debian', platform: 'debian', platform_version: '12.5', arch: 'amd64' },
  network: { hostname: 'web-01.example.org', fqdn: 'web-01.example.org' },
  memory: { total: 2 * 1_048_576 },
  cpu: { count: 4 },
  role: 'web',
};
const SETTINGS: WireMap = {
  web: { port: 8080, names: ['a', 'b'], tls: { on: true } },
  'dotted.key': 'whole',
};

interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly facts?: WireMap;
  readonly dryRun?: boolean;
}

function templates({ files = {}, facts = FACTS, dryRun = false }: World = {}) {
  const calls: { name: string; positional: readonly WireValue[]; named: WireMap }[] = [];
  const made = stateTemplates({
    tree: memoryTree(files),
    data: {
      peelId: 'web-01' as PeelId,
      facts,
      words: { tags: { role: 'web' }, facts: {} },
      settings: SETTINGS,
      statesDir: '/srv/zester/states',
      dryRun,
      machine: {
        functionNames: ['cmd.run', 'disk.usage', 'facts.get'],
        async callFunction(name, positional, named) {
          calls.push({ name, positional, named });
          return `${name} said ${positional.join(' ')}`;
        },
        hasProgram: async (name) => name === 'git',
        userInfo: async (name) => (name === 'root' ? { uid: 0 } : {}),
      },
    },
    runtime: {},
    signal: new AbortController().signal,
  });
  return { made, calls };
}

const rendered = async (text: string, world?: World, path = 'web/config.zy', sls = 'web.config') =>
  (await templates(world).made.renderFile(path, text, sls)).text;

const failure = async (text: string, world?: World): Promise<TemplateError> => {
  const error: unknown = await rendered(text, world).catch((thrown: unknown) => thrown);
  if (!(error instanceof TemplateError)) throw error;
  return error;
};

it('has tags, which operators set', async () => {
  expect(await rendered('{{ tags.role }} {{ tags.get("rack", "none") }}')).toBe('web none');
  expect(await rendered("{{ salt['match.compound']('T@role:web') }}")).toBe('True');
  expect((await failure('{{ tags.rolle }}')).message).toContain('rolle');
});

describe('what a state file sees', () => {
  it.each([
    ['facts.os.family', 'debian'],
    ["facts_get('os.family')", 'debian'],
    ["facts_get('os.none', 'x')", 'x'],
    ['settings.web.port', '8080'],
    ['pillar.web.port', '8080'],
    ["pillar['web']['names'][1]", 'b'],
    ["salt['pillar.get']('web:port')", '8080'],
    ["salt['pillar.get']('web:names:0')", 'a'],
    ["salt['pillar.get']('web.port')", '8080'],
    ["salt['pillar.get']('dotted.key')", 'whole'],
    ["salt['pillar.get']('web:none', 'fallback')", 'fallback'],
    ["salt['pillar.get']('web:port', nope)", '8080'],
    ["ifelse('db*', 'd', 'web*', 'w', nope)", 'w'],
    ["ifelse(false, 1, 'G@role:db', 2, 3)", '3'],
    ["salt['match.ifelse']('web-*', {'a': 1}, {}, tgt_type='glob', merge={'b': 2})", "{'a': 1, 'b': 2}"],
    ["salt['pillar.get']('web:none', nope)|default('x')", 'x'],
    ["salt['grains.filter_by']({'Debian': {'a': 1, 'b': nope}, 'RedHat': nope}).a", '1'],
    ["salt['pillar.get']('web:none')", ''],
    ["salt['pillar.get']('web:tls', {'on': false, 'ciphers': 1}, merge=True)", "{'on': True, 'ciphers': 1}"],
    ["salt.pillar.get('web/port', delimiter='/')", '8080'],
    ["salt['settings.get']('web:tls:on')", 'True'],
    ["pillar_get('web:none') is none", 'True'],
    ["salt['pillar.items']().web.port", '8080'],
    ["salt['pillar.keys']('web') | join(',')", 'port,names,tls'],
    ['grains.os', 'Debian'],
    ['grains.os_family', 'Debian'],
    ['grains.osmajorrelease', '12'],
    ['grains.osfinger', 'Debian-12'],
    ['grains.id', 'web-01'],
    ['grains.host', 'web-01'],
    ['grains.domain', 'example.org'],
    ['grains.kernel', 'Linux'],
    ['grains.num_cpus', '4'],
    ['grains.mem_total', '2'],
    ['grains.role', 'web'],
    ["salt['grains.get']('os:family')", 'debian'],
    ["salt['grains.get']('os.family')", 'debian'],
    ["salt['grains.get']('os_family')", 'Debian'],
    ["salt['grains.get']('none', 'x')", 'x'],
    ["salt['facts.get']('os').family", 'debian'],
    ["salt['facts.get']('none', 'x')", 'x'],
    ["salt['grains.item']('role')", 'web'],
    ["salt['grains.item']('role', 'os')", "{'role': 'web', 'os': 'Debian'}"],
    ["salt['config.get']('web:port')", '8080'],
    ["salt['config.get']('role')", 'web'],
    ["salt['config.get']('none', 5)", '5'],
    ["salt['match.glob']('web*')", 'True'],
    ["salt['match.compound']('G@role:web and not db*')", 'True'],
    ["salt['grains.filter_by']({'Debian': {'pkg': 'apache2'}, 'RedHat': {'pkg': 'httpd'}}).pkg", 'apache2'],
    ["salt['grains.filter_by']({'x': 1, 'default': 2}, grain='role')", '2'],
    ["salt['grains.filter_by']({'w*': {'a': 1}}, 'role', merge={'b': 2})", "{'a': 1, 'b': 2}"],
    ["grains_filter_by({'debian': {'a': 1}}, {'b': 2})", "{'a': 1, 'b': 2}"],
    ["cmd_has_exec('git')", 'True'],
    ["salt['cmd.has_exec']('none')", 'False'],
    ["user_info('root').uid", '0'],
    ["file_dirname('/etc/nginx/nginx.conf')", '/etc/nginx'],
    ["basket('*', 'x')", '[]'],
    ["salt['cmd.run']('uptime')", 'cmd.run said uptime'],
    ["salt.cmd.run('uptime')", 'cmd.run said uptime'],
    ["salt_call('cmd.' ~ 'run', 'uptime')", 'cmd.run said uptime'],
    ["'cmd.run' in salt", 'True'],
    ["'pkg.version' in salt", 'False'],
    ['opts.id ~ opts.test ~ opts.file_roots.base[0]', 'web-01False/srv/zester/states'],
    ['saltenv ~ env', 'basebase'],
    ['sls', 'web.config'],
    ['slspath ~ sls_path ~ slsdotpath', 'webwebweb'],
    ['tplfile', 'web/config.zy'],
    ['tpldir ~ tplroot', 'webweb'],
    ['[1, 1, 2] | unique | join(",")', '1,2'],
  ])('{{ %s }}', async (expression, text) => {
    expect(await rendered(`{{ ${expression} }}`)).toBe(text);
  });

  it('knows a deeper place and the top', async () => {
    const all = '{{ slspath }} {{ sls_path }} {{ slscolonpath }} {{ tpldir }} {{ tpldot }} {{ tplroot }}';
    expect(await rendered(all, {}, 'a/b/init.zy', 'a.b')).toBe('a/b a_b a:b a/b a.b a');
    expect(await rendered(`[${all}]`, {}, 'one.zy', 'one')).toBe('[   .  .]');
  });

  it('hands names and values of a call on', async () => {
    const { made, calls } = templates();
    await made.renderFile('a.zy', "{% do salt['cmd.run']('ls', cwd='/tmp', env={'A': 1}) %}", 'a');
    expect(calls).toEqual([{ name: 'cmd.run', positional: ['ls'], named: { cwd: '/tmp', env: { A: 1 } } }]);
  });

  it('calls a function once however often the template runs', async () => {
    const { made, calls } = templates();
    await made.renderFile('a.zy', "{{ salt['cmd.run']('a') }}{{ salt['cmd.run']('b') }}", 'a');
    expect(calls.map(({ positional }) => positional[0])).toEqual(['a', 'b']);
  });

  it('has no grain that is not known; a custom fact wins over a name of Salt', async () => {
    const world = { facts: { host: 'mine' } };
    expect(await rendered("{{ grains.host }}{{ grains.os | default('?') }}", world)).toBe('mine?');
  });
});

describe('mistakes', () => {
  it('an undefined variable is an error at its place, with what was perhaps meant', async () => {
    const error = await failure('a: 1\nb: {{ settings.web.prot }}\n');
    expect([error.name, error.line, error.near]).toEqual(['web/config.zy', 2, ['port']]);
  });

  it('an unknown function of salt names near ones', async () => {
    const error = await failure("{{ salt['cmd.rnu']('x') }}");
    expect(error.print()).toContain("did you mean 'cmd.run'");
  });

  it.each([
    ["{{ salt['pillar.get']() }}", 'needs text'],
    ["{{ salt['pillar.get']('a', defalt=1) }}", 'did you mean default?'],
    ["{{ salt['pillar.get']('a', 1, key='b') }}", 'got key twice'],
    ["{{ file_dirname('a', 'b') }}", 'takes at most 1 arguments'],
    ["{{ salt['grains.filter_by']('x') }}", 'needs a map'],
    ["{{ salt_call('cmd.rnu') }}", 'there is no function cmd.rnu'],
    ["{{ salt['match.compound']('web* and') }}", 'match.compound'],
  ])('%s', async (text, message) => {
    expect((await failure(text)).message).toContain(message);
  });

  it.each([
    "salt['pillar.get'](nope)",
    "salt['cmd.run'](nope)",
    "salt['cmd.run']('x', [nope])",
    'user_info(nope)',
    'ifelse(nope, 1, 2)',
  ])('an undefined argument fails where it is used: %s', async (call) => {
    expect(await failure(`{{ ${call} }}`)).toMatchObject({
      type: 'UndefinedError',
      message: "'nope' is undefined",
    });
  });
});

describe('templates that load others', () => {
  const map = "{% set conf = salt['grains.filter_by']({'Debian': {'pkg': 'apache2'}}) %}";
  const files = {
    'web/map.jinja': map,
    'lib/text.jinja': '{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}',
    'web/sub/x.jinja': "{% set a = [tpldir, tplfile, tpldot, sls]|join(' ') %}",
    'lib/where.jinja':
      "{% set a = [tpldir, tplfile, tpldot, sls]|join(' ') %}{% from 'web/sub/x.jinja' import a as q %}{% set b = q %}{% set c = tpldir %}",
  };

  it.each([
    ["{% from 'web/map.jinja' import conf with context %}{{ conf.pkg }}", 'apache2'],
    ["{% from 'web/map.jinja' import conf %}{{ conf.pkg }}", 'apache2'],
    ["{% from './map.jinja' import conf %}{{ conf.pkg }}", 'apache2'],
    ["{% from 'salt://web/map.jinja' import conf %}{{ conf.pkg }}", 'apache2'],
    ["{% from tpldir ~ '/map.jinja' import conf %}{{ conf.pkg }}", 'apache2'],
    ["{% import '../lib/text.jinja' as text %}{{ text.twice('a') }}", 'aa'],
    // As Salt's own loader has it.
    [
      "{% from 'lib/where.jinja' import a, b, c %}{{ a }}|{{ b }}|{{ c }}|{{ tpldir }}",
      'lib lib/where.jinja lib web.config|web/sub web/sub/x.jinja web.sub web.config|lib|web',
    ],
    ["{% from 'lib/where.jinja' import a with context %}{{ a }}", 'web web/config.zy web web.config'],
  ])('%s', async (text, output) => {
    expect(await rendered(text, { files })).toBe(output);
  });

  it('a name that is not there is told with what is near', async () => {
    const error = await failure("{% include 'web/mpa.jinja' %}", { files });
    expect(error.type).toBe('TemplateNotFound');
    expect(error.near).toContain('web/map.jinja');
  });
});

describe('places', () => {
  it('a place of the rendered text leads to the line that was written, in the file that wrote it', async () => {
    const files = { 'part.jinja': 'x: 1\ny: 2\n' };
    const text = "{% for n in [1, 2] %}\nid{{ n }}:\n  a: b\n{% endfor %}\n{% include 'part.jinja' %}";
    const { text: output, place } = await templates({ files }).made.renderFile('web/init.zy', text, 'web');
    const lines = output.split('\n');
    const at = (line: string) => lines.indexOf(line) + 1;
    expect(place(at('id2:'), 1)).toEqual({ file: 'web/init.zy', line: 2, column: 1 });
    expect(place(at('  a: b'), 3)).toEqual({ file: 'web/init.zy', line: 3, column: 3 });
    expect(place(at('y: 2'), 1)).toEqual({ file: 'part.jinja', line: 2, column: 1 });
  });
});

describe('templates of modules', () => {
  it('see what state files see, and their own variables first', async () => {
    const { made } = templates();
    const template = {
      name: 'salt://web/motd.jinja',
      text: '{{ sls }} {{ role }} {{ grains.id }} {{ tpldir }}',
    };
    expect(await made.renderText(template, 'web', { role: 'own' })).toBe('web own web-01 web');
  });
});
