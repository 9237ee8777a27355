/** The system's random is the kernel's, taken in pools. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from './random.ts';

const STEPS = 2 ** 47;
/** Asking the kernel costs as much for 16 bytes as for all of these; message ids take 16 at a time. */
const POOL_BYTES = 4_096;
const POOLED_BYTES_MAX = 64;

let pool = randomBytes(POOL_BYTES);
let used = 0;

/** The kernel's randomness. */
export const systemRandom: Random = {
  bytes: (count) => (count > POOLED_BYTES_MAX ? randomBytes(count) : fromPool(count)),
  fraction: () => randomInt(STEPS) / STEPS,
};

/** Each byte is handed out once, as a copy, and wiped: what was taken from the pool cannot be found in it. */
function fromPool(count: number): Uint8Array {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  const taken = Uint8Array.from(pool.subarray(used, used + count));
  pool.fill(0, used, used + count);
  used += count;
  return taken;
}
