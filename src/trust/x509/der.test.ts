import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bitFlags,
  derBoolean,
  derInteger,
  derTime,
  explicit,
  implicit,
  octetString,
  oid,
  readValues,
  sequence,
} from './der.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('der', () => {
  it('writes integers in their shortest form, never negative', () => {
    expect(hex(derInteger(Buffer.of(0)))).toBe('020100');
    expect(hex(derInteger(Buffer.of(0, 0, 127)))).toBe('02017f');
    expect(hex(derInteger(Buffer.of(128)))).toBe('02020080');
    expect(hex(derInteger(Buffer.of()))).toBe('020100');
  });

  it('writes lengths in their shortest form', () => {
    expect(hex(octetString(Buffer.alloc(127))).slice(0, 4)).toBe('047f');
    expect(hex(octetString(Buffer.alloc(128))).slice(0, 6)).toBe('048180');
    expect(hex(octetString(Buffer.alloc(256))).slice(0, 8)).toBe('04820100');
  });

  it('writes object identifiers', () => {
    expect(hex(oid('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302');
    expect(hex(oid('2.5.29.14'))).toBe('0603551d0e');
  });

  it('writes named bits without the zeros at the end', () => {
    expect(hex(bitFlags([0]))).toBe('03020780');
    expect(hex(bitFlags([5, 6]))).toBe('03020106');
    expect(hex(bitFlags([0, 8]))).toBe('0303078080');
  });

  it('writes two digits of the year up to 2049 and four after that', () => {
    expect(Buffer.from(derTime(Date.UTC(2049, 11, 31, 23, 59, 59, 999)).subarray(2)).toString()).toBe(
      '491231235959Z',
    );
    expect(Buffer.from(derTime(Date.UTC(2050, 0, 1)).subarray(2)).toString()).toBe('20500101000000Z');
    expect(derTime(Date.UTC(2050, 0, 1))[0]).toBe(0x18);
  });

  it('reads what it writes, at any depth', () => {
    const leaf = fc.uint8Array({ maxLength: 300 }).map(octetString);
    fc.assert(
      fc.property(fc.array(leaf, { maxLength: 5 }), (items) => {
        const [outer] = readValues(explicit(3, sequence(derBoolean(true), ...items))) ?? [];
        const [inner] = readValues(outer?.content ?? Buffer.of()) ?? [];
        const [flag, ...read] = readValues(inner?.content ?? Buffer.of()) ?? [];
        expect(outer?.tag).toBe(0xa3);
        expect(hex(flag?.whole ?? Buffer.of())).toBe('0101ff');
        expect(read.map(({ whole }) => hex(whole))).toEqual(items.map(hex));
      }),
    );
  });

  it('refuses to read lengths that are indefinite, not the shortest, or beyond the end', () => {
    for (const text of ['30', '3080', '308100', '30817f', '30820001ff', '300201', '04850000000001', '1f0100'])
      expect(readValues(Buffer.from(text, 'hex')), text).toBeUndefined();
    expect(readValues(Buffer.from(implicit(2, Buffer.from('x'))))).toHaveLength(1);
  });

  it('reads any bytes without throwing, and what it accepts adds up to the input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const values = readValues(bytes);
        if (values !== undefined) expect(hex(Buffer.concat(values.map((v) => v.whole)))).toBe(hex(bytes));
      }),
    );
  });
});
