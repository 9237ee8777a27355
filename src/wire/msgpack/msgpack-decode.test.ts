import { encode as oracleEncode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJson, arbitraryValue } from '../../../test/fixtures/go/arbitraries.ts';
import { bytesOfHex } from '../../../test/fixtures/go/describe.ts';
import { decodeValue, decodeWith } from './msgpack-decode.ts';
import { encodeValue } from './msgpack-encode.ts';
import { parseRfc3339, WireTime } from './time.ts';
import type { WireValue } from './wire-value.ts';

const value = (hex: string) => decodeValue(bytesOfHex(hex));
const time = (hex: string) => decodeWith('t', bytesOfHex(hex), (reader) => reader.time());

describe('decodeValue', () => {
  it('reads back every value', () => {
    fc.assert(
      fc.property(arbitraryValue, (sent) => {
        expect(decodeValue(encodeValue(sent))).toEqual(sent);
      }),
      { numRuns: 500 },
    );
  });

  it('reads what another MessagePack library writes', () => {
    fc.assert(
      fc.property(arbitraryJson, (sent) => {
        expect(decodeValue(oracleEncode(sent))).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  it('folds 64-bit integers to numbers as far as these are exact', () => {
    expect(value('cf001fffffffffffff')).toBe(Number.MAX_SAFE_INTEGER);
    expect(value('cf0020000000000000')).toBe(2n ** 53n);
    expect(value('d3ffe0000000000001')).toBe(Number.MIN_SAFE_INTEGER);
    expect(value('d3ffe0000000000000')).toBe(-(2n ** 53n));
  });

  it('reads text that is not UTF-8 with replacement characters, and keeps a byte order mark', () => {
    expect(value('a3ff4180')).toBe('\ufffdA\ufffd');
    expect(value('a4efbbbf41')).toBe('\ufeffA');
    expect(value(`d920${'41'.repeat(31)}ff`)).toBe(`${'A'.repeat(31)}\ufffd`);
  });

  it('copies bytes out of the message', () => {
    const message = bytesOfHex('c40201ff');
    const read = decodeValue(message) as Uint8Array;
    message.fill(0);
    expect([...read]).toEqual([1, 255]);
  });

  it('reads from the middle of a larger buffer', () => {
    const whole = bytesOfHex('c0c093a161cb3fe0000000000000d6ff00000001c0');
    expect(decodeValue(whole.subarray(2, -1))).toEqual(['a', 0.5, new WireTime(1_000_000_000n)]);
  });

  it('refuses a key that comes twice and says which', () => {
    expect(() => value('82a16101a16102')).toThrow('value at a: comes twice');
  });

  it('names the place of a problem, without the characters that upset terminals', () => {
    expect(() => value('81a36f6e6592c0c1')).toThrow('value at one[1]: has a marker that does not exist');
    expect(() => value('81a31b5b6dc1')).toThrow('value at ?[m: has a marker that does not exist');
    const long = encodeValue({ ['k'.repeat(500)]: 1 } satisfies WireValue);
    long[long.length - 1] = 0xc1;
    expect(() => decodeValue(long)).toThrow(
      `value at ${'k'.repeat(40)}...: has a marker that does not exist`,
    );
  });
});

describe('a time field', () => {
  it('reads all forms of the extension', () => {
    expect(time('d6ff6553f100')).toBe(1_700_000_000_000_000_000n);
    expect(time('d7ff1d6f34546553f100')).toBe(1_700_000_000_123_456_789n);
    expect(time('c70cff3b9ac9ffffffffffffffffff')).toBe(-1n);
  });

  it('carries over nanoseconds of more than a second, as Go does', () => {
    expect(time('d7ffffffffff00000000')).toBe(3n * 2n ** 32n * 10n ** 9n + 2n ** 30n - 1n);
  });

  it('reads the old pair of seconds and nanoseconds', () => {
    expect(time('92ce6553f100ce075bcd15')).toBe(1_700_000_000_123_456_789n);
    expect(time('92ffcd03e8')).toBe(-1_000_000_000n + 1000n);
  });

  it('reads RFC 3339 text', () => {
    const text = '2023-11-14T22:13:20.123456789+01:00';
    expect(time(`d923${Buffer.from(text).toString('hex')}`)).toBe(parseRfc3339(text));
  });

  it.each(['c0', '01', 'a178', '93010203', '92a17801', '9201', 'd7fe0000000000000000', 'd5ff0000', 'c3'])(
    'refuses %s',
    (hex) => expect(() => time(hex)).toThrow(expect.objectContaining({ name: 'WireError', record: 't' })),
  );
});
