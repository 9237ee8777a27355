import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinLines, keepingForm, splitLines, writtenLines } from './edit-text.ts';

const text = fc
  .array(fc.constantFrom('a', '\n', '\r\n', '\r', '\ufeff', ' '), { maxLength: 12 })
  .map((parts) => parts.join(''));

it('splitLines and joinLines are each the way back of the other', () => {
  fc.assert(fc.property(text, (whole) => joinLines(splitLines(whole)) === whole));
});

it('keepingForm with an edit that does nothing changes nothing', () => {
  fc.assert(fc.property(text, (whole) => keepingForm(whole, (inner) => inner) === whole));
});

it.each([
  ['a\r\nb\r\n', 'a\r\nb\r\nx\r\n'],
  ['a\r\nb\n', 'a\r\nb\nx\n'],
  ['\ufeffa\n', '\ufeffa\nx\n'],
  ['', 'x\n'],
])('keepingForm adds a line to %j as its lines are', (before, after) => {
  expect(keepingForm(before, (inner) => `${inner}x\n`)).toBe(after);
});

it('keepingForm hands the edit lines that end with a newline alone', () => {
  const seen: string[] = [];
  keepingForm('\ufeffa\r\nb\r\n', (inner) => {
    seen.push(inner);
    return inner;
  });
  expect(seen).toEqual(['a\nb\n']);
});

it('writtenLines takes one newline at the end for the end of a line', () => {
  expect(['', 'a', 'a\n', 'a\r\nb\r\n', 'a\n\n'].map(writtenLines)).toEqual([
    [''],
    ['a'],
    ['a'],
    ['a', 'b'],
    ['a', ''],
  ]);
});
