import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeKsuid, ksuidTimeMs, newKsuid } from './ids.ts';
import { seededRandom } from './seeded-random.ts';
import { virtualClock } from './virtual-clock.ts';

const payload = fc.uint8Array({ minLength: 16, maxLength: 16 });
const seconds = fc.integer({ min: 1_400_000_000, max: 1_400_000_000 + 0xffff_ffff });

describe('KSUID', () => {
  it('gives the text that the original library gives', () => {
    const bytes = Buffer.from('0669f7efb5a1cd34b5f99d1154fb6853345c9735', 'hex');
    const atMs = Date.UTC(2017, 9, 10, 4, 0, 47);
    expect(encodeKsuid(atMs, bytes.subarray(4))).toBe('0ujtsYcgvSTl8PAuAdqWYSMnLOv');
    expect(ksuidTimeMs('0ujtsYcgvSTl8PAuAdqWYSMnLOv')).toBe(atMs);
  });

  it('is 27 characters that tell their second', () => {
    fc.assert(
      fc.property(seconds, payload, (second, bytes) => {
        const text = encodeKsuid(second * 1000, bytes);
        expect(text).toMatch(/^[0-9A-Za-z]{27}$/);
        expect(ksuidTimeMs(text)).toBe(second * 1000);
      }),
    );
  });

  it('sorts as text the way it was made in time', () => {
    fc.assert(
      fc.property(seconds, seconds, payload, payload, (a, b, x, y) => {
        fc.pre(a < b);
        expect(encodeKsuid(a * 1000, x) < encodeKsuid(b * 1000, y)).toBe(true);
      }),
    );
  });

  it('a clock before 2014 or after 2150 still gives a valid id', () => {
    for (const atMs of [0, -1, Date.UTC(2200, 0, 1)]) {
      expect(encodeKsuid(atMs, new Uint8Array(16))).toMatch(/^[0-9A-Za-z]{27}$/);
    }
  });

  it.each(['', 'short', '!ujtsYcgvSTl8PAuAdqWYSMnLOv', 'zzzzzzzzzzzzzzzzzzzzzzzzzzz'])(
    '%j is none',
    (text) => {
      expect(ksuidTimeMs(text)).toBeUndefined();
    },
  );

  it('two of the same instant differ', () => {
    const clock = virtualClock();
    const random = seededRandom(1);
    expect(newKsuid(clock, random)).not.toBe(newKsuid(clock, random));
  });
});
