import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_CHARS_MAX, printableJson, printableLine, printableText } from './printable.ts';

/** Said apart from the code: by code points, not by Unicode categories. */
const STEERS = [
  '\u0000',
  '\u0007',
  '\b',
  '\r',
  '\u001b[2J',
  '\u007f',
  '\u0085',
  '\u009b31m',
  '\u00ad',
  '\u061c',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\u{e0041}',
  '\ud800',
];
const isSafe = (text: string) =>
  [...text].every((each) => {
    const point = each.codePointAt(0) ?? 0;
    if (point < 0x20 || (point >= 0x7f && point < 0xa0) || point === 0xad || point === 0x61c) return false;
    if ((point >= 0x200b && point <= 0x200f) || (point >= 0x2028 && point <= 0x202e)) return false;
    if ((point >= 0x2060 && point <= 0x206f) || point === 0xfeff) return false;
    return (
      !(point >= 0xd800 && point <= 0xdfff) && !(point === 0xe0001 || (point >= 0xe0020 && point <= 0xe007f))
    );
  });
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...STEERS, '\n', '\t', ' '), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

describe('printableLine', () => {
  it('is one line of harmless characters, whatever comes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = printableLine(text);
        expect([isSafe(line), line.length]).toEqual([true, Math.min(text.length, LINE_CHARS_MAX)]);
      }),
    );
    for (const steers of STEERS) expect(isSafe(printableLine(`a${steers}b`))).toBe(true);
  });

  it('keeps ordinary text, puts blanks for line breaks and question marks for the rest', () => {
    expect(printableLine('Debian GNU/Linux 12, Zürich, 東京 👍')).toBe(
      'Debian GNU/Linux 12, Zürich, 東京 👍',
    );
    expect(printableLine('a\r\nb\tc\u001b[31md\u202ee')).toBe('a  b c?[31md?e');
  });

  it('is bounded, and says that it was cut', () => {
    expect(printableLine('x'.repeat(255_000))).toBe(`${'x'.repeat(LINE_CHARS_MAX - 1)}…`);
    expect(printableLine('abcdef', 4)).toBe('abc…');
    expect(printableLine('ab\u{1f600}cd', 4)).toBe('ab?…');
  });
});

it('no character of all there are reaches a terminal that obeys it', () => {
  const obeyed: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    const text = String.fromCodePoint(point);
    const shown = [printableLine(text), printableText(text).replace(/[\n\t]/, '')];
    if (!shown.every(isSafe)) obeyed.push(point.toString(16));
  }
  expect(obeyed).toEqual([]);
});

describe('printableText', () => {
  it('keeps lines and tabs, and nothing else that a terminal obeys', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = printableText(text);
        expect(isSafe(shown.replace(/[\n\t]/g, ''))).toBe(true);
        expect(shown.split('\n').length).toBe(text.split('\n').length);
      }),
    );
  });
});

it('printableText cuts its lines where it is told to', () => {
  expect(printableText('abcdef\nab\u001b', 4)).toBe('abc…\nab?');
  expect(printableText('ab\u{1f600}cd\nab\u{1f600}', 4)).toBe('ab?…\nab\u{1f600}');
  expect(printableText('x'.repeat(100_000))).toHaveLength(100_000);
});

describe('printableJson', () => {
  it('is the same value in harmless characters', () => {
    const value = fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile)));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (data, indent) => {
        const text = printableJson(data, indent);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(data)));
        expect(isSafe(text.replaceAll('\n', ''))).toBe(true);
      }),
    );
  });

  it('escapes what JSON itself leaves raw', () => {
    expect(printableJson(['\u009b', '\u2028', '\u202e', '\u{e0041}'])).toBe(
      '["\\u009b","\\u2028","\\u202e","\\udb40\\udc41"]',
    );
  });
});
