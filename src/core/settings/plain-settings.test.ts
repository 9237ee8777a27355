import { describe, expect, it } from 'vitest';
import { type DataValue, dataEntries } from '../data/data-value.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { printPlace } from '../states/state-problem.ts';
import { YamlFloat } from '../yaml/yaml-data.ts';
import { explainSetting } from './explain-setting.ts';
import { isPlainSettings, plainSettings } from './plain-settings.ts';

describe('plainSettings', () => {
  it('merges in the order of names, whatever the order they come in', () => {
    const files = [
      { name: '20-web.yaml', text: 'web: {port: 81}\nlist: [2]' },
      { name: '10-all.yaml', text: 'web: {port: 80, name: x}\nlist: [1, 1]\n1: one\nratio: 1.0' },
    ];
    const merged: readonly (readonly [DataValue, DataValue])[] = [
      ['web', { port: 81, name: 'x' }],
      ['list', [2]],
      [1, 'one'],
      ['ratio', new YamlFloat(1)],
    ];
    expect(dataEntries(plainSettings(files, '/s').settings)).toEqual(merged);
  });

  it('knows where each value comes from', () => {
    const files = [
      { name: '/s/a.yaml', text: 'web: {port: 80}\n' },
      { name: '/s/b.yaml', text: 'include: [x]\nweb:\n  port: 81\n' },
    ];
    const resolved = plainSettings(files, '/s');
    expect(resolved.raw).toEqual({ web: { port: 81 }, include: ['x'] });
    const { setBy, overrode } = explainSetting(resolved, 'web.port');
    expect([...setBy, ...overrode].map(({ at }) => printPlace(at))).toEqual([
      '/s/b.yaml:3:3',
      '/s/a.yaml:1:7',
    ]);
  });

  it('takes an empty file for none', () => {
    expect(plainSettings([{ name: 'a.yaml', text: '# nothing\n' }], '/s').settings).toEqual({});
  });

  it.each([
    ['- a\n', 'SETTINGS_NOT_A_MAP', 1],
    ['a: 1\na: 2\n', 'YAML_INVALID', 2],
    ['a: [\n', 'YAML_INVALID', undefined],
    ['a:\n  - b: {__proto__: 1}\n', 'YAML_INVALID', 2],
  ] as const)('says where %j is wrong', (text, code, line) => {
    let thrown: unknown;
    try {
      plainSettings([{ name: '/s/a.yaml', text }], '/s');
    } catch (error) {
      thrown = error;
    }
    if (!isZesterError(thrown, code)) throw thrown;
    expect(thrown.at?.file).toBe('/s/a.yaml');
    if (line !== undefined) expect(thrown.at?.line).toBe(line);
  });
});

it('isPlainSettings', () => {
  const names = ['a.yaml', 'b.yml', 'c.zy', 'd.sls', '.hidden.yaml', 'e.yaml~', 'README.md', 'yaml'];
  expect(names.filter(isPlainSettings)).toEqual(['a.yaml', 'b.yml', 'c.zy', 'd.sls']);
});
