/**
 * A seeded random gives the same numbers for the same seed, on every machine and Node version, by splitmix32 steps. For
 * simulation and tests; never for keys.
 */
import type { Random } from './random.ts';

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
  return {
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
    fraction: () => next() / 2 ** 32,
  };
}
