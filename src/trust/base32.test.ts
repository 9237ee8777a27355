import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase32, encodeBase32 } from './base32.ts';

describe('base32', () => {
  it('writes the examples of RFC 4648 without padding', () => {
    const examples = {
      f: 'MY',
      fo: 'MZXQ',
      foo: 'MZXW6',
      foob: 'MZXW6YQ',
      fooba: 'MZXW6YTB',
      foobar: 'MZXW6YTBOI',
    };
    for (const [plain, text] of Object.entries(examples)) expect(encodeBase32(Buffer.from(plain))).toBe(text);
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(decodeBase32(encodeBase32(bytes))).toEqual(bytes);
      }),
    );
  });

  it('has one text for one value: whatever it accepts, it would have written', () => {
    const nearlyBase32 = fc.string({
      unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567a=1 '),
      maxLength: 12,
    });
    fc.assert(
      fc.property(nearlyBase32, (text) => {
        const bytes = decodeBase32(text);
        if (bytes !== undefined) expect(encodeBase32(bytes)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses lower case, padding and bits left over', () => {
    for (const text of ['my', 'MY======', 'MZ', 'A', 'M1']) expect(decodeBase32(text)).toBeUndefined();
  });
});
