import { beforeEach, describe, expect, it } from 'vitest';
import {
  ALL_CHANGED,
  type EngineWorld,
  summary,
  webWorld,
} from '../../../test/harness/states/engine-world.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';

let world: EngineWorld;

beforeEach(async () => {
  world = await webWorld();
});

describe('state.apply', () => {
  it('applies a file with what it includes, and the second time changes nothing', async () => {
    const first = await world.run('state.apply', 'web');
    expect(first).toMatchObject({ success: true, test: false, error: '' });
    expect(summary(first)).toEqual(ALL_CHANGED);
    expect(await world.read('/srv/web.conf')).toBe('port=80 on web-01\n');
    expect(await world.read('/srv/common.conf')).toContain('hello you at web');
    expect(world.ran).toEqual(['reload web']);
    const second = await world.run('state.apply', 'web');
    expect(summary(second)).toEqual([
      ['file.managed:/srv/common.conf', false, '', ''],
      ['file.managed:/srv/web.conf', false, '', ''],
      ['cmd.run:reload', false, 'onchanges_not_met', ''],
    ]);
  });

  it('in a dry run says the same and does nothing', async () => {
    for (const test of [true, 'True', 'yes']) {
      const dry = await world.run('state.apply', 'web', { test });
      expect(dry).toMatchObject({ success: true, test: true, error: '' });
      expect(summary(dry)).toEqual(ALL_CHANGED);
    }
    expect(await world.read('/srv/web.conf')).toBeUndefined();
    expect(world.ran).toEqual([]);
  });

  it('takes the ref as an argument, as mods and as state, several with commas', async () => {
    for (const [id, args] of [
      ['common', {}],
      ['', { mods: 'common' }],
      ['', { state: 'common' }],
      ['common,web', {}],
      ['', { mods: ['common', 'web'] }],
    ] as const)
      expect((await world.run('state.apply', id, { ...args, test: true })).results[0]?.name).toBe(
        'file.managed:/srv/common.conf',
      );
  });

  it('without an argument is the highstate', async () => {
    expect(summary(await world.run('state.apply'))).toEqual(ALL_CHANGED);
    expect((await world.run('state.highstate')).results).toHaveLength(3);
  });

  it('lays pillar= and settings= over the settings, for this run', async () => {
    await world.run('state.apply', 'web', { pillar: '{"web": {"port": 81}}' });
    expect(await world.read('/srv/web.conf')).toBe('port=81 on web-01\n');
    await world.run('state.sls', 'web', { settings: { web: { port: 82 } } });
    expect(await world.read('/srv/web.conf')).toBe('port=82 on web-01\n');
    await world.run('state.apply', 'web');
    expect(await world.read('/srv/web.conf')).toBe('port=80 on web-01\n');
  });

  it('a failed state fails the answer; what needs it is skipped', async () => {
    await world.states({
      'bad.zy':
        'false:\n  cmd.run: []\nafter:\n  cmd.run:\n    - require: [cmd: "false"]\nother:\n  test.nop: []\n',
    });
    const response = await world.run('state.apply', 'bad');
    expect(response).toMatchObject({ success: false, error: '' });
    expect(summary(response)).toEqual([
      ['cmd.run:false', expect.any(Boolean), '', expect.stringContaining('exited with 1')],
      ['test.nop:other', false, '', ''],
      ['cmd.run:after', false, 'require_failed', ''],
    ]);
    expect(response.results[0]?.details.stdout).toBe('false printed');
  });

  it('waits until the machine has been looked at', async () => {
    const known = world.facts;
    world.facts = {};
    let look = () => {};
    world.factsKnown = new Promise((resolve) => {
      look = resolve;
    });
    const running = world.run('state.apply', 'common');
    await world.clock.advance(60_000);
    world.facts = known;
    look();
    expect((await running).success).toBe(true);
    expect(await world.read('/srv/common.conf')).toContain('at web');
  });

  it('when cancelled before it begins does nothing', async () => {
    world.signal.abort();
    const response = await world.run('state.apply', 'web');
    expect(response).toMatchObject({ success: false, error: 'execution canceled' });
    expect(await world.read('/srv/common.conf')).toBeUndefined();
  });

  it('when cancelled in the middle keeps what was done and skips the rest', async () => {
    world.onCommand = () => world.signal.abort();
    await world.states({
      'long.zy': 'first:\n  cmd.run: []\nsecond:\n  cmd.run:\n    - require: [cmd: first]\n',
    });
    const response = await world.run('state.apply', 'long');
    expect(response).toMatchObject({ success: false, error: 'execution canceled' });
    expect(response.results.map(({ name, skipped, skipReason }) => [name, skipped, skipReason])).toEqual([
      ['cmd.run:first', false, ''],
      ['cmd.run:second', true, ''],
    ]);
    expect(world.ran).toEqual(['first']);
  });
});

