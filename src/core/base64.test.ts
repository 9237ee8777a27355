import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.ts';

describe('base64', () => {
  it('reads back what it writes, and writes what Node writes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(bytes);
      }),
    );
  });

  it.each([
    ['TWFu', 'Man'],
    ['TW\nFu', 'Man'],
    ['T!W?Fu', 'Man'],
    ['TWE=', 'Ma'],
    ['TQ==', 'M'],
    ['TQ==TWFu', 'M'],
    ['TWFu=', 'Man'],
    ['', ''],
  ])('%j is %j', (text, expected) => {
    expect(Buffer.from(decodeBase64(text)).toString()).toBe(expected);
  });

  it.each([
    [
      'T',
      'Invalid base64-encoded string: number of data characters (1) cannot be 1 more than a multiple of 4',
    ],
    ['TW', 'Incorrect padding'],
    ['TWE', 'Incorrect padding'],
    ['TQ=', 'Incorrect padding'],
  ])('%j is refused: %s', (text, message) => {
    expect(decodeBase64(text)).toBe(message);
  });
});
