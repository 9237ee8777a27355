import { describe, expect, it } from 'vitest';
import { FUNCTIONS } from '../../modules/registry.ts';
import { functionsLike, KNOWN_FUNCTIONS } from './known-functions.ts';

describe('KNOWN_FUNCTIONS', () => {
  it('are the functions of the modules, in order; add a new one in known-functions.ts', () => {
    expect(KNOWN_FUNCTIONS).toEqual(FUNCTIONS.all.map(({ name }) => name));
  });
});

describe('functionsLike', () => {
  it.each([
    ['ping', ['test.ping']],
    ['pnig', ['test.ping']],
    ['run', ['cmd.run']],
    ['get', ['facts.get', 'grains.get']],
    ['testping', ['test.ping']],
    ['disk', ['disk.usage']],
    ['uptime', []],
    ['ps', []],
    ['web-01', []],
  ])('%s', (word, expected) => {
    expect(functionsLike(word)).toEqual(expected);
  });
});
