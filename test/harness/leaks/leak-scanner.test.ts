import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubleQuoted } from '../../../src/core/jinja/library/salt/yaml-scalar.ts';
import { PIECE_CHARACTERS } from './canary-forms.ts';
import { leakScanner, UNREADABLE } from './leak-scanner.ts';

const NAME = 'the canary';
const found = (value: string, bytes: Uint8Array) =>
  leakScanner([{ name: NAME, value }])
    .scan(bytes)
    .map(({ canary }) => canary);

/** Letters, marks of all escapes, letters that are not ASCII, and characters of two units. */
const unit = fc.oneof(
  fc.constantFrom(...'abcXYZ019-_.~!*()\'"`$&<>/\\%+=:;,?#@{}[]| '),
  fc.constantFrom('ä', 'ß', '漢', '\u{1f511}', '\n'),
);
/** As secrets are: of more than a few different characters, wherever one looks. */
const secret = fc
  .uniqueArray(unit, { minLength: 6, maxLength: 24 })
  .map((units) => units.join(''))
  .filter((text) => text.trim().length > 5);
const bytesAround = fc.uint8Array({ maxLength: 40 });
const textAround = fc.string({ unit, maxLength: 20 });

/** By other means than those of the scanner, where there are any. */
const SPELLINGS: Readonly<Record<string, (text: string) => string | Buffer>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)),
  'a part of an URL': encodeURIComponent,
  'a path of an URL': encodeURI,
  'small digits in an URL': (text) =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  'a form': (text) => new URLSearchParams([['', text]]).toString(),
  'hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'capital hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'YAML in double quotes': (text) => doubleQuoted(text),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16, high byte first': (text) => Buffer.from(text, 'utf16le').swap16(),
  'Latin-1 made UTF-8': (text) => Buffer.from(text).toString('latin1'),
};

const PACKINGS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  'gzip of gzip': (bytes) => gzipSync(gzipSync(bytes)),
  zlib: (bytes) => deflateSync(bytes),
  'zlib, hardly compressed': (bytes) => deflateSync(bytes, { level: 1 }),
  ZIP: (bytes) => zipEntry(bytes),
};

/** The local head of a file in a ZIP archive, and its content. */
function zipEntry(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(4, 26);
  return Buffer.concat([head, Buffer.from('name'), deflateRawSync(bytes)]);
}

describe('a planted secret is found', () => {
  it.each(Object.entries(SPELLINGS))('as %s', (_, spell) => {
    fc.assert(
      fc.property(secret, bytesAround, bytesAround, (value, before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(spell(value)), after]);
        expect(found(value, bytes)).toContain(NAME);
      }),
    );
  });

  it.each(['base64', 'base64url', 'hex'] as const)('anywhere inside of a text in %s', (encoding) => {
    fc.assert(
      fc.property(secret, textAround, textAround, (value, before, after) => {
        const text = Buffer.from(`${before}${value}${after}`).toString(encoding);
        expect(found(value, Buffer.from(text))).toContain(NAME);
      }),
    );
  });

  it.each(Object.entries(PACKINGS))('inside of %s that stands anywhere', (_, pack) => {
    fc.assert(
      fc.property(secret, bytesAround, textAround, bytesAround, (value, before, beside, after) => {
        const packed = pack(Buffer.from(`${beside}${value}${beside}`));
        expect(found(value, Buffer.concat([before, packed, after]))).toContain(NAME);
      }),
    );
  });

  it('in bare deflate that the bytes begin with, and in a stream that is cut or damaged later', () => {
    const value = 'qX7-Wm2_Lk9.Pz4';
    const noise = Array.from({ length: 20_000 }, (_, i) => Math.imul(i, 0x9e3779b1).toString(36)).join(' ');
    const bytes = Buffer.from(`${value} ${noise}`);
    expect(found(value, deflateRawSync(bytes))).toEqual([NAME]);
    const packed = gzipSync(bytes);
    expect(found(value, packed.subarray(0, packed.length / 2))).toEqual([NAME]);
    packed.fill(0xff, packed.length / 2, packed.length / 2 + 200);
    expect(found(value, Buffer.concat([Buffer.from('log: '), packed]))).toContain(NAME);
  });

  it('when it was cut: any piece of its characters is enough', () => {
    fc.assert(
      fc.property(secret, fc.nat(), fc.constantFrom('utf8', 'base64', 'hex'), (value, from, encoding) => {
        const characters = [...value];
        fc.pre(characters.length >= PIECE_CHARACTERS);
        const start = from % (characters.length - PIECE_CHARACTERS + 1);
        const piece = characters.slice(start, start + PIECE_CHARACTERS).join('');
        const text = Buffer.from(piece).toString(encoding as BufferEncoding);
        expect(found(value, Buffer.from(`…${text}…`))).toEqual([NAME]);
      }),
    );
  });

  it('line by line, as a diff takes it apart', () => {
    const value = '-----BEGIN 7Q KEY-----\nMIIEvQ1bADANBg\nkqhkiG9w0BAQEF\n-----END 7Q KEY-----\n';
    for (const line of value.trim().split('\n'))
      expect(found(value, Buffer.from(`+${line}\n`))).toEqual([NAME]);
  });
});

describe('the scanner', () => {
  it('finds nothing where nothing is', () => {
    fc.assert(
      fc.property(secret, fc.uint8Array({ maxLength: 4_000 }), (value, bytes) => {
        fc.pre(!Buffer.from(bytes).toString('latin1').includes(Buffer.from(value).toString('latin1')));
        fc.pre([...value].length >= PIECE_CHARACTERS);
        expect(found(value, bytes)).toEqual([]);
      }),
    );
  });

  it('says where it stands, how it is spelled and what is around it', () => {
    const value = 'qX7-Wm2_Lk9.Pz4';
    const text = `user=${'x'.repeat(10)} password=${Buffer.from(value).toString('base64')}\n`;
    expect(leakScanner([{ name: NAME, value }]).scan(Buffer.from(text))).toEqual([
      { canary: NAME, spelling: 'base64', offset: 25, around: text.trimEnd().concat('·') },
    ]);
    const [packed] = leakScanner([{ name: NAME, value }]).scan(
      Buffer.concat([Buffer.from('1234567'), gzipSync(value)]),
    );
    expect(packed).toMatchObject({ spelling: 'as it is in gzip', offset: 7 });
  });

  it('refuses a canary that it would look for in vain', () => {
    expect(() => found('abc12', Buffer.from(''))).toThrow('at least six bytes');
    expect(() => found('aaaaaaaaaaaa', Buffer.from(''))).toThrow('several different characters');
    expect(found('ß€漢x', Buffer.from('<ß€漢x>'))).toEqual([NAME]);
  });

  it.each([
    ['snappy', Buffer.from('x\xff\x06\x00\x00sNaPpYabc', 'latin1')],
    ['S2', Buffer.from('\xff\x06\x00\x00S2sTwOabc', 'latin1')],
    ['a compressed NATS block', Buffer.from('cmp\x02\x10abc', 'latin1')],
  ])('does not call clean what it cannot look into: %s', (packing, bytes) => {
    const leaks = leakScanner([{ name: NAME, value: 'qX7-Wm2_Lk9.Pz4' }]).scan(bytes);
    expect(leaks).toMatchObject([{ canary: UNREADABLE, spelling: packing }]);
  });
});
