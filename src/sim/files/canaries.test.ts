import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canariesIn, canaryText, findCanary } from './canaries.ts';

const canaries = fc.record({ secret: fc.constantFrom('login', 'vault'), version: fc.nat(999) });
const lines = fc.constantFrom(1 as const, 2 as const);
const around = fc.uint8Array({ maxLength: 40 });

describe('a canary', () => {
  it('is found in any bytes, as it is, in base64 of both alphabets and in hexadecimal digits', () => {
    fc.assert(
      fc.property(canaries, lines, around, around, (canary, count, before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(canaryText(canary, count)), after]);
        expect(findCanary(bytes)).toBe('as it is');
        expect(findCanary(Buffer.from(bytes.toString('base64')))).toBe('in base64');
        expect(findCanary(Buffer.from(bytes.toString('base64url')))).toBe('in base64');
        expect(findCanary(Buffer.from(bytes.toString('hex')))).toBe('in hexadecimal');
        expect(findCanary(Buffer.from(bytes.toString('hex').toUpperCase()))).toBe('in hexadecimal');
      }),
    );
  });

  it('is found in each of its lines, and however it is escaped', () => {
    const text = canaryText({ secret: 'vault', version: 3 }, 2);
    for (const line of text.split('\n')) expect(findCanary(Buffer.from(line))).toBe('as it is');
    const odd = canaryText({ secret: 'login', version: 3 }, 1);
    for (const escaped of [JSON.stringify(odd), encodeURIComponent(odd)])
      expect(findCanary(Buffer.from(escaped))).toBe('as it is');
  });

  it('says which secret it is, and of which version', () => {
    fc.assert(
      fc.property(canaries, lines, (canary, count) => {
        expect(canariesIn(`a ${canaryText(canary, count)} b`)).toEqual(
          Array.from({ length: count }, () => canary),
        );
      }),
    );
  });

  it('is not found where there is none', () => {
    fc.assert(fc.property(around, (bytes) => findCanary(bytes) === undefined));
  });
});
