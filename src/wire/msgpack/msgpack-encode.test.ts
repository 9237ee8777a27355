import { ExtensionCodec, decode as oracleDecode, encode as oracleEncode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryJson, arbitraryValue } from '../../../test/fixtures/go/arbitraries.ts';
import { hexOf } from '../../../test/fixtures/go/describe.ts';
import { DEPTH_MAX, MESSAGE_BYTES_MAX } from '../names/limits.ts';
import { decodeValue } from './msgpack-decode.ts';
import { encodeSortedValue, encodeValue, encodeWith, MsgpackWriter, writeValue } from './msgpack-encode.ts';
import { WireTime } from './time.ts';
import { WireError } from './wire-error.ts';
import type { WireValue } from './wire-value.ts';

const hex = (value: WireValue) => hexOf(encodeValue(value));

describe('encodeValue', () => {
  it('agrees with another MessagePack library on every JSON value', () => {
    fc.assert(
      fc.property(arbitraryJson, (value) => {
        expect(hex(value)).toBe(hexOf(oracleEncode(value)));
      }),
      { numRuns: 500 },
    );
  });

  it('writes nothing that another MessagePack library cannot read', () => {
    const extensionCodec = new ExtensionCodec();
    extensionCodec.register({ type: -1, encode: () => null, decode: (data) => hexOf(data) });
    fc.assert(
      fc.property(arbitraryValue, (value) => {
        oracleDecode(encodeValue(value), { useBigInt64: true, extensionCodec });
      }),
      { numRuns: 300 },
    );
  });

  it('gives bigints the 64-bit marker and numbers the shortest', () => {
    expect(hex(90n)).toBe('d3000000000000005a');
    expect(hex(2n ** 63n)).toBe('cf8000000000000000');
    expect(hex(90)).toBe('5a');
    expect(hex(-0)).toBe('cb8000000000000000');
    expect(hex(0.5)).toBe('cb3fe0000000000000');
  });

  it.each([15, 16, 31, 32, 255, 256, 65_535, 65_536])('chooses the header for length %i', (length) => {
    for (const value of ['x'.repeat(length), new Uint8Array(length), new Array<number>(length).fill(1)]) {
      expect(hex(value)).toBe(hexOf(oracleEncode(value)));
    }
  });

  it.each([15, 16, 65_535, 65_536])('chooses the header for a map of %i', (size) => {
    const map = Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, null]));
    expect(hex(map)).toBe(hexOf(oracleEncode(map)));
  });

  it('makes room in the middle of any value', () => {
    const values = [
      255,
      65_535,
      2 ** 32 - 1,
      2 ** 40,
      -200,
      0.5,
      7n,
      'text',
      'ä',
      Uint8Array.of(1),
      new WireTime(-1n),
    ];
    for (const value of values) {
      for (let before = 4_070; before < 4_100; before++) {
        const list = [new Uint8Array(before), value, [value]];
        const writer = new MsgpackWriter();
        writeValue(writer, list);
        expect(hexOf(writer.copy())).toBe(hex(list));
      }
    }
  });

  it('writes a lone surrogate as a replacement character', () => {
    expect(decodeValue(encodeValue('\ud800x'))).toBe('\ufffdx');
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['an integer of more than 64 bits', 2n ** 64n],
    ['a negative integer of more than 64 bits', -(2n ** 63n) - 1n],
    ['a time after year 9999', new WireTime(10n ** 21n)],
  ])('refuses %s and says where it stands', (_, value) => {
    const nested = { a: [0, { b: value }] } as unknown as WireValue;
    expect(() => encodeValue(nested)).toThrow(expect.objectContaining({ name: 'WireError', path: 'a[1].b' }));
  });

  it('refuses what refers to itself', () => {
    const loop: Record<string, WireValue> = {};
    loop.self = loop;
    expect(() => encodeValue(loop)).toThrow(`nested more than ${DEPTH_MAX} deep`);
  });

  it('refuses what is too large, and goes on as if nothing had happened', () => {
    expect(() => encodeValue(['x'.repeat(MESSAGE_BYTES_MAX)])).toThrow(WireError);
    expect(hex([1])).toBe('9101');
    const large = new Uint8Array(2_000_000);
    expect(encodeValue(large).length).toBe(large.length + 5);
    expect(hex([1])).toBe('9101');
  });

  it('returns bytes that later calls do not touch', () => {
    const first = encodeValue('first');
    encodeValue('second');
    expect(decodeValue(first)).toBe('first');
  });
});

describe('encodeWith', () => {
  it('serves a call inside another', () => {
    const outer = encodeWith('outer', (writer) => {
      writer.enterArray(2);
      writer.text('a');
      writer.encoded(encodeValue(['inner', 1]));
      writer.leave();
    });
    expect(decodeValue(outer)).toEqual(['a', ['inner', 1]]);
  });

  it('takes no encoded value that is torn, or too deep where it stands', () => {
    const deep = Uint8Array.of(...new Array(DEPTH_MAX).fill(0x91), 0xc0);
    for (const bytes of [Uint8Array.of(), Uint8Array.of(0x91), Uint8Array.of(1, 2), deep]) {
      const write = () =>
        encodeWith('x', (writer) => {
          writer.enterArray(1);
          writer.encoded(bytes);
        });
      expect(write).toThrow(WireError);
    }
  });
});

describe('encodeSortedValue', () => {
  it('gives the same bytes whatever the order of keys', () => {
    const value = { b: 1, a: { d: [{ f: 1, e: 2 }], c: 3 } };
    const other = { a: { c: 3, d: [{ e: 2, f: 1 }] }, b: 1 };
    expect(hexOf(encodeSortedValue(value))).toBe(hexOf(encodeSortedValue(other)));
    expect(hexOf(encodeValue(value))).not.toBe(hexOf(encodeValue(other)));
  });
});
