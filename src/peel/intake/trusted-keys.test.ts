import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  OVERLAP_MS_MAX,
  ROTATION_MS,
  type TrustedKey,
  usableKeys,
  withListed,
  withNewestKey,
} from './trusted-keys.ts';

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

describe('listed generations', () => {
  const listed = (generation: number, until?: bigint) => ({
    generation,
    curve: `X${generation}`,
    command: `c${generation}`,
    since: undefined,
    until,
  });
  const good = (keys: ReturnType<typeof withListed>, nowMs: number) =>
    usableKeys(keys, nowMs, OVERLAP_MS_MAX).map(({ generation }) => generation);

  it('are what the list says, and what is not listed any more ends at once', () => {
    const one = withListed([], [listed(1)], 0);
    const both = withListed(one, [listed(2), listed(1)], 1_000);
    expect(good(both, 1_000)).toEqual([2, 1]);
    expect(good(withListed(both, [listed(2)], 2_000), 2_000)).toEqual([2]);
    expect(withListed(both, [listed(2), listed(1)], 9_000)).toBe(both);
  });

  it('that were replaced end by our own clock too, and by what the list says', () => {
    const both = withListed([], [listed(2), listed(1)], 1_000);
    expect(good(both, 1_000 + OVERLAP_MS_MAX - 1)).toEqual([2, 1]);
    expect(good(both, 1_000 + OVERLAP_MS_MAX)).toEqual([2]);
    const sooner = withListed([], [listed(2), listed(1, 5_000_000_000n)], 1_000);
    expect(good(sooner, 5_000)).toEqual([2]);
    // Read again, it does not begin anew; nor does a clock that goes back.
    const again = withListed(
      withListed(both, [listed(3), listed(2)], 2_000),
      [listed(3), listed(2), listed(1)],
      3_000,
    );
    expect(good(again, 3_000)).toEqual([3, 2, 1]);
    expect(good(both, 1_000 - 1)).toEqual([2]);
  });
});
