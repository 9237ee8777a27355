import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jitter } from './random.ts';
import { seededRandom } from './seeded-random.ts';
import { systemRandom } from './system-random.ts';

describe('seededRandom', () => {
  it('gives the same numbers for the same seed, on every machine', () => {
    const random = seededRandom(42);
    expect(Buffer.from(random.bytes(8)).toString('hex')).toBe('18231f1a2acf3c67');
    expect(seededRandom(42).fraction()).toBe(seededRandom(42).fraction());
    expect(seededRandom(42).fraction()).not.toBe(seededRandom(43).fraction());
  });

  it('spreads over the unit interval', () => {
    const random = seededRandom(7);
    const tenths = Array.from({ length: 10_000 }, () => Math.floor(random.fraction() * 10));
    for (let tenth = 0; tenth < 10; tenth++) {
      expect(Math.abs(tenths.filter((each) => each === tenth).length - 1_000)).toBeLessThan(150);
    }
  });
});

describe('systemRandom', () => {
  it('gives as many bytes as asked for, never the same, and fractions below 1', () => {
    expect(systemRandom.bytes(32)).toHaveLength(32);
    expect(systemRandom.bytes(32)).not.toEqual(systemRandom.bytes(32));
    const fraction = systemRandom.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
  });
});

describe('jitter', () => {
  it('stays within its spread', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, spread) => {
        const value = jitter(seededRandom(seed), 1_000, spread);
        expect(value).toBeGreaterThanOrEqual(1_000 * (1 - spread) - 1e-9);
        expect(value).toBeLessThanOrEqual(1_000 * (1 + spread) + 1e-9);
      }),
    );
  });
});
