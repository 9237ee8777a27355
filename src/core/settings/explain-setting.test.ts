import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { settingsInput } from '../../../test/harness/states/settings-input.ts';
import { printPlace } from '../states/state-problem.ts';
import { explainSetting } from './explain-setting.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { SettingSource } from './trace-setting.ts';

const FILES = {
  'top.zy': "base:\n  '*':\n    - common\n  'web*':\n    - web\n    - host\n",
  'common.zy': [
    'web:', // 1
    '  port: 80',
    '  names: [a, b]',
    'ports:',
    '  443: https', // 5
    'users:',
    '  - name: ann',
    '    key: "__ZESTER_SECRET:users.0.key__"',
    '  - name: bob',
    'gone: {deep: {x: 1}}', // 10
    'text: words',
    '',
  ].join('\n'),
  'web/init.zy': [
    'include:', // 1
    '  - .tls',
    '  - site:',
    '      key: sites:shop',
    '{% for port in [8080] %}', // 5
    'web: {port: {{ port }}}',
    '{% endfor %}',
    'gone: nothing',
    'text: {a: {b: 1}}',
    '',
  ].join('\n'),
  'web/tls.zy': 'web:\n  tls: true\n  port: 443\n',
  'site.zy': 'owner: ann\n',
  'host.zy': 'web:\n  names:\n    - a\n    - c\nsites: {blog: {}}\n',
};

async function explain(key: string, files: Readonly<Record<string, string>> = {}) {
  const secrets = { 'users.0.key': 's3cret' };
  const resolved = await resolveSettings(settingsInput(memoryTree({ ...FILES, ...files }), { secrets }));
  const { value, setBy, overrode, replacedBy, near, rule } = explainSetting(resolved, key);
  return {
    value,
    setBy: setBy.map(brief),
    overrode: overrode.map(brief),
    replacedBy: replacedBy.map(brief),
    near,
    rule,
  };
}

function brief({ at, value, layer }: SettingSource): string {
  const way = [layer.broughtBy, ...layer.chain].map(printPlace).join(' ← ');
  return `${printPlace(at)} ${JSON.stringify(value)} by ${layer.pattern} (${way})`;
}

