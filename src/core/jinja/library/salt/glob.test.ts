import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob.ts';

describe('matchesGlob', () => {
  it.each([
    ['', '', true],
    ['', '*', true],
    ['a', '', false],
    ['web1', 'web?', true],
    ['web12', 'web?', false],
    ['web1.example', 'web*.example', true],
    ['abc', 'a*b*c', true],
    ['abd', 'a*b*c', false],
    ['b', '[a-c]', true],
    ['d', '[!a-c]', true],
    ['b', '[!a-c]', false],
    [']', '[]]', true],
    ['-', '[a-]', true],
    ['[a', '[a', true],
    ['A', 'a', false],
    ['😀', '?', true],
  ])('%j against %j: %s', (text, pattern, expected) => {
    expect(matchesGlob(text, pattern)).toBe(expected);
  });

  it('agrees with the same pattern as a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    const globs = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    fc.assert(
      fc.property(letters, globs, (text, pattern) => {
        const same = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matchesGlob(text, pattern)).toBe(same.test(text));
      }),
    );
  });

  it('many stars do not make it slow', () => {
    expect(matchesGlob('a'.repeat(5_000), '*a'.repeat(200).concat('b'))).toBe(false);
  });
});
