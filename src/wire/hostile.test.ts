/** Bytes from a stranger: whatever they are, every codec gives a value or a WireError, and soon. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryValue } from '../../test/fixtures/go/arbitraries.ts';
import { bytesOfHex } from '../../test/fixtures/go/describe.ts';
import { JID } from '../../test/fixtures/go/samples.ts';
import { decodeValue } from './msgpack/msgpack-decode.ts';
import { encodeValue } from './msgpack/msgpack-encode.ts';
import { WireError } from './msgpack/wire-error.ts';
import type { WireMap } from './msgpack/wire-value.ts';
import { DEPTH_MAX, ELEMENTS_MAX, MESSAGE_BYTES_MAX } from './names/limits.ts';
import { execRequestCodec } from './records/exec.ts';
import { jobCodec } from './records/job.ts';
import { REGISTRY, type RegisteredCodec } from './records/registry.ts';

const file = new URL('../../test/fixtures/go/go-records.json', import.meta.url);
const fixtures: readonly { codec: string; hex: string }[] = JSON.parse(readFileSync(file, 'utf8'));
const untyped: RegisteredCodec = {
  name: 'value',
  doc: '',
  encode: encodeValue as never,
  decode: decodeValue,
};
const codecNamed = (name: string) => REGISTRY.find((codec) => codec.name === name) ?? untyped;

/** The WireError that decoding gives, or undefined when it gives a value. Anything else is a failure of the test. */
function errorOf(codec: RegisteredCodec, bytes: Uint8Array): WireError | undefined {
  try {
    codec.decode(bytes);
    return undefined;
  } catch (error) {
    // Not `expect`: this runs some hundred thousand times.
    const good = error instanceof WireError && error.record === codec.name && PRINTABLE.test(error.message);
    if (!good) throw error;
    return error;
  }
}

const PRINTABLE = /^[\x20-\x7e]{1,4000}$/;

