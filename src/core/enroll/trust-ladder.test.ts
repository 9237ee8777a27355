import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePin, trustRungs } from './trust-ladder.ts';

const NOTHING = {
  hasCaFile: false,
  hasPins: false,
  hasPersisted: false,
  hasCredentials: false,
  strict: false,
};

describe('the trust ladder', () => {
  it.each([
    [{ hasCaFile: true, hasPins: true, hasPersisted: true }, ['ca-file']],
    [{ hasPins: true, hasPersisted: true }, ['pin']],
    [{ hasPersisted: true }, ['persisted']],
    [{}, ['system', 'first-use']],
    [{ strict: true }, ['system']],
    [{ hasCredentials: true }, ['system']],
  ] as const)('of %j is %j', (given, rungs) => {
    expect(trustRungs({ ...NOTHING, ...given })).toEqual(rungs);
  });

  it('never steps down from anything that was given or is known', () => {
    const given = fc.record({
      hasCaFile: fc.boolean(),
      hasPins: fc.boolean(),
      hasPersisted: fc.boolean(),
      hasCredentials: fc.boolean(),
      strict: fc.boolean(),
    });
    fc.assert(
      fc.property(given, (means) => {
        const rungs = trustRungs(means);
        const isOpen = !Object.values(means).some(Boolean);
        expect(rungs.includes('first-use')).toBe(isOpen);
        expect(rungs.length).toBe(isOpen ? 2 : 1);
      }),
    );
  });

  it('a pin has one form', () => {
    const hex = 'ab'.repeat(32);
    expect(parsePin(` sha256:${hex.toUpperCase()}\n`)).toBe(`sha256:${hex}`);
    for (const text of ['', hex, `sha1:${hex}`, `sha256:${hex}0`, `sha256:${hex.slice(1)}`, `sha256 ${hex}`])
      expect(parsePin(text)).toBeUndefined();
  });
});
