import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROTATION_MS, type TrustedKey, usableKeys, withNewestKey } from './trusted-keys.ts';

const texts = (keys: readonly TrustedKey[]) => keys.map((key) => key.text);

describe('trusted keys', () => {
  it('a key that was replaced is taken for ten minutes more, from the first replacement on', () => {
    const one = withNewestKey([], 'one', 0);
    const two = withNewestKey(one, 'two', 1_000);
    const three = withNewestKey(two, 'three', 500_000);
    expect(texts(usableKeys(three, 500_000))).toEqual(['three', 'two', 'one']);
    expect(texts(usableKeys(three, 1_000 + ROTATION_MS))).toEqual(['three', 'two']);
    expect(texts(usableKeys(three, 500_000 + ROTATION_MS))).toEqual(['three']);
  });

  it('the newest stays for ever, and seeing it again changes nothing', () => {
    const keys = withNewestKey([], 'one', 0);
    expect(withNewestKey(keys, 'one', 5)).toBe(keys);
    expect(texts(usableKeys(keys, 1e12))).toEqual(['one']);
  });

  it('a clock that goes back prolongs nothing', () => {
    const keys = withNewestKey(withNewestKey([], 'one', 1e9), 'two', 1e9);
    expect(texts(usableKeys(keys, 1e9 - 3_600_000))).toEqual(['two']);
  });

  it('are few, without doubles, and the last seen comes first', () => {
    const seen = fc.array(
      fc.record({ text: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), atMs: fc.nat(10_000_000) }),
    );
    fc.assert(
      fc.property(seen, (events) => {
        let keys: readonly TrustedKey[] = [];
        for (const { text, atMs } of events) {
          keys = withNewestKey(keys, text, atMs);
          expect(keys[0]).toEqual({ text, until: undefined });
          expect(new Set(texts(keys)).size).toBe(keys.length);
          expect(keys.length).toBeLessThanOrEqual(4);
          expect(keys.slice(1).every((key) => key.until !== undefined)).toBe(true);
        }
      }),
    );
  });
});
