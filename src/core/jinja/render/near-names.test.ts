import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearNames } from './near-names.ts';

describe('nearNames', () => {
  it('finds what was meant, nearest first', () => {
    expect(nearNames('pilar', ['grains', 'pillar', 'salt'])).toEqual(['pillar']);
    expect(nearNames('defualt', ['default', 'defaults', 'd'])).toEqual(['default', 'defaults']);
    expect(nearNames('UPPER', ['upper', 'lower'])).toEqual(['upper']);
  });

  it('says nothing where nothing is near, or the name is right', () => {
    expect(nearNames('xyz', ['pillar', 'grains'])).toEqual([]);
    expect(nearNames('pillar', ['pillar'])).toEqual([]);
    expect(nearNames('', ['a'])).toEqual([]);
    expect(nearNames('a', ['b'])).toEqual([]);
  });

  it('answers at most three names and looks at a bounded number', () => {
    expect(nearNames('abcd', ['abce', 'abcf', 'abcg', 'abch', 'abci'])).toHaveLength(3);
    let asked = 0;
    const endless = function* () {
      while (true) yield `name${asked++}`;
    };
    nearNames('nome', endless());
    expect(asked).toBeLessThan(10_000);
    expect(nearNames('a'.repeat(10_000), ['a'.repeat(9_999)])).toEqual([]);
  });

  it('never answers the wrong name itself or a name that is not known', () => {
    const word = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(word, fc.array(word), (wrong, known) => {
        const near = nearNames(wrong, known);
        expect(near).not.toContain(wrong);
        for (const name of near) expect(known).toContain(name);
      }),
    );
  });
});
