import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEscapes } from './lex-string.ts';

const read = (literal: string) => {
  const result = readEscapes(literal);
  return 'fault' in result ? result : result.text;
};

describe('readEscapes', () => {
  it.each([
    ['plain', 'plain'],
    [String.raw`a\nb\tc\r\a\b\f\v`, 'a\nb\tc\r\x07\b\f\v'],
    [String.raw`\\ \' \"`, `\\ ' "`],
    [String.raw`\x41\u00e9\U0001F600`, 'Aé😀'],
    [String.raw`\0\12\101\777\8`, '\0\nA\u01ff\\8'],
    [String.raw`\d+\w \{\%`, String.raw`\d+\w \{\%`],
    ['a\\\nb', 'ab'],
    ['a\\\r\nb', 'a\\\r\nb'],
  ])('reads %j', (literal, expected) => {
    expect(read(literal)).toBe(expected);
  });

  it("keeps Jinja2's strange reading of a backslash before a character outside of ASCII", () => {
    expect(read('\\é')).toBe('\\xe9');
    expect(read('\\€')).toBe('\\u20ac');
    expect(read('\\😀')).toBe('\\U0001f600');
    expect(read('\\\\é')).toBe('\\é');
  });

  it.each([
    [String.raw`ab\x4`, 'truncated \\xXX escape', 2],
    [String.raw`\xzz`, 'truncated \\xXX escape', 0],
    [String.raw`\u12`, 'truncated \\uXXXX escape', 0],
    [String.raw`\U0001`, 'truncated \\UXXXXXXXX escape', 0],
    [String.raw`\U00110000`, 'illegal Unicode character', 0],
    [String.raw`\N`, 'malformed \\N character escape', 0],
    [String.raw`\N{}`, 'malformed \\N character escape', 0],
  ])('refuses %s', (literal, fault, index) => {
    expect(read(literal)).toEqual({ fault, index });
  });

  it('says what to write instead of a character by its name', () => {
    expect(read(String.raw`\N{BULLET}`)).toMatchObject({ fault: expect.stringContaining('write \\u') });
  });

  it('leaves text without backslashes alone and undoes its own escaping', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        if (!text.includes('\\')) expect(read(text)).toBe(text);
        const escaped = [...text].map((c) => `\\U${(c.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`);
        expect(read(escaped.join(''))).toBe(text);
      }),
    );
  });
});
