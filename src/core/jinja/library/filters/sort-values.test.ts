import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortKeyed } from './sort-values.ts';

describe('sortKeyed', () => {
  const items = fc
    .array(fc.integer({ min: 0, max: 9 }), { maxLength: 300 })
    .map((keys) => keys.map((key, place) => ({ key, place })));

  it('sorts, and keeps equal items in their order', () => {
    fc.assert(
      fc.property(items, (given) => {
        const sorted = [...given];
        sortKeyed(sorted, (a, b) => a < b, false);
        expect(sorted).toEqual([...given].sort((a, b) => a.key - b.key || a.place - b.place));
      }),
    );
  });

  it('backwards, equal items keep their order too', () => {
    fc.assert(
      fc.property(items, (given) => {
        const sorted = [...given];
        sortKeyed(sorted, (a, b) => a < b, true);
        expect(sorted).toEqual([...given].sort((a, b) => b.key - a.key || a.place - b.place));
      }),
    );
  });

  it('asks first whether the second item is less than the first', () => {
    const asked: [number, number][] = [];
    const keyed = [3, 1, 2].map((key) => ({ key }));
    sortKeyed(
      keyed,
      (a, b) => {
        asked.push([a, b]);
        return a < b;
      },
      false,
    );
    expect(asked[0]).toEqual([1, 3]);
    expect(keyed.map(({ key }) => key)).toEqual([1, 2, 3]);
  });

  it('asks about n log n questions', () => {
    for (const size of [64, 1_000, 4_096]) {
      let questions = 0;
      const keyed = Array.from({ length: size }, (_, i) => ({ key: (i * 7_919) % 4_099 }));
      sortKeyed(
        keyed,
        (a, b) => {
          questions += 1;
          return a < b;
        },
        false,
      );
      expect(questions).toBeLessThan(size * Math.ceil(Math.log2(size)) * 1.2);
    }
  });
});
