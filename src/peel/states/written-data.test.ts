/** What people write in settings and state files reaches templates as it was written: numbers, keys, order, modes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type EngineWorld, webWorld } from '../../../test/harness/states/engine-world.ts';

let world: EngineWorld;

beforeEach(async () => {
  world = await webWorld();
});

/** What a template prints in a state file. */
async function printed(template: string): Promise<string | undefined> {
  await world.states({ 'print.zy': `/srv/out:\n  file.managed:\n    - contents: "${template}"\n` });
  const { error, success } = await world.run('state.apply', 'print');
  expect({ error, success }).toEqual({ error: '', success: true });
  return (await world.read('/srv/out'))?.trimEnd();
}

async function modeOf(path: string): Promise<string | undefined> {
  return (await world.system.files.stat(path))?.mode.toString(8);
}

describe('a file mode', () => {
  const MODES = { unquoted: '0644', quoted: "'0644'", short: '644', special: '01777', octal: "'0o640'" };

  it('from a setting is the one that was written', async () => {
    const settings = Object.entries(MODES).map(([name, mode]) => `${name}: ${mode}\n`);
    await world.write({ '/settings/modes.yaml': settings.join('') });
    const states = Object.keys(MODES).map(
      (name) => `/srv/${name}:\n  file.managed:\n    - contents: x\n    - mode: {{ pillar.${name} }}\n`,
    );
    await world.states({ 'modes.zy': states.join('') });
    expect(await world.run('state.apply', 'modes')).toMatchObject({ success: true, error: '' });
    const found = await Promise.all(Object.keys(MODES).map((name) => modeOf(`/srv/${name}`)));
    expect(found).toEqual(['644', '644', '644', '1777', '640']);
  });

  it('through load_yaml, a loop and the filters of a map is the one that was written', async () => {
    await world.states({
      'modes.zy': [
        '{% load_yaml as files %}',
        'a: {mode: 0600}',
        'b: {mode: "0755"}',
        '{% endload %}',
        '{% for name, file in files.items() %}',
        '/srv/{{ name }}:',
        '  file.managed:',
        '    - contents: x',
        '    - mode: {{ file.mode }}',
        '{% endfor %}',
      ].join('\n'),
    });
    expect(await world.run('state.apply', 'modes')).toMatchObject({ success: true, error: '' });
    expect([await modeOf('/srv/a'), await modeOf('/srv/b')]).toEqual(['600', '755']);
  });
});

describe('settings', () => {
  beforeEach(async () => {
    await world.write({
      '/settings/a.yaml':
        'ports:\n  443: https\n  80: http\nvlan:\n  10: {name: office}\n  yes: on air\n  ~: none\n  1.5: half\nversion: 1.0\n',
      '/settings/b.yaml': 'ports:\n  22: ssh\n  80: www\nvlan: {"10": text}\n',
    });
  });

  it.each([
    [
      '{% for port, name in pillar.ports.items() %}{{ port }}={{ name }} {% endfor %}',
      '443=https 80=www 22=ssh',
    ],
    ['{{ pillar.vlan.get(10).name }} {{ pillar.vlan[10].name }}', 'office office'],
    ["{{ pillar.vlan['10'] }}", 'text'],
    ['{{ pillar.vlan[true] }} {{ pillar.vlan[none] }} {{ pillar.vlan[1.5] }}', 'on air none half'],
    ['{{ pillar.version }} {{ pillar.version is float }}', '1.0 True'],
    ["{{ salt['pillar.get']('ports:443') }} {{ salt['pillar.get']('vlan:10:name', 'x') }}", 'https x'],
    ["{{ salt['pillar.get']('ports')|list }}", '[443, 80, 22]'],
    ["{{ salt['pillar.keys']('ports') }}", '[443, 80, 22]'],
    ["{{ salt['pillar.items']().ports|first }}", '443'],
    ["{{ salt['pillar.get']('none', {9: 1.0, 1: 2}) }}", '{9: 1.0, 1: 2}'],
    ["{{ salt['pillar.get']('ports', {7: 'echo', 80: 'x'}, merge=True)|list }}", '[7, 80, 443, 22]'],
    ["{{ salt['grains.filter_by']({'default': {9: 1.0, 1: 2}})|list }}", '[9, 1]'],
    ["{{ salt['config.get']('ports')|list }}", '[443, 80, 22]'],
  ])('%s', async (template, text) => {
    expect(await printed(template)).toBe(text);
  });

  it('have text as keys in an answer, since it goes over the wire', async () => {
    const { results } = await world.run('settings.get', 'ports');
    expect(results[0]?.details.result).toBe('"22": ssh\n"443": https\n"80": www');
    expect((await world.run('settings.get', 'ports:443')).results[0]?.details.result).toBe('https');
  });
});

describe('data of a state', () => {
  it('keeps its keys and their order in templates and in files', async () => {
    await world.states({
      'ports.j2':
        '{% for port, name in ports.items() %}{{ port + 1 }}={{ name }} {% endfor %}{{ weight }} {{ more|list }}',
      'data.zy': [
        '/srv/ports:',
        '  file.managed:',
        '    - source: salt://ports.j2',
        '    - template: jinja',
        '    - defaults: {more: {9: a, 1: b}, weight: 0}',
        '    - context:',
        '        weight: 2.0',
        '        ports:',
        '          443: https',
        '          80: http',
        '/srv/data.yaml:',
        '  file.serialize:',
        '    - dataset: {ports: {443: https, 80: http}, weight: 2.0}',
      ].join('\n'),
    });
    expect(await world.run('state.apply', 'data')).toMatchObject({ success: true, error: '' });
    expect(await world.read('/srv/ports')).toBe('444=https 81=http 2.0 [9, 1]');
    expect(await world.read('/srv/data.yaml')).toBe('ports:\n  80: http\n  443: https\nweight: 2.0\n');
  });
});

describe('variables that a state passes on to its template', () => {
  it.each([
    ['alone', ''],
    ['below those of context', '    - context: {other: 1}\n'],
    ['with a context of nothing', '    - context:\n'],
  ])('keep their keys and their order, %s', async (_, context) => {
    await world.states({
      'ports.j2': '{{ ports|list }} {{ weight }}',
      'data.zy': `/srv/out:\n  file.managed:\n    - source: salt://ports.j2\n    - template: jinja\n    - ports: {443: a, 80: b}\n    - weight: 2.0\n${context}`,
    });
    expect(await world.run('state.apply', 'data')).toMatchObject({ success: true, error: '' });
    expect(await world.read('/srv/out')).toBe('[443, 80] 2.0');
  });

  it('are covered by those of context', async () => {
    await world.states({
      'data.j2': '{{ a }} {{ b }}',
      'data.zy':
        '/srv/out:\n  file.managed:\n    - source: salt://data.j2\n    - template: jinja\n    - a: {9: x}\n    - b: {9: y}\n    - context: {a: {8: z}}\n',
    });
    expect(await world.run('state.apply', 'data')).toMatchObject({ success: true, error: '' });
    expect(await world.read('/srv/out')).toBe("{8: 'z'} {9: 'y'}");
  });
});

describe('import_yaml', () => {
  it('keeps keys and their order', async () => {
    await world.states({
      'ports.yaml': '443: https\n80: http\n',
      'imports.zy':
        "{% import_yaml 'ports.yaml' as ports %}\n/srv/out:\n  file.managed:\n    - contents: '{{ ports|list }} {{ ports[80] }}'\n",
    });
    expect(await world.run('state.apply', 'imports')).toMatchObject({ success: true, error: '' });
    expect(await world.read('/srv/out')).toBe('[443, 80] http\n');
  });
});
