import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from './random.ts';

const STEPS = 2 ** 47;

/** The kernel's randomness. */
export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction: () => randomInt(STEPS) / STEPS,
};
