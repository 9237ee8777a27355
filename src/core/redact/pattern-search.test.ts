import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PatternMatch, PatternSearch } from './pattern-search.ts';

/** Few letters, so that patterns begin with one another and overlap. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '\u4e61', '\u5f00'), maxLength: 40 });
const pattern = word.filter((text) => text.length >= 4);

/** Place by place, all patterns. */
function searched(patterns: readonly string[], text: string): readonly PatternMatch[] {
  return [...text].flatMap((_, from) => {
    const [longest] = patterns
      .filter((each) => text.startsWith(each, from))
      .sort((a, b) => b.length - a.length);
    return longest === undefined ? [] : [{ from, to: from + longest.length, pattern: longest }];
  });
}

describe('the search for patterns', () => {
  it('finds at every place the longest that begins there', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), fc.array(word), (patterns, words) => {
        // Texts made of patterns, so that there is something to find.
        const text = [...words, ...patterns].map((each, at) => each.slice(at % 3)).join('');
        expect(new PatternSearch(patterns).matches(text)).toEqual(searched(patterns, text));
      }),
      { numRuns: 500 },
    );
  });

  it('finds what is left of a pattern before a cut: the longest stretch that one begins with', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), word, fc.nat(40), (patterns, text, cutAt) => {
        const end = Math.min(cutAt, text.length);
        const from = Array.from({ length: Math.max(0, end - 3) }, (_, at) => at).find((at) =>
          patterns.some((each) => each.startsWith(text.slice(at, end))),
        );
        const found = new PatternSearch(patterns).beginningBefore(text, end, 4);
        expect(found && [found.from, found.to]).toEqual(from === undefined ? undefined : [from, end]);
        if (found !== undefined) expect(found.pattern.startsWith(text.slice(found.from, end))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('finds a pattern that ends with the text, and none that goes on behind it', () => {
    const search = new PatternSearch(['abcd', 'abcdef', 'abcdefgh']);
    expect(search.matches('xabcdefg')).toEqual([{ from: 1, to: 7, pattern: 'abcdef' }]);
    expect(search.matches('xabc')).toEqual([]);
    expect(new PatternSearch([]).matches('abcd')).toEqual([]);
  });
});
