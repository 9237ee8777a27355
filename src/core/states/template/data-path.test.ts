import { describe, expect, it } from 'vitest';
import { dataOfYaml } from '../../data/data-of-yaml.ts';
import type { DataMap } from '../../data/data-value.ts';
import { loadYaml } from '../../yaml/load-yaml.ts';
import { lookUpPath } from './data-path.ts';

const settings = dataOfYaml(
  loadYaml('a: {b: ~, 80: ~, list: [x, ~]}\nports: {443: https, "80": text, yes: on}\nx.y: dots\n', {
    name: 'settings',
  }).root ?? expect.fail(),
) as DataMap;

describe('lookUpPath', () => {
  it.each([
    ['a:b', null],
    ['a.b', null],
    ['a:80', null],
    ['a:list:0', 'x'],
    ['a:list:1', null],
    ['ports:443', 'https'],
    ['ports:80', 'text'],
    ['ports:true', true],
    ['x.y', 'dots'],
  ])('%s leads to %s', (path, value) => {
    expect(lookUpPath(settings, path)).toBe(value);
  });

  it.each(['a:b:c', 'a:c', 'a:list:2', 'ports:22', 'toString', 'a:constructor', 'a:__proto__', ''])(
    '%s leads nowhere',
    (path) => {
      expect(lookUpPath(settings, path)).toBeUndefined();
    },
  );
});
