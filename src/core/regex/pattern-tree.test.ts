import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePythonPattern } from './parse-pattern.ts';
import { instructionsOf, NO_FLAGS } from './pattern-tree.ts';
import { PythonRegex } from './python-regex.ts';

const estimate = (pattern: string) => instructionsOf(parsePythonPattern(pattern, NO_FLAGS).root);

describe('instructionsOf', () => {
  it('is of the size that compiling has', () => {
    const atom = fc.constantFrom('a', '.', '\\d', '[a-z]', '(?:ab|c)', 'web-');
    const repeat = fc.constantFrom('', '*', '?', '{3}', '{0,9}', '{,4}', '{2,}', '{40}');
    const pattern = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3 },
        atom,
        fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
        fc.tuple(tie('pattern'), repeat).map(([inner, count]) => `(${inner})${count}`),
      ),
    })).pattern;
    fc.assert(
      fc.property(pattern, (text) => {
        const estimated = estimate(text);
        if (estimated > 1_000) return; // RE2 refuses what repeats more often
        const { instructions } = new PythonRegex(text, { ...NO_FLAGS, instructionsMax: Infinity });
        expect(instructions).toBeLessThanOrEqual(2 * estimated + 10);
        expect(estimated).toBeLessThanOrEqual(3 * instructions + 10);
      }),
      { numRuns: 300 },
    );
  });

  it('sees the size of what is short to write', () => {
    expect(estimate('((x{10}){10}){10}')).toBeGreaterThan(1_000);
    expect(estimate('(abcdefghij){1000}')).toBeGreaterThan(10_000);
  });
});
