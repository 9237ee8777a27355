import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', '.', '1', 'é', '😀'), maxLength: 60 });
const width = fc.integer({ min: 1, max: 20 });

describe('wrapText', () => {
  it('makes no line longer than the width where long words are broken', () => {
    fc.assert(
      fc.property(line, width, fc.boolean(), (text, max, partAtHyphens) => {
        for (const part of wrapText(text, {
          width: max,
          breakLongWords: true,
          partAtHyphens,
          cutAtHyphens: partAtHyphens,
        }))
          expect([...part].length).toBeLessThanOrEqual(max);
      }),
    );
  });

  it('loses nothing but spaces', () => {
    fc.assert(
      fc.property(line, width, fc.boolean(), fc.boolean(), (text, max, breakLongWords, cutAtHyphens) => {
        const lines = wrapText(text, { width: max, breakLongWords, partAtHyphens: true, cutAtHyphens });
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  it('starts no line but the first with a space', () => {
    fc.assert(
      fc.property(line, width, (text, max) => {
        const lines = wrapText(text, {
          width: max,
          breakLongWords: true,
          partAtHyphens: true,
          cutAtHyphens: true,
        });
        for (const part of lines.slice(1)) expect(part).not.toMatch(/^ /);
      }),
    );
  });

  it.each([
    ['aaa aaa', 2, ['aa', 'a ', 'aa', 'a']],
    ['well--known e-mail', 7, ['well--', 'known', 'e-mail']],
    ['co-op-er-ate', 5, ['co-', 'op-', 'er-', 'ate']],
    ['--x -y z-', 3, ['--x', '-y', 'z-']],
  ])('%j in %d columns, as Python does it', (text, max, expected) => {
    expect(
      wrapText(text, { width: max, breakLongWords: true, partAtHyphens: true, cutAtHyphens: true }),
    ).toEqual(expected);
  });
});
