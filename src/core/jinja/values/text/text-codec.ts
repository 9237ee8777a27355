/**
 * These functions are `str.encode` and `bytes.decode` for the encodings of Unicode, ASCII and Latin-1, with Python's
 * errors.
 */

import { PythonError } from '../value.ts';
import { Bytes } from './bytes.ts';
import { type DecodedPoint, decodeUtf8Point } from './utf8-point.ts';

interface Codec {
  /** As Python names it in errors. */
  readonly name: string;
  /** What cannot be encoded, in Python's words. */
  readonly refusal: string;
  /** Bytes that stand before everything else, so that a reader knows what follows. */
  readonly mark: readonly number[];
  /** undefined for a code point that this encoding does not have. */
  encode(code: number): readonly number[] | undefined;
  decode(bytes: Uint8Array, at: number): DecodedPoint;
}

const UTF8: Codec = {
  name: 'utf-8',
  refusal: 'surrogates not allowed',
  mark: [],
  encode: (code) => (isSurrogate(code) ? undefined : utf8Bytes(code)),
  decode: decodeUtf8Point,
};

function singleByte(name: string, size: 128 | 256): Codec {
  const refusal = `ordinal not in range(${size})`;
  return {
    name,
    refusal,
    mark: [],
    encode: (code) => (code < size ? [code] : undefined),
    decode: (bytes, at) => {
      const code = bytes[at] ?? 0;
      return code < size ? { code, length: 1 } : { problem: refusal, length: 1 };
    },
  };
}

function utf16(name: string, littleEndian: boolean, mark: readonly number[] = []): Codec {
  const unitBytes = (unit: number) => (littleEndian ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff]);
  const unitAt = (bytes: Uint8Array, at: number) => {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    return littleEndian ? first | (second << 8) : (first << 8) | second;
  };
  return {
    name,
    refusal: 'surrogates not allowed',
    mark,
    encode: (code) => {
      if (isSurrogate(code)) return undefined;
      return [...String.fromCodePoint(code)].flatMap((point) =>
        point.split('').flatMap((unit) => unitBytes(unit.charCodeAt(0))),
      );
    },
    decode: (bytes, at) => {
      const left = bytes.length - at;
      if (left < 2) return { problem: 'truncated data', length: left };
      const unit = unitAt(bytes, at);
      if (!isSurrogate(unit)) return { code: unit, length: 2 };
      if (unit >= 0xdc00) return { problem: 'illegal encoding', length: 2 };
      if (left < 4) return { problem: 'unexpected end of data', length: left };
      const low = unitAt(bytes, at + 2);
      if (low < 0xdc00 || low > 0xdfff) return { problem: 'illegal UTF-16 surrogate', length: 2 };
      return { code: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), length: 4 };
    },
  };
}

function utf32(name: string, littleEndian: boolean, mark: readonly number[] = []): Codec {
  return {
    name,
    refusal: 'surrogates not allowed',
    mark,
    encode: (code) => {
      if (isSurrogate(code)) return undefined;
      const bytes = [code & 0xff, (code >> 8) & 0xff, code >> 16, 0];
      return littleEndian ? bytes : bytes.reverse();
    },
    decode: (bytes, at) => {
      const four = [...bytes.subarray(at, at + 4)];
      if (four.length < 4) return { problem: 'truncated data', length: four.length };
      const [a = 0, b = 0, c = 0, d = 0] = littleEndian ? four : four.reverse();
      const code = a + (b << 8) + (c << 16) + d * 2 ** 24;
      if (code > 0x10ffff) return { problem: 'code point not in range(0x110000)', length: 4 };
      if (isSurrogate(code))
        return { problem: 'code point in surrogate code point range(0xd800, 0xe000)', length: 4 };
      return { code, length: 4 };
    },
  };
}

const CODECS: ReadonlyMap<string, Codec> = new Map([
  ...named(UTF8, 'utf8', 'u8', 'utf', 'cp65001'),
  ...named({ ...UTF8, mark: [0xef, 0xbb, 0xbf] }, 'utf8sig'),
  ...named(singleByte('ascii', 128), 'ascii', 'usascii', '646', 'us'),
  ...named(singleByte('latin-1', 256), 'latin1', 'latin', 'l1', 'iso88591', '88591', '8859', 'cp819'),
  ...named(utf16('utf-16', true, [0xff, 0xfe]), 'utf16', 'u16'),
  ...named(utf16('utf-16-le', true), 'utf16le'),
  ...named(utf16('utf-16-be', false), 'utf16be'),
  ...named(utf32('utf-32', true, [0xff, 0xfe, 0, 0]), 'utf32', 'u32'),
  ...named(utf32('utf-32-le', true), 'utf32le'),
  ...named(utf32('utf-32-be', false), 'utf32be'),
]);

