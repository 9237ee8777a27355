/**
 * Python's `random.Random(text)` and its `sample`: the Mersenne Twister, seeded as Python seeds it with a text, so that
 * a seed gives the values that Salt gives.
 */

const WORDS = 624;
const SHIFT = 397;
const UPPER = 0x80000000;
const LOWER = 0x7fffffff;
const MATRIX = 0x9908b0df;

/** A whole number from 0 to one less than `end`. */
export type RandomBelow = (end: number) => number;

/** `sha512` hashes bytes. */
export function pythonRandom(seed: Uint8Array, sha512: (bytes: Uint8Array) => Uint8Array): RandomBelow {
  const bits = mersenneTwister(littleEndianWords([...seed, ...sha512(seed)]));
  return (end) => {
    const width = 32 - Math.clz32(end);
    for (;;) {
      const number = bits() >>> (32 - width);
      if (number < end) return number;
    }
  };
}

/** The words of a number that is written with its highest byte first. */
function littleEndianWords(bytes: readonly number[]): readonly number[] {
  const words: number[] = [];
  for (let end = bytes.length; end > 0; end -= 4) {
    const four = bytes.slice(Math.max(0, end - 4), end);
    words.push(four.reduce((word, byte) => word * 256 + byte, 0));
  }
  while (words.length > 1 && words.at(-1) === 0) words.pop();
  return words;
}

/** Gives 32 random bits at a time. */
function mersenneTwister(key: readonly number[]): () => number {
  const state = seededState(key);
  let next = WORDS;
  return () => {
    if (next >= WORDS) {
      twist(state);
      next = 0;
    }
    let bits = state[next++] ?? 0;
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    bits ^= bits >>> 18;
    return bits >>> 0;
  };
}

function seededState(key: readonly number[]): Uint32Array {
  const state = new Uint32Array(WORDS);
  const at = (index: number): number => state[index] ?? 0;
  const mixed = (index: number): number => at(index - 1) ^ (at(index - 1) >>> 30);
  state[0] = 19_650_218;
  for (let i = 1; i < WORDS; i++) state[i] = Math.imul(1_812_433_253, mixed(i)) + i;
  let i = 1;
  const advance = () => {
    i += 1;
    if (i < WORDS) return;
    state[0] = at(WORDS - 1);
    i = 1;
  };
  for (let k = 0; k < Math.max(WORDS, key.length); k++) {
    const j = k % key.length;
    state[i] = (at(i) ^ Math.imul(mixed(i), 1_664_525)) + (key[j] ?? 0) + j;
    advance();
  }
  for (let k = 1; k < WORDS; k++) {
    state[i] = (at(i) ^ Math.imul(mixed(i), 1_566_083_941)) - i;
    advance();
  }
  state[0] = UPPER;
  return state;
}

function twist(state: Uint32Array): void {
  const at = (index: number): number => state[index % WORDS] ?? 0;
  for (let i = 0; i < WORDS; i++) {
    const bits = (at(i) & UPPER) | (at(i + 1) & LOWER);
    state[i] = at(i + SHIFT) ^ (bits >>> 1) ^ (bits & 1 ? MATRIX : 0);
  }
}

/** `count` of the items, none twice, as Python's `sample` takes them; `count` is at most their number. */
export function sample<T>(items: readonly T[], count: number, below: RandomBelow): T[] {
  const size = items.length;
  // Python takes from a copy where a set of the numbers taken would not be smaller.
  const setSize = 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
  if (size <= setSize) return sampleOfCopy(items, count, below);
  const taken = new Set<number>();
  while (taken.size < count) taken.add(below(size));
  return Array.from(taken, (at) => items[at] as T);
}

/** The same for any chance: it ends also with one that always gives the same number. */
export function sampleOfCopy<T>(items: readonly T[], count: number, below: RandomBelow): T[] {
  const left = items.slice();
  const chosen: T[] = [];
  while (chosen.length < count) {
    const at = below(left.length);
    const last = left.pop() as T;
    chosen.push(at < left.length ? (left[at] as T) : last);
    if (at < left.length) left[at] = last;
  }
  return chosen;
}
