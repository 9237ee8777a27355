import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumber } from './lex-number.ts';

const read = (text: string, from = 0) => {
  const number = readNumber(text, from);
  if (typeof number === 'string') return number;
  return [number.type, number.value, text.slice(number.end)];
};

describe('readNumber', () => {
  it.each([
    ['1', ['integer', 1, '']],
    ['1_000', ['integer', 1000, '']],
    ['1__0', ['integer', 1, '__0']],
    ['1_', ['integer', 1, '_']],
    ['00', ['integer', 0, '']],
    ['0_0', ['integer', 0, '']],
    ['01', ['integer', 0, '1']],
    ['0_1', ['integer', 0, '_1']],
    ['0xfF', ['integer', 255, '']],
    ['0X_f', ['integer', 15, '']],
    ['0b1_1', ['integer', 3, '']],
    ['0o17', ['integer', 15, '']],
    ['0o8', ['integer', 0, 'o8']],
    ['0b2', ['integer', 0, 'b2']],
    ['1.5', ['float', 1.5, '']],
    ['1_0.2_5', ['float', 10.25, '']],
    ['01.5', ['float', 1.5, '']],
    ['1e3', ['float', 1000, '']],
    ['1E-2', ['float', 0.01, '']],
    ['1.5e+1', ['float', 15, '']],
    ['1e400', ['float', Number.POSITIVE_INFINITY, '']],
    ['1.', ['integer', 1, '.']],
    ['1.e5', ['integer', 1, '.e5']],
    ['1._5', ['integer', 1, '._5']],
    ['1.5e', ['float', 1.5, 'e']],
    ['1_e5', ['integer', 1, '_e5']],
    ['9007199254740993', ['integer', 9007199254740993n, '']],
    ['9007199254740991', ['integer', 9007199254740991, '']],
    ['0xffffffffffffffffffff', ['integer', 0xffffffffffffffffffffn, '']],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('reads no float after a dot: it is an index', () => {
    expect(read('a.0.1', 2)).toEqual(['integer', 0, '.1']);
    expect(read('a.1e5', 2)).toEqual(['integer', 1, 'e5']);
  });

  it('refuses decimals that Python refuses for their length', () => {
    expect(read('9'.repeat(4300))).toEqual(['integer', 10n ** 4300n - 1n, '']);
    expect(read('9'.repeat(4301))).toContain('Exceeds the limit (4300 digits)');
    expect(read(`0x${'f'.repeat(10_000)}`)).toEqual(['integer', 16n ** 10_000n - 1n, '']);
  });

  it('reads every whole number back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (value) => {
        for (const text of [
          `${value}`,
          `0x${value.toString(16)}`,
          `0o${value.toString(8)}`,
          `0b${value.toString(2)}`,
        ]) {
          const [type, number, rest] = read(text) as [string, number | bigint, string];
          expect([type, BigInt(number), rest]).toEqual(['integer', value, '']);
          expect(typeof number).toBe(value <= BigInt(Number.MAX_SAFE_INTEGER) ? 'number' : 'bigint');
        }
      }),
    );
  });
});
