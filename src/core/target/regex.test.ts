import { describe, expect, it } from 'vitest';
import { compileRegex, isRegexFault } from './regex.ts';

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
    ['(a)\\1', 3, 'RE2 has no back-references (`\\1`)'],
    ['web[', 3, 'unterminated character set'],
    ['a**', 2, 'multiple repeat'],
    ['x\\', 1, 'bad escape (end of pattern)'],
  ])('%s is refused at %i: %s', (pattern, offset, problem) => {
    expect(compileRegex(pattern)).toMatchObject({ offset, problem });
  });

  it('gives no answer twice as costly: what would backtrack for ever is done at once', () => {
    expect(matches('^(a+)+$', `${'a'.repeat(50_000)}b`)).toBe(false);
    expect(matches('(a?){30}a{30}$', 'a'.repeat(30))).toBe(true);
  });
});
