import { beforeEach, describe, expect, it } from 'vitest';
import { EngineWorld } from '../../../test/harness/states/engine-world.ts';

let world: EngineWorld;

beforeEach(() => {
  world = new EngineWorld();
});

const item = async (key: string) => {
  const [result] = (await world.run('settings.get', key)).results;
  return result?.error === '' ? result.details.result : result?.error;
};

describe('a directory of settings', () => {
  it('without a top file is merged file by file in the order of their names', async () => {
    await world.write({ '/settings/a.yaml': 'a: 1\nb: {c: 1, d: 1}', '/settings/b.zy': 'b: {c: 2}' });
    expect([await item('a'), await item('b.c'), await item('b.d')]).toEqual(['1', '2', '1']);
  });

  it('with a top file is a tree: only what fits this peel, rendered, with the merge so far', async () => {
    world.facts = { role: 'web' };
    await world.write({
      '/settings/top.zy': "base:\n  '*': [common]\n  'G@role:web': [web]\n  'db*': [db]\n",
      '/settings/common.zy': 'port: 80\n',
      '/settings/web/init.zy': 'url: http://{{ facts.role }}:{{ pillar.port }}\n',
      '/settings/db.zy': 'never: true\n',
    });
    expect(await item('url')).toBe('http://web:80');
    expect(await item('never')).toBe('');
    expect((await world.run('settings.items')).settingsRevision).toBe(0);
  });

  it('has its secrets as plain text, which states get and nobody is told', async () => {
    await world.write({
      '/settings/top.zy': "base:\n  '*': [common]\n",
      '/settings/common.zy': 'db:\n  password: !encrypted "plain-text-here"\n  user: app\n',
      '/states/conf.zy': "/srv/conf:\n  file.managed:\n    - contents: '{{ pillar.db.password }}'\n",
    });
    await world.system.files.makeDirectory('/srv', { parents: true });
    await world.run('state.apply', 'conf');
    expect(await world.read('/srv/conf')).toBe('plain-text-here\n');
    expect(world.secrets.redact('it is plain-text-here')).toBe('it is [secret db.password]');
    const raw = await world.run('settings.raw');
    expect(JSON.stringify(raw.results[0]?.details)).toContain('__ZESTER_SECRET:db.password__');
  });

  it('that is a broken tree is told with file and line, and no line that has a secret', async () => {
    await world.write({
      '/settings/top.zy': "base:\n  '*': [common]\n",
      '/settings/common.zy': 'db:\n  password: !encrypted [a, b]\n',
    });
    expect(await item('db')).toContain('common.zy:2');
    await world.write({ '/settings/common.zy': 'db: {{ nope }}\n' });
    expect(await item('db')).toContain('common.zy:1');
  });

  it('that is not there is an error, not no settings', async () => {
    expect(await item('a')).toContain('/settings');
  });
});