function named(codec: Codec, ...names: readonly string[]): [string, Codec][] {
  return names.map((name) => [name, codec]);
}

function codecNamed(encoding: string): Codec {
  const codec = CODECS.get(encoding.toLowerCase().replace(/[-_ ]/g, ''));
  if (codec === undefined) throw new PythonError('LookupError', `unknown encoding: ${encoding}`);
  return codec;
}

export function encodeText(text: string, encoding: string, errors: string): Bytes {
  const codec = codecNamed(encoding);
  const bytes: number[] = [...codec.mark];
  const points = [...text];
  for (let i = 0; i < points.length; i++) {
    const code = points[i]?.codePointAt(0) ?? 0;
    const encoded = codec.encode(code) ?? replacementBytes(codec, points, i, errors);
    for (const byte of encoded) bytes.push(byte);
  }
  return new Bytes(Uint8Array.from(bytes));
}

function replacementBytes(
  codec: Codec,
  points: readonly string[],
  at: number,
  errors: string,
): readonly number[] {
  const code = points[at]?.codePointAt(0) ?? 0;
  const text = (ascii: string) => [...ascii].flatMap((point) => codec.encode(point.charCodeAt(0)) ?? []);
  switch (errors) {
    case 'strict':
      throw cannotEncode(codec, points, at);
    case 'ignore':
      return [];
    case 'replace':
      return text('?');
    case 'xmlcharrefreplace':
      return text(`&#${code};`);
    case 'backslashreplace':
      return text(escaped(code));
    default:
      throw new PythonError('LookupError', `unknown error handler name '${errors}'`);
  }
}

/** Names all that cannot be encoded in one row. */
function cannotEncode(codec: Codec, points: readonly string[], at: number): PythonError {
  let end = at + 1;
  while (end < points.length && codec.encode(points[end]?.codePointAt(0) ?? 0) === undefined) end++;
  const what =
    end === at + 1
      ? `character '${escaped(points[at]?.codePointAt(0) ?? 0)}' in position ${at}`
      : `characters in position ${at}-${end - 1}`;
  return new PythonError(
    'UnicodeEncodeError',
    `'${codec.name}' codec can't encode ${what}: ${codec.refusal}`,
  );
}

export function decodeBytes(source: Bytes, encoding: string, errors: string): string {
  const bytes = source.bytes;
  const codec = codecNamed(encoding);
  const hasMark = codec.mark.length > 0 && codec.mark.every((byte, index) => bytes[index] === byte);
  let text = '';
  for (let at = hasMark ? codec.mark.length : 0; at < bytes.length; ) {
    const point = codec.decode(bytes, at);
    text +=
      'code' in point ? String.fromCodePoint(point.code) : replacementText(codec, bytes, at, point, errors);
    at += point.length;
  }
  return text;
}

function replacementText(
  codec: Codec,
  bytes: Uint8Array,
  at: number,
  { problem, length }: { readonly problem: string; readonly length: number },
  errors: string,
): string {
  switch (errors) {
    case 'strict': {
      const what =
        length === 1
          ? `byte 0x${hex(bytes[at] ?? 0)} in position ${at}`
          : `bytes in position ${at}-${at + length - 1}`;
      throw new PythonError('UnicodeDecodeError', `'${codec.name}' codec can't decode ${what}: ${problem}`);
    }
    case 'ignore':
      return '';
    case 'replace':
      return '\ufffd';
    case 'backslashreplace':
      return [...bytes.subarray(at, at + length)].map((byte) => `\\x${hex(byte)}`).join('');
    default:
      throw new PythonError('LookupError', `unknown error handler name '${errors}'`);
  }
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function utf8Bytes(code: number): readonly number[] {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)];
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
  return [
    0xf0 | (code >> 18),
    0x80 | ((code >> 12) & 0x3f),
    0x80 | ((code >> 6) & 0x3f),
    0x80 | (code & 0x3f),
  ];
}

function escaped(code: number): string {
  if (code <= 0xff) return `\\x${hex(code)}`;
  return code <= 0xffff
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
