import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../modules/registry.ts';
import { STATE_MODULES } from '../../modules/state-registry.ts';
import { functionsLike, KNOWN_FUNCTIONS } from './known-functions.ts';

describe('KNOWN_FUNCTIONS', () => {
  it('are the functions and states of the modules, in order; add a new one in known-functions.ts', () => {
    const names = [...FUNCTIONS.all, ...STATE_MODULES.all].map(({ name }) => name);
    expect(KNOWN_FUNCTIONS).toEqual([...new Set(names)].sort());
  });
});

describe('functionsLike', () => {
  it.each([
    ['ping', ['test.ping']],
    ['pnig', ['test.ping']],
    ['run', ['cmd.run', 'module.run']],
    ['get', ['facts.get', 'grains.get', 'pillar.get', 'settings.get']],
    ['testping', ['test.ping']],
    ['disk', ['disk.usage']],
    ['uptime', []],
    ['ps', []],
    ['web-01', []],
  ])('%s', (word, expected) => {
    expect(functionsLike(word)).toEqual(expected);
  });
});
