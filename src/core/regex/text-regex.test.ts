import { describe, expect, it } from 'vitest';
import { NO_FLAGS } from './pattern-tree.ts';
import { textRegex } from './text-regex.ts';

describe('textRegex', () => {
  it('finds matches from the start, with their groups', () => {
    const regex = textRegex('(?P<key>\\w+)=(\\d+)?');
    expect([...regex.matches('ü a=1, b=')]).toEqual([
      { start: 2, end: 5, groups: ['a=1', 'a', '1'] },
      { start: 7, end: 9, groups: ['b=', 'b', undefined] },
    ]);
    expect(regex.groupCount).toBe(2);
    expect([...regex.groupNumbers]).toEqual([['key', 1]]);
  });

  it('takes flags', () => {
    expect(textRegex('^b$').test('a\nb')).toBe(false);
    expect(textRegex('^b$', { ...NO_FLAGS, multiline: true }).test('a\nb')).toBe(true);
    expect(textRegex('^B', { ...NO_FLAGS, ignoreCase: true }).test('b')).toBe(true);
    expect(textRegex('a.b', { ...NO_FLAGS, dotAll: true }).test('a\nb')).toBe(true);
  });

  it('finds what is empty where Python does, and comes to an end', () => {
    expect([...textRegex('x*').matches('axb')].map(({ start, end }) => [start, end])).toEqual([
      [0, 0],
      [1, 2],
      [2, 2],
      [3, 3],
    ]);
  });

  it('finds the same in a text, whatever texts came before', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_αβγδεζηθικλμν';
    const regex = textRegex(`\\b(?:${[...letters].join('|')})`);
    for (const text of ['αβγδεζ', 'ηθικλμ', 'αβγδεζ']) expect(regex.test(text)).toBe(true);
    const matches = regex.matches('α β')[Symbol.iterator]();
    expect(matches.next().value).toMatchObject({ start: 0 });
    regex.test('ηθικλμ');
    expect(matches.next().value).toMatchObject({ start: 2 });
    expect(matches.next().done).toBe(true);
  });

  it.each([
    ['(?<!a)b', 'RE2 has no look-around'],
    ['(a)\\1', 'RE2 has no back-references'],
    ['[', 'unterminated character set'],
    ['(x{100}){100}', 'it is too large'],
    ['a{1001}', 'it repeats something more than 1000 times'],
    ['(x{40}){30}', 'it repeats something more than 1000 times'],
    ['(?:(?:){1000}){1000}', 'it repeats something more than 1000 times'],
  ])('says what is wrong with %s: %s', (pattern, problem) => {
    expect(() => textRegex(pattern)).toThrow(`cannot use the regular expression ${pattern}: ${problem}`);
  });
});
