import { describe, expect, it } from 'vitest';
import { memoryContext } from '../../../test/harness/states/memory-context.ts';
import type { DataMap } from '../../core/data/data-value.ts';
import { parseExplanation } from '../../core/settings/explanation-record.ts';

const SETTINGS: DataMap = {
  web: { port: 80, names: ['a', 'b'], nothing: null },
  ports: new Map([
    [443, 'https'],
    [80, 'http'],
  ]),
};

const run = (name: string, id = '', args = {}) => memoryContext({}, {}, SETTINGS).run(name, id, args);

// Answers that Salt gives too are compared with it in test/salt-settings.
describe('settings.*', () => {
  it.each([
    ['settings.get', 'web.port', {}, '80'],
    ['settings.get', 'web.nothing', { default: 5 }, 'null'],
    ['settings.get', 'web:none', { default: 5 }, '5'],
    ['settings.get', 'ports:443', {}, 'https'],
    ['pillar.get', 'web/port', { delimiter: '/' }, '80'],
    [
      'pillar.get',
      'web',
      { default: { port: 1, more: 2 }, merge: true },
      'more: 2\nnames:\n  - a\n  - b\nnothing: null\nport: 80',
    ],
    ['settings.item', 'web:port,none', {}, 'none: ""\nweb:port: 80'],
    ['settings.keys', '', {}, 'web\nports'],
    ['settings.keys', 'ports', {}, '443\n80'],
    ['pillar.ls', '', {}, 'web\nports'],
    ['settings.raw', 'ports', {}, '"443": https\n"80": http'],
    ['pillar.raw', 'web:port', {}, '{}'],
    [
      'pillar.items',
      '',
      {},
      'ports:\n  "443": https\n  "80": http\nweb:\n  names:\n    - a\n    - b\n  nothing: null\n  port: 80',
    ],
  ])('%s %s %j', async (name, id, args, text) => {
    const { success, results } = await run(name, id, args);
    expect(success).toBe(true);
    expect(results[0]).toMatchObject({ name, changed: false, details: { result: text } });
  });

  it.each([
    [
      'settings.keys',
      'wbe',
      'wbe has no keys: there is no such setting, did you mean web? [SETTING_NOT_A_MAP]',
    ],
    ['settings.keys', 'web.port', 'web.port has no keys: it is not a map [SETTING_NOT_A_MAP]'],
  ])('%s %s fails', async (name, id, error) => {
    expect((await run(name, id)).results[0]?.error).toBe(error);
  });

  it('explain answers with a text for people and a record for programs', async () => {
    const { results } = await run('settings.explain', 'web.port');
    expect(results[0]?.details.result).toBe('web.port: 80\n  set by\n    settings.zy:1  80  (* in top.zy)');
    expect(parseExplanation(results[0]?.data.result)).toMatchObject({
      key: 'web.port',
      found: true,
      value: 80,
      set_by: [{ at: 'settings.zy:1', value: 80, pattern: '*', top: 'top.zy', included_from: [] }],
      overrode: [],
    });
  });
});
