import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, type Glob, type GlobOptions, isGlobFault, plainOffsets } from './glob.ts';

function glob(pattern: string, options?: GlobOptions): Glob {
  const compiled = compileGlob(pattern, options);
  if (isGlobFault(compiled)) expect.unreachable(compiled.problem);
  return compiled;
}

/** What a glob means, tried out in every way there is: for small inputs only. */
function oracle(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*'))
    return oracle(pattern.slice(1), text) || (text !== '' && oracle(pattern, text.slice(1)));
  if (text === '') return false;
  const set = /^\[([!^]?)(\]?[^\]]*)\]/.exec(pattern);
  if (set === null)
    return (pattern.startsWith('?') || pattern[0] === text[0]) && oracle(pattern.slice(1), text.slice(1));
  const [whole, negation, members = ''] = set;
  const isMember = new RegExp(`^[${members.replace(/[\\\]^[]/g, '\\$&')}]$`).test(text[0] ?? '');
  return isMember === (negation === '') && oracle(pattern.slice(whole.length), text.slice(1));
}

describe('compileGlob', () => {
  it.each([
    ['web*', 'web-01', true],
    ['web*', 'web', true],
    ['web*', 'myweb', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['web-0?', 'web-01', true],
    ['web-0?', 'web-0', false],
    ['web-0?', 'web-012', false],
    ['web-[0-3]', 'web-2', true],
    ['web-[0-3]', 'web-4', false],
    ['web-[!0-3]', 'web-4', true],
    ['web-[^0-3]', 'web-2', false],
    ['[]x]', ']', true],
    ['[!]x]', ']', false],
    ['[a-]', '-', true],
    ['[*]', '*', true],
    ['[*]', 'x', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-b-b', false],
    ['**', 'x', true],
    ['web', 'web', true],
    ['web', 'web1', false],
  ])('%s on %j is %s', (pattern, text, expected) => {
    expect(glob(pattern)(text)).toBe(expected);
  });

  it.each([
    ['web[', 3],
    ['web[0-9', 3],
    ['[!]', 0],
    ['[]', 0],
    ['a[z-a]', 1],
  ])('%s is malformed at %i', (pattern, offset) => {
    expect(compileGlob(pattern)).toMatchObject({ offset });
  });

  it('ignores the case of letters and classes when asked to', () => {
    expect(glob('Ubuntu*', { ignoreCase: true })('ubuntu 24.04')).toBe(true);
    expect(glob('[A-C]*', { ignoreCase: true })('bob')).toBe(true);
    expect(glob('[!A-C]*', { ignoreCase: true })('bob')).toBe(false);
  });

  it('says what trying every way says', () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '[a-c]'), { maxLength: 7 })
      .map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        expect(glob(p)(t)).toBe(oracle(p, t));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not run away: a pattern that would keep a backtracking matcher for ever', () => {
    const text = 'a'.repeat(20_000);
    expect(glob(`${'*a'.repeat(120)}b`)(text)).toBe(false);
    expect(glob(`${'*a'.repeat(120)}`)(text)).toBe(true);
    expect(glob(`*${'a'.repeat(250)}b*`)(text)).toBe(false);
  });
});

describe('plainOffsets', () => {
  it('leaves out what is inside of brackets', () => {
    expect([...plainOffsets('a[.].b')]).toEqual([0, 4, 5]);
  });
});