describe('explainSetting', () => {
  it('names the line that set a value, what it overrode, and how each file came', async () => {
    expect(await explain('web.port')).toMatchObject({
      value: 8080,
      setBy: ['web/init.zy:6:7 8080 by web* (top.zy:5:7)'],
      overrode: [
        'common.zy:2:3 80 by * (top.zy:3:7)',
        'web/tls.zy:3:3 443 by web* (web/init.zy:2:5 ← top.zy:5:7)',
      ],
      rule: { strategy: 'smart', lists: 'replace' },
    });
  });

  it('of a map that was merged names every file that has a part in it', async () => {
    expect(await explain('web')).toMatchObject({
      value: { port: 8080, names: ['a', 'c'], tls: true },
      setBy: [
        'common.zy:1:1 {"port":80,"names":["a","b"]} by * (top.zy:3:7)',
        'web/tls.zy:1:1 {"tls":true,"port":443} by web* (web/init.zy:2:5 ← top.zy:5:7)',
        'web/init.zy:6:1 {"port":8080} by web* (top.zy:5:7)',
        'host.zy:1:1 {"names":["a","c"]} by web* (top.zy:6:7)',
      ],
      overrode: [],
    });
  });

  it('goes into lists and through keys that are no text', async () => {
    expect(await explain('users:1:name')).toMatchObject({
      value: 'bob',
      setBy: ['common.zy:9:5 "bob" by * (top.zy:3:7)'],
    });
    expect(await explain('ports:443')).toMatchObject({
      value: 'https',
      setBy: ['common.zy:5:3 "https" by * (top.zy:3:7)'],
    });
    expect(await explain('users:name')).toMatchObject({ value: 'ann' });
  });

  it('shows a secret as its placeholder', async () => {
    const explained = await explain('users.0.key');
    expect(explained.value).toBe('__ZESTER_SECRET:users.0.key__');
    expect(JSON.stringify(explained)).not.toContain('s3cret');
  });

  it('of a key that an include gives names the include, and inside of it the file', async () => {
    expect(await explain('sites:shop:owner')).toMatchObject({
      value: 'ann',
      setBy: ['site.zy:1:1 "ann" by web* (web/init.zy:3:5 ← top.zy:5:7)'],
    });
    expect((await explain('sites:shop')).setBy).toEqual([
      'web/init.zy:3:5 {"owner":"ann"} by web* (web/init.zy:3:5 ← top.zy:5:7)',
    ]);
    expect((await explain('sites')).setBy).toEqual([
      'web/init.zy:3:5 {"shop":{"owner":"ann"}} by web* (web/init.zy:3:5 ← top.zy:5:7)',
      'host.zy:5:1 {"blog":{}} by web* (top.zy:6:7)',
    ]);
  });

  it('of a list that was replaced names the one before; of one that was appended to, the file of each item', async () => {
    expect(await explain('web.names')).toMatchObject({
      setBy: ['host.zy:2:3 ["a","c"] by web* (top.zy:6:7)'],
      overrode: ['common.zy:3:3 ["a","b"] by * (top.zy:3:7)'],
    });
    expect(await explain('web.names.0')).toMatchObject({
      setBy: ['host.zy:3:7 "a" by web* (top.zy:6:7)'],
      overrode: ['common.zy:3:3 ["a","b"] by * (top.zy:3:7)'],
    });
    const append = { '_merge.zy': 'lists: append\n' };
    expect(await explain('web.names', append)).toMatchObject({
      value: ['a', 'b', 'c'],
      setBy: ['common.zy:3:3 ["a","b"] by * (top.zy:3:7)', 'host.zy:2:3 ["a","c"] by web* (top.zy:6:7)'],
      overrode: [],
    });
    expect((await explain('web.names.1', append)).setBy).toEqual(['common.zy:3:14 "b" by * (top.zy:3:7)']);
    expect((await explain('web.names.2', append)).setBy).toEqual(['host.zy:4:7 "c" by web* (top.zy:6:7)']);
  });

  it('of a value that something else replaced further out says what and where', async () => {
    expect(await explain('gone.deep.x')).toMatchObject({
      value: undefined,
      setBy: [],
      overrode: ['common.zy:10:15 1 by * (top.zy:3:7)'],
      replacedBy: ['web/init.zy:8:1 "nothing" by web* (top.zy:5:7)'],
    });
    expect(await explain('text.a.b')).toMatchObject({
      value: 1,
      setBy: ['web/init.zy:9:12 1 by web* (top.zy:5:7)'],
      overrode: ['common.zy:11:1 "words" by * (top.zy:3:7)'],
    });
  });

  it('with overwrite: a whole key took the place of another, and what was at the same path is named', async () => {
    expect(await explain('web.names', { '_merge.zy': 'strategy: overwrite\n' })).toMatchObject({
      value: ['a', 'c'],
      overrode: ['common.zy:3:3 ["a","b"] by * (top.zy:3:7)'],
      rule: { strategy: 'overwrite' },
    });
    expect(await explain('web.port', { '_merge.zy': 'strategy: overwrite\n' })).toMatchObject({
      value: undefined,
      replacedBy: ['host.zy:1:1 {"names":["a","c"]} by web* (top.zy:6:7)'],
    });
  });

  it('of a key that nobody sets says so, and which may be meant', async () => {
    const nothing = { value: undefined, setBy: [], overrode: [], replacedBy: [] };
    expect(await explain('web.prot')).toMatchObject({ ...nothing, near: 'port' });
    expect(await explain('wbe.port')).toMatchObject({ ...nothing, near: 'web' });
    expect(await explain('users.7')).toMatchObject({ ...nothing, near: undefined });
    expect(await explain('')).toMatchObject(nothing);
  });
});
