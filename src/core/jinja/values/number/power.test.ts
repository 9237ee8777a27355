import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactPower } from './power.ts';

describe('exactPower', () => {
  it.each([
    [100, -2, 0.0001],
    [7, -2, 0.02040816326530612],
    [2, 3.5, 11.313708498984761],
    [2, -0.5, 0.7071067811865476],
    [99999.5, -0.5, 0.0031622855658921764],
    [-1.9295881087995639, 10, 715.5601410975956],
    [10, 0.1, 1.2589254117941673],
    [1.5, 1000, 1.2338405969061735e176],
    [0.5, 1074, 5e-324],
    [5e-324, 0.5, 2.2227587494850775e-162],
    [1e300, 1.02, 1.0000000000000123e306],
    [4, 0.5, 2],
    [-2, 3, -8],
    [0, 5, 0],
    [2, 0, 1],
  ])('%d to the power of %d', (base, exponent, power) => {
    expect(exactPower(base, exponent)).toBe(power);
  });

  it('is never further from the true power than its neighbour, where that can be computed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1000 }), fc.integer({ min: 1, max: 30 }), (base, exponent) => {
        expect(exactPower(base, exponent)).toBe(Number(BigInt(base) ** BigInt(exponent)));
      }),
    );
  });

  it('is near to what JavaScript computes', () => {
    const base = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(base, fc.double({ min: -20, max: 20, noNaN: true }), (x, y) => {
        const plain = x ** y;
        expect(Math.abs(exactPower(x, y) - plain)).toBeLessThanOrEqual(Math.abs(plain) * 1e-13);
      }),
    );
  });
});
