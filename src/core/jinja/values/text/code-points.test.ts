import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength, codePointSlice, codePointStarts } from './code-points.ts';

describe('code points', () => {
  it('are counted and cut as by an array of them', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.nat(300),
        fc.nat(300),
        (text, from, count) => {
          const points = [...text];
          const start = Math.min(from, points.length);
          const stop = Math.min(start + count, points.length);
          expect(codePointLength(text)).toBe(points.length);
          expect(codePointSlice(text, start, stop)).toBe(points.slice(start, stop).join(''));
        },
      ),
    );
  });

  it('of a long text are looked up once', () => {
    const text = 'a😀'.repeat(1_000);
    expect(codePointStarts(text)).toBe(codePointStarts(`${text}`));
    expect(codePointStarts(text)).toHaveLength(2_001);
    expect(codePointStarts('é'.repeat(1_000))).toBeUndefined();
  });
});
