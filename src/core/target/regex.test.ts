import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex, isRegexFault } from './regex.ts';
import { estimateInstructions } from './regex-size.ts';

function matches(pattern: string, text: string): boolean {
  const regex = compileRegex(pattern);
  if (isRegexFault(regex)) expect.unreachable(regex.problem);
  return regex.test(text);
}

describe('compileRegex', () => {
  it('searches anywhere unless it is anchored', () => {
    expect(matches('db-\\d{2}', 'my-db-01-fra')).toBe(true);
    expect(matches('^db-\\d{2}$', 'my-db-01-fra')).toBe(false);
    expect(matches('(?i)WEB', 'web-01')).toBe(true);
  });

  it.each([
    ['(?<=a)b', 0, 'RE2 has no look-around (`(?<=`)'],
    ['web(?!-canary)', 3, 'RE2 has no look-around (`(?!`)'],
    ['(a)\\1', 3, 'RE2 has no backreferences (`\\1`)'],
    ['web[', 3, 'missing closing ]: `[`'],
    ['a**', 1, 'invalid nested repetition operator: `**`'],
    ['x\\', 0, 'trailing backslash at end of expression'],
  ])('%s is refused at %i: %s', (pattern, offset, problem) => {
    expect(compileRegex(pattern)).toMatchObject({ offset, problem });
  });

  it('gives no answer twice as costly: what would backtrack for ever is done at once', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(false);
    expect(matches('(a?){30}a{30}$', 'a'.repeat(30))).toBe(true);
  });
});

describe('estimateInstructions', () => {
  it('is of the size that compiling has', () => {
    const atom = fc.constantFrom('a', '.', '\\d', '[a-z]', '(?:ab|c)', 'web-');
    const repeat = fc.constantFrom('', '*', '?', '{3}', '{0,9}', '{2,}', '{40}');
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
        const regex = compileRegex(text);
        if (isRegexFault(regex)) return;
        const estimate = estimateInstructions(text);
        expect(regex.instructions).toBeLessThanOrEqual(2 * estimate + 10);
        expect(estimate).toBeLessThanOrEqual(3 * regex.instructions + 10);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', '{', '{5}', ')', '(', '[', '\\', 'a{1'])('gives some number for %j', (pattern) => {
    expect(estimateInstructions(pattern)).toBeLessThan(20);
  });

  it('sees the size of what is short to write', () => {
    expect(estimateInstructions('((x{10}){10}){10}')).toBeGreaterThan(1_000);
    expect(estimateInstructions('(abcdefghij){1000}')).toBeGreaterThan(10_000);
  });
});
