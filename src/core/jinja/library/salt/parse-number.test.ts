/** Recorded from Python 3.11's int() and float(). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFloating, parseInteger } from './parse-number.ts';

describe('parseInteger', () => {
  it.each([
    ['42', 10, 42],
    [' -4_2\n', 10, -42],
    ['+7', 10, 7],
    ['٣٤', 10, 34],
    ['𝟏𝟐', 10, 12],
    ['0x1F', 16, 31],
    ['0x1F', 0, 31],
    ['0b_11', 2, 3],
    ['0b1', 16, 177],
    ['0o17', 0, 15],
    ['z', 36, 35],
    ['0', 0, 0],
    ['00', 0, 0],
    ['-0', 10, 0],
    ['9007199254740993', 10, 9007199254740993n],
  ])('int(%j, %d) is %s', (text, base, expected) => {
    expect(parseInteger(text, base)).toBe(expected);
  });

  it.each([
    ['', 10],
    ['-', 10],
    ['1 2', 10],
    ['1__2', 10],
    ['_1', 10],
    ['1_', 10],
    ['0x1f', 10],
    ['0x', 16],
    ['012', 0],
    ['8', 8],
    ['1.0', 10],
    ['²', 10],
    ['1', 1],
    ['1', 37],
    ['1'.repeat(4301), 10],
  ])('int(%j, %d) is refused', (text, base) => {
    expect(parseInteger(text, base)).toBeUndefined();
  });

  it('reads back what JavaScript writes, in every base', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 2, max: 36 }), (value, base) => {
        expect(BigInt(parseInteger(value.toString(base), base) ?? -1n)).toBe(value);
      }),
    );
  });
});

describe('parseFloating', () => {
  it.each([
    ['1.5', 1.5],
    [' 1_0.5e1 ', 105],
    ['.5', 0.5],
    ['5.', 5],
    ['-0', -0],
    ['+inf', Infinity],
    ['-Infinity', -Infinity],
    ['nan', Number.NaN],
    ['-NaN', Number.NaN],
    ['1e400', Infinity],
    ['٣.٥', 3.5],
  ])('float(%j) is %d', (text, expected) => {
    expect(parseFloating(text)).toBe(expected);
  });

  it.each(['', '.', '1e', 'e5', '1_.5', '1._5', '0x1', '1 2', 'infin', '--1', '1,5'])(
    'float(%j) is refused',
    (text) => {
      expect(parseFloating(text)).toBeUndefined();
    },
  );

  it('reads back every number that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(parseFloating(`${value}`)).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });
});
