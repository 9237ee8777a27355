import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestWord } from './suggest.ts';

describe('nearestWord', () => {
  const commands = ['init', 'issue', 'fingerprint', 'print', 'up', 'down'];
  it.each([
    ['inti', 'init'],
    ['isue', 'issue'],
    ['fingerprnt', 'fingerprint'],
    ['Print', 'print'],
    ['dwon', 'down'],
  ])('%s was meant as %s', (typed, meant) => {
    expect(nearestWord(typed, commands)).toBe(meant);
  });

  it.each(['zebra', 'x'.repeat(100), ''])('%j was meant as none', (typed) => {
    expect(nearestWord(typed, commands)).toBeUndefined();
  });
});

describe('editDistance', () => {
  const word = fc.string({ maxLength: 8 });
  it('is a distance: zero to itself, the same both ways, never more than the longer word', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it('counts a swap of neighbours as one', () => {
    expect(editDistance('abcd', 'abdc')).toBe(1);
    expect(editDistance('tset', 'test')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
  });
});