describe('what keeps states from running', () => {
  it.each([
    ['state.apply', 'wbe', 'did you mean web?'],
    ['state.apply', 'a,,b', 'mods must be refs'],
    ['state.sls', '', 'mods is missing'],
    ['state.show_sls', 'wbe', 'did you mean web?'],
    ['state.show_graph', 'web,x', ''],
  ])('%s %s', async (module, id, text) => {
    await world.states({ 'empty.zy': '# nothing\n' });
    const response = await world.run(module, id);
    expect(response.success).toBe(false);
    expect(response.error + (response.results[0]?.error ?? '')).toContain(text);
  });

  it('not files that declare no state: there is nothing to do', async () => {
    await world.states({ 'empty.zy': '# nothing\n', 'collects.zy': 'include: [empty]\n' });
    for (const test of [{}, { test: true }]) {
      const { success, error, results } = await world.run('state.apply', 'collects', test);
      expect([success, error, results[0]?.details.result]).toEqual([
        true,
        '',
        'nothing to do: the state files declare no state for this machine',
      ]);
    }
    expect((await world.run('state.show_low_sls', 'empty')).success).toBe(true);
  });

  it('all mistakes are in the answer, each with its place in the template, and nothing runs', async () => {
    await world.states({
      'bad/init.zy': [
        'include:',
        '  - bad.more',
        '{% for n in [1, 2] %}',
        '/srv/{{ n }}:',
        '  file.managed:',
        '    - contens: x',
        '{% endfor %}',
        'good:',
        '  cmd.run: []',
      ].join('\n'),
      'bad/more.zy': 'x:\n  file.mangaed: []\n',
    });
    const response = await world.run('state.apply', 'bad');
    expect(response).toMatchObject({ success: false, results: [] });
    expect(response.error).toContain('bad/init.zy:6:');
    expect(response.error).toContain('did you mean content');
    expect(response.error).toContain('bad/more.zy:2:3');
    expect(response.error).toContain('file.managed');
    expect(response.error).toContain('included from bad/init.zy:2');
    expect(response.error).toContain('[STATES_INVALID]');
    expect(world.ran).toEqual([]);
  });

  it('cycles are told with their way', async () => {
    await world.states({
      'cycle.zy': 'a:\n  test.nop:\n    - require: [test: b]\nb:\n  test.nop:\n    - require: [test: a]\n',
    });
    const { error } = await world.run('state.apply', 'cycle');
    expect(error).toContain('test.nop:a');
    expect(error).toContain('cycle.zy:');
  });

  it('a template error has its place', async () => {
    await world.states({ 'bad.zy': 'a:\n  test.nop:\n    - name: {{ pillar.wbe.port }}\n' });
    const { error } = await world.run('state.apply', 'bad');
    expect(error).toContain('bad.zy:3:');
    expect(error).toContain('web');
  });

  it('bad settings, with their place', async () => {
    await world.write({ '/settings/b.yaml': 'a: 1\na: 2\n' });
    const { error, results } = await world.run('state.apply', 'web');
    expect(error).toContain('/settings/b.yaml:2:1');
    expect(results).toEqual([]);
  });

  it('a top file that gives nothing', async () => {
    await world.states({ 'top.zy': "base:\n  'db*':\n    - web\n" });
    for (const module of ['state.highstate', 'state.apply'])
      expect((await world.run(module)).error).toContain('highstate: no states matched in top.zy');
    expect((await world.run('state.show_top')).results[0]?.details.result).toBe('{}');
  });

  it('no state files at all: states are refused as the specification says, single ones run', async () => {
    await world.system.files.removeTree('/states');
    const { error } = await world.run('state.apply', 'web');
    expect(error).toMatch(/^states engine unavailable: no states directory exists yet \(state files not yet/);
    expect((await world.run('file.touch', '/srv/x')).success).toBe(true);
  });
});

describe('templates that call functions', () => {
  beforeEach(() =>
    world.states({
      'calls.zy':
        "/srv/x:\n  file.managed:\n    - contents: {{ salt['cmd.run']('uptime') }} {{ salt['facts.get']('role') }}\n",
      'asks.zy':
        "/srv/y:\n  file.managed:\n    - contents: {{ salt['test.echo']('hi') }} {{ cmd_has_exec('none') }}\n",
    }),
  );

  it('an action is called in an apply', async () => {
    await world.run('state.apply', 'calls');
    expect(await world.read('/srv/x')).toBe('uptime printed web\n');
  });

  it.each([
    ['state.apply', { test: true }],
    ['state.show_sls', {}],
    ['state.show_graph', {}],
  ] as const)('an action is refused in %s %j, and says so', async (module, args) => {
    const response = await world.run(module, 'calls', args);
    const error = response.error + (response.results[0]?.error ?? '');
    expect(error).toContain('cmd.run would change the machine or start a program');
    expect(error).toContain('calls.zy:3:');
    expect(world.ran).toEqual([]);
  });

  it('a query is called everywhere', async () => {
    expect((await world.run('state.apply', 'asks', { test: true })).success).toBe(true);
    await world.run('state.apply', 'asks');
    expect(await world.read('/srv/y')).toBe('hi False\n');
  });

  it('a call that fails is told with what it printed', async () => {
    await world.states({ 'fails.zy': "x: {{ salt['cmd.run']('false') }}\n" });
    const { error } = await world.run('state.apply', 'fails');
    expect(error).toContain('cmd.run failed: exited with 1');
  });
});

describe('single states', () => {
  it.each([
    ['file.managed', '/srv/one', { contents: 'x' }],
    ['state.single', 'file.managed', { name: '/srv/one', contents: 'x' }],
    ['state.single', '', { fun: 'file.managed', name: '/srv/one', contents: 'x' }],
  ] as const)('%s %s', async (module, id, args) => {
    const dry = await world.run(module, id, { ...args, test: true });
    expect(dry).toMatchObject({ success: true, test: true });
    expect(await world.read('/srv/one')).toBeUndefined();
    const real = await world.run(module, id, args);
    expect(summary(real)).toEqual([['file.managed:/srv/one', true, '', '']]);
    expect(summary(dry)).toEqual(summary(real));
    expect(await world.read('/srv/one')).toBe('x\n');
  });

  it('honours guards, and refuses what it does not know', async () => {
    const guarded = await world.run('file.touch', '/srv/g', { onlyif: 'false' });
    expect(guarded.results[0]).toMatchObject({ changed: false, diff: 'skipped: guard condition not met' });
    const unknown = await world.run('file.touch', '/srv/g', { mkdirs: true });
    expect(unknown).toMatchObject({ success: false, results: [] });
    expect(unknown.error).toContain('makedirs');
    expect((await world.run('file.tuoch', '/srv/g')).error).toContain('did you mean file.touch?');
  });

  it('the execution function goes before the state of the same name', async () => {
    expect((await world.run('cmd.run', 'uptime')).results[0]?.name).toBe('cmd.run');
    expect((await world.run('state.single', 'cmd.run', { name: 'uptime' })).results[0]?.name).toBe(
      'cmd.run:uptime',
    );
  });
});

it('files that apply themselves come to an end', async () => {
  await world.states({ 'me.zy': 'me: {module.run: [{state.apply: [{mods: me}]}]}' });
  expect((await world.run('state.apply', 'me')).results[0]?.error).toContain('more than 3 deep');
});

describe('the guards of a command', () => {
  const built = `
/srv/app: {file.directory: []}
build:
  cmd.run:
    - {name: make, cwd: /srv/app, env: {MODE: fast}, unless: test -d made and not false, require: [/srv/app]}
`;
  beforeEach(() => world.states({ 'built.zy': built }));

  it('run where and with what the command runs', async () => {
    const around: unknown[] = [];
    world.onCommand = ({ cwd, env }) => around.push([cwd, env.MODE]);
    await world.run('state.apply', 'built');
    expect(world.ran).toEqual(['test -d made and not false', 'make']);
    expect(around.flat()).toEqual(['/srv/app', 'fast', '/srv/app', 'fast']);
  });

  it('are not known in a dry run whose earlier states make their directory', async () => {
    const { results } = await world.run('state.apply', 'built', { test: true });
    expect(results[1]).toMatchObject({ error: '', changed: true, details: { prediction: 'unknown' } });
  });
});

describe('prereq', () => {
  it('runs before a file whose directory is made in the same run, and says why', async () => {
    await world.states({
      'deploy.zy': `
stop: {cmd.run: [{name: stop app}, {prereq: [{file: /srv/app/conf}]}]}
made: {file.directory: [{name: /srv/app}]}
/srv/app/conf: {file.managed: [{contents: x}, {require: [made]}]}
`,
    });
    const dry = await world.run('state.apply', 'deploy', { test: true });
    const real = await world.run('state.apply', 'deploy');
    for (const { results } of [dry, real]) {
      const stop = results.find(({ name }) => name === 'cmd.run:stop');
      expect(stop).toMatchObject({ skipped: false, changed: true });
      expect(stop?.details.prereq).toContain(
        'runs to be safe: file.managed:/srv/app/conf cannot be planned yet',
      );
    }
    expect(real.success).toBe(true);
    expect(world.ran).toEqual(['stop app']);
  });
});

describe('state.show_*', () => {
  const shown = async (module: string, id = '', args: WireMap = {}) => {
    const { results, error } = await world.run(module, id, args);
    return results[0]?.details.result ?? `${results[0]?.error}${error}`;
  };

  it('show what files come to, and touch nothing', async () => {
    expect(await shown('state.show_top')).toBe('base:\n  - common\n  - web');
    expect(await shown('state.show_sls', 'web')).toContain('port=80 on web-01');
    expect(await shown('state.show_highstate')).toContain('/srv/common.conf');
    expect(await shown('state.show_low_sls', 'web')).toContain('fun: managed');
    expect(await shown('state.show_lowstate')).toContain('__id__: reload');
    expect(await shown('state.show_graph', 'web')).toContain('after file.managed:/srv/common.conf (require)');
    expect(await shown('state.show_graph', '', { format: 'dot' })).toMatch(/^digraph states/);
    expect(JSON.parse(await shown('state.show_graph', 'web', { format: 'json' }))).toMatchObject({
      levels: [['file.managed:/srv/common.conf'], ['file.managed:/srv/web.conf'], ['cmd.run:reload']],
    });
    expect(await shown('state.show_graph', 'web', { format: 'svg' })).toContain('format must be one of');
    expect(await world.read('/srv/web.conf')).toBeUndefined();
    expect(world.ran).toEqual([]);
  });
});

describe('a settings tree', () => {
  beforeEach(async () => {
    await world.write({
      '/settings/top.zy': "base:\n  '*': [common]\n  'G@role:web': [web]\n",
      '/settings/common.zy': 'web: {port: 80, tls: false}\n',
      '/settings/web.zy': 'web: {port: {{ settings.web.port + 1 }}, user: {{ grains.id }}}\n',
    });
  });

  it('is resolved for this peel, and states run with what comes of it', async () => {
    await world.run('state.apply', 'web');
    expect(await world.read('/srv/web.conf')).toBe('port=81 on web-01\n');
    expect((await world.run('pillar.explain', 'web.port')).results[0]?.details.result).toBe(
      [
        'web.port: 81',
        '  set by',
        '    web.zy:1:7  81  (G@role:web in top.zy:3:18)',
        '  instead of',
        '    common.zy:1:7  80  (* in top.zy:2:9)',
      ].join('\n'),
    );
  });

  it('and the top file of states go by tags, and templates see them and the facts of operators', async () => {
    await world.write({
      '/settings/top.zy': "base:\n  'T@role:web': [common]\n  'not T@role:web': [web]\n",
    });
    await world.states({
      'top.zy': "base:\n  'T@role:web': [tagged]\n  'T@role:db': [nothing]\n",
      'tagged.zy':
        "/srv/tagged: {file.managed: [{contents: '{{ tags.role }} {{ facts.role }} {{ grains.role }} {{ settings.web.port }}'}]}\n",
    });
    world.facts = { ...world.facts, role: 'local' };
    world.words = { tags: { role: 'web' }, facts: { role: 'operator' } };
    expect((await world.run('state.apply')).error).toBe('');
    expect(await world.read('/srv/tagged')).toBe('web operator operator 80\n');
  });

  it('waits for the facts that its top file asks for', async () => {
    let know = () => {};
    const { facts } = world;
    world.facts = {};
    world.factsKnown = new Promise((resolve) => {
      know = resolve;
    });
    const asked = world.run('settings.get', 'web.port');
    // What needs no settings goes on meanwhile.
    for (let i = 0; i < 20; i++) await world.run('test.ping');
    world.facts = facts;
    know();
    expect((await asked).results[0]?.details.result).toBe('81');
  });

  it('with a mistake keeps states from running, and says where', async () => {
    await world.write({ '/settings/web.zy': 'web:\n  port: {{ 1 / 0 }}\n' });
    const response = await world.run('state.apply', 'web');
    expect(response).toMatchObject({ success: false, results: [], code: 'SETTINGS_INVALID' });
    expect(response.error).toContain('web.zy:2:14: division by zero');
    expect(await world.read('/srv/web.conf')).toBeUndefined();
  });

  it.each([
    [
      "salt['cmd.run']('id')",
      'cmd.run would change the machine or start a program, and settings can only look',
    ],
    ["salt['settings.explain']('web')", 'a file of settings asks for the settings by a function'],
    ["salt['state.show_top']()", 'this peel was started without a state engine'],
  ])('its templates cannot use %s', async (call, problem) => {
    await world.write({ '/settings/web.zy': `x: {{ ${call} }}\n` });
    const [result] = (await world.run('settings.items')).results;
    expect(result?.error).toContain('web.zy:1:');
    expect(result?.error).toContain(problem);
    expect(world.ran).toEqual([]);
  });

  it('its templates can ask what only looks', async () => {
    await world.write({ '/settings/web.zy': "x: {{ salt['test.version']() }}\n" });
    expect((await world.run('settings.get', 'x')).results[0]?.details.result).toBe('1');
  });
});

describe('settings.*', () => {
  it.each([
    ['settings.get', 'web.port', '80'],
    ['pillar.get', 'web:port', '80'],
    ['settings.keys', '', 'web'],
    ['settings.keys', 'web', 'port'],
    ['pillar.items', '', 'web:\n  port: 80'],
    ['settings.get', 'none', ''],
  ])('%s %s', async (module, id, text) => {
    expect((await world.run(module, id)).results[0]?.details.result).toBe(text);
  });
});