describe('hostile bytes', () => {
  it('of any kind never surprise a codec', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const codec of [...REGISTRY, untyped]) errorOf(codec, bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('that are good MessagePack of a wrong shape never surprise a codec', () => {
    fc.assert(
      fc.property(arbitraryValue, (value) => {
        const bytes = encodeValue(value);
        for (const codec of REGISTRY) errorOf(codec, bytes);
      }),
      { numRuns: 300 },
    );
  });

  it('that stop anywhere in the middle are an error', () => {
    for (const { codec, hex } of fixtures) {
      const bytes = bytesOfHex(hex);
      for (let end = 0; end < bytes.length; end++) {
        if (errorOf(codecNamed(codec), bytes.subarray(0, end)) === undefined)
          expect.fail(`${codec} ${hex} at ${end}`);
      }
    }
  });

  it('that go on after the end are an error', () => {
    for (const { codec, hex } of fixtures) {
      expect(errorOf(codecNamed(codec), bytesOfHex(`${hex}c0`))?.problem).toBe(
        'has more bytes than its value',
      );
    }
  });

  it('that were changed in one place never surprise a codec', () => {
    for (const { codec, hex } of fixtures) {
      const bytes = bytesOfHex(hex);
      for (let at = 0; at < bytes.length; at++) {
        const original = bytes[at] as number;
        for (const changed of [
          0x00,
          0x81,
          0xc0,
          0xc1,
          0xc9,
          0xdd,
          0xdf,
          0xff,
          original ^ 1,
          original ^ 0x80,
        ]) {
          bytes[at] = changed;
          errorOf(codecNamed(codec), bytes);
        }
        bytes[at] = original;
      }
    }
  });

  it.each([
    ['lists', 0x91],
    ['maps', 0x81],
  ])('nested a million %s deep are refused', (_, marker) => {
    const bytes = new Uint8Array(1_000_000).fill(marker);
    expect(errorOf(untyped, bytes)?.problem).toMatch(/deep|key/);
    const job = Uint8Array.of(0x81, 0xa4, 0x61, 0x72, 0x67, 0x73, ...bytes.subarray(0, 10_000));
    expect(errorOf(jobCodec as RegisteredCodec, job)?.path).toMatch(/^args/);
  });

  it('nested as deep as allowed are read, one level more is not', () => {
    const nested = (depth: number) => Uint8Array.of(...new Array(depth).fill(0x91), 0xc0);
    expect(errorOf(untyped, nested(DEPTH_MAX))).toBeUndefined();
    expect(errorOf(untyped, nested(DEPTH_MAX + 1))?.problem).toBe(`is nested more than ${DEPTH_MAX} deep`);
  });

  it.each([
    'c6ffffffff',
    'dbffffffff',
    'ddffffffff',
    'dfffffffff',
    'c9ffffffffff',
    'dcffff',
    'deffff',
    'c5ffff',
  ])('that claim a huge length (%s) are refused before anything is made', (hex) => {
    const before = process.memoryUsage().heapUsed;
    for (const codec of [...REGISTRY, untyped]) expect(errorOf(codec, bytesOfHex(hex))).toBeDefined();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
  });

  it('that claim more items than there are bytes are refused at the claim, not at the end of the bytes', () => {
    for (const hex of ['dc00040101', 'de0003a16101', '9201', '82a16101']) {
      expect(errorOf(untyped, bytesOfHex(hex))).toMatchObject({ path: '', problem: 'ends too early' });
    }
  });

  it('with more elements than allowed are refused', () => {
    const bytes = new Uint8Array(ELEMENTS_MAX + 6);
    bytes.set(bytesOfHex(`dd${(ELEMENTS_MAX + 1).toString(16).padStart(8, '0')}`));
    expect(errorOf(untyped, bytes)?.problem).toMatch(/elements/);
    const inTwo = new Uint8Array(ELEMENTS_MAX + 20);
    const half = (ELEMENTS_MAX / 2).toString(16).padStart(8, '0');
    inTwo.set(bytesOfHex(`92dd${half}`));
    inTwo.set(bytesOfHex(`dd${half}`), 6 + ELEMENTS_MAX / 2);
    expect(errorOf(untyped, inTwo)?.problem).toMatch(/elements/);
  });

  it('that are too many are refused without a look', () => {
    expect(errorOf(untyped, new Uint8Array(MESSAGE_BYTES_MAX + 1))?.problem).toMatch(/larger/);
  });

  it('with an extension other than the timestamp are refused, also behind an unknown key', () => {
    for (const hex of ['d40100', 'd6fe00000000', 'c70002', 'c703ff000000']) {
      expect(errorOf(untyped, bytesOfHex(hex))).toBeDefined();
      expect(errorOf(execRequestCodec as RegisteredCodec, bytesOfHex(`81a17a${hex}`))).toBeDefined();
    }
  });

  it('with keys that are not text are refused', () => {
    expect(errorOf(untyped, bytesOfHex('810102'))?.problem).toBe('has a key that is not text');
    expect(errorOf(untyped, bytesOfHex('81c40161c0'))?.problem).toBe('has a key that is not text');
  });

  it('with a time outside of years 1 to 9999 are refused', () => {
    expect(errorOf(untyped, bytesOfHex('c70cff000000007fffffffffffffff'))?.problem).toMatch(/year/);
    expect(errorOf(untyped, bytesOfHex('c70cff00000000fffffff1886e08ff'))?.problem).toMatch(/year/);
  });
});

describe('keys that name parts of every object', () => {
  it('refuse __proto__ wherever it stands', () => {
    const proto = '81a95f5f70726f746f5f5f81a178c3';
    expect(errorOf(untyped, bytesOfHex(proto))?.problem).toBe('has a key that is not allowed');
    for (const codec of REGISTRY) expect(errorOf(codec, bytesOfHex(proto))).toBeDefined();
    expect(() => encodeValue(JSON.parse('{"__proto__": 1}'))).toThrow(WireError);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('read constructor, prototype and toString as plain keys of objects without a prototype', () => {
    const value = { constructor: { prototype: { polluted: true } }, toString: 'x', hasOwnProperty: 1 };
    const read = decodeValue(encodeValue(value as never)) as WireMap;
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect(Object.keys(read)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    const { args } = execRequestCodec.decode(execRequestCodec.encode(execRequestCodec.create({ jid: JID })));
    expect(args.constructor).toBeUndefined();
    expect(Object.getPrototypeOf(args)).toBeNull();
  });
});
