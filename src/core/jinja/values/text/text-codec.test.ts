import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText, bytes, call, outcome } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';

describe('encode and decode', () => {
  it.each<[string, () => Value, string]>([
    ["'aé€😀'.encode()", () => call('aé€😀', 'encode'), "b'a\\xc3\\xa9\\xe2\\x82\\xac\\xf0\\x9f\\x98\\x80'"],
    [
      "'aé€😀'.encode('utf-8')",
      () => call('aé€😀', 'encode', ['utf-8']),
      "b'a\\xc3\\xa9\\xe2\\x82\\xac\\xf0\\x9f\\x98\\x80'",
    ],
    ["'é'.encode('latin-1')", () => call('é', 'encode', ['latin-1']), "b'\\xe9'"],
    ["'a'.encode('ascii')", () => call('a', 'encode', ['ascii']), "b'a'"],
    ["'é'.encode('UTF_16')", () => call('é', 'encode', ['UTF_16']), "b'\\xff\\xfe\\xe9\\x00'"],
    ["'é'.encode('utf-16-be')", () => call('é', 'encode', ['utf-16-be']), "b'\\x00\\xe9'"],
    ["'😀'.encode('utf-16-le')", () => call('😀', 'encode', ['utf-16-le']), "b'=\\xd8\\x00\\xde'"],
    [
      "'é'.encode('utf-32')",
      () => call('é', 'encode', ['utf-32']),
      "b'\\xff\\xfe\\x00\\x00\\xe9\\x00\\x00\\x00'",
    ],
    ["'é'.encode('utf-8-sig')", () => call('é', 'encode', ['utf-8-sig']), "b'\\xef\\xbb\\xbf\\xc3\\xa9'"],
    ["'é'.encode('ascii', 'ignore')", () => call('é', 'encode', ['ascii', 'ignore']), "b''"],
    ["'é'.encode('ascii', 'replace')", () => call('é', 'encode', ['ascii', 'replace']), "b'?'"],
    [
      "'é😀'.encode('ascii', 'xmlcharrefreplace')",
      () => call('é😀', 'encode', ['ascii', 'xmlcharrefreplace']),
      "b'&#233;&#128512;'",
    ],
    [
      "'é€😀'.encode('ascii', 'backslashreplace')",
      () => call('é€😀', 'encode', ['ascii', 'backslashreplace']),
      "b'\\\\xe9\\\\u20ac\\\\U0001f600'",
    ],
    [
      "'é'.encode(encoding='ascii', errors='ignore')",
      () =>
        call(
          'é',
          'encode',
          [],
          [
            ['encoding', 'ascii'],
            ['errors', 'ignore'],
          ],
        ),
      "b''",
    ],
    [
      "'é'.encode('ascii')",
      () => call('é', 'encode', ['ascii']),
      "UnicodeEncodeError: 'ascii' codec can't encode character '\\xe9' in position 0: ordinal not in range(128)",
    ],
    [
      "'aé€'.encode('ascii')",
      () => call('aé€', 'encode', ['ascii']),
      "UnicodeEncodeError: 'ascii' codec can't encode characters in position 1-2: ordinal not in range(128)",
    ],
    [
      "'€'.encode('latin-1')",
      () => call('€', 'encode', ['latin-1']),
      "UnicodeEncodeError: 'latin-1' codec can't encode character '\\u20ac' in position 0: ordinal not in range(256)",
    ],
    [
      "'a'.encode('klingon')",
      () => call('a', 'encode', ['klingon']),
      'LookupError: unknown encoding: klingon',
    ],
    [
      "'é'.encode('ascii', 'foo')",
      () => call('é', 'encode', ['ascii', 'foo']),
      "LookupError: unknown error handler name 'foo'",
    ],
    [
      "'a'.encode(1)",
      () => call('a', 'encode', [1]),
      "TypeError: encode() argument 'encoding' must be str, not int",
    ],
    [
      "'a'.encode(None)",
      () => call('a', 'encode', [null]),
      "TypeError: encode() argument 'encoding' must be str, not None",
    ],
    [
      "'a'.encode('ascii', 1)",
      () => call('a', 'encode', ['ascii', 1]),
      "TypeError: encode() argument 'errors' must be str, not int",
    ],
    [
      "'a'.encode('a', 'b', 'c')",
      () => call('a', 'encode', ['a', 'b', 'c']),
      'TypeError: encode() takes at most 2 arguments (3 given)',
    ],
    ["b'a\\xc3\\xa9'.decode()", () => call(bytes(97, 195, 169), 'decode'), "'aé'"],
    ["b'\\xf0\\x9f\\x98\\x80'.decode()", () => call(bytes(240, 159, 152, 128), 'decode'), "'😀'"],
    ["b'\\xe9'.decode('latin-1')", () => call(bytes(233), 'decode', ['latin-1']), "'é'"],
    ["b'\\xff\\xfea\\x00'.decode('utf-16')", () => call(bytes(255, 254, 97, 0), 'decode', ['utf-16']), "'a'"],
    ["b'a\\x00'.decode('utf-16-le')", () => call(bytes(97, 0), 'decode', ['utf-16-le']), "'a'"],
    [
      "b'\\xef\\xbb\\xbfa'.decode('utf-8-sig')",
      () => call(bytes(239, 187, 191, 97), 'decode', ['utf-8-sig']),
      "'a'",
    ],
    [
      "b'\\x00\\x00\\x00a'.decode('utf-32-be')",
      () => call(bytes(0, 0, 0, 97), 'decode', ['utf-32-be']),
      "'a'",
    ],
    [
      "b'\\xff'.decode()",
      () => call(bytes(255), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    ],
    [
      "b'\\xff'.decode('ascii')",
      () => call(bytes(255), 'decode', ['ascii']),
      "UnicodeDecodeError: 'ascii' codec can't decode byte 0xff in position 0: ordinal not in range(128)",
    ],
    [
      "b'\\xe2\\x82'.decode()",
      () => call(bytes(226, 130), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode bytes in position 0-1: unexpected end of data",
    ],
    [
      "b'\\xe2\\x82a'.decode()",
      () => call(bytes(226, 130, 97), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode bytes in position 0-1: invalid continuation byte",
    ],
    [
      "b'\\xed\\xa0\\x80'.decode()",
      () => call(bytes(237, 160, 128), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xed in position 0: invalid continuation byte",
    ],
    [
      "b'\\xc0\\x80'.decode()",
      () => call(bytes(192, 128), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xc0 in position 0: invalid start byte",
    ],
    [
      "b'\\xf4\\x90\\x80\\x80'.decode()",
      () => call(bytes(244, 144, 128, 128), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf4 in position 0: invalid continuation byte",
    ],
    [
      "b'\\xf0\\x90\\x80'.decode()",
      () => call(bytes(240, 144, 128), 'decode'),
      "UnicodeDecodeError: 'utf-8' codec can't decode bytes in position 0-2: unexpected end of data",
    ],
    [
      "b'a'.decode('utf-16-le')",
      () => call(bytes(97), 'decode', ['utf-16-le']),
      "UnicodeDecodeError: 'utf-16-le' codec can't decode byte 0x61 in position 0: truncated data",
    ],
    [
      "b'\\xe2\\x82a'.decode('utf-8', 'replace')",
      () => call(bytes(226, 130, 97), 'decode', ['utf-8', 'replace']),
      "'�a'",
    ],
    [
      "b'\\xed\\xa0\\x80'.decode('utf-8', 'replace')",
      () => call(bytes(237, 160, 128), 'decode', ['utf-8', 'replace']),
      "'���'",
    ],
    ["b'a\\xff'.decode('utf-8', 'ignore')", () => call(bytes(97, 255), 'decode', ['utf-8', 'ignore']), "'a'"],
    [
      "b'\\xff'.decode('ascii', 'backslashreplace')",
      () => call(bytes(255), 'decode', ['ascii', 'backslashreplace']),
      "'\\\\xff'",
    ],
    [
      "b'\\xff'.decode('ascii', 'foo')",
      () => call(bytes(255), 'decode', ['ascii', 'foo']),
      "LookupError: unknown error handler name 'foo'",
    ],
    [
      "b'a'.decode('klingon')",
      () => call(bytes(97), 'decode', ['klingon']),
      'LookupError: unknown encoding: klingon',
    ],
    [
      "b'a'.decode(1)",
      () => call(bytes(97), 'decode', [1]),
      "TypeError: decode() argument 'encoding' must be str, not int",
    ],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any text', () => {
  it('is the same after every encoding of Unicode', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.constantFrom('utf-8', 'utf-16-le', 'utf-16-be', 'utf-32-le', 'utf-32-be'),
        (text, name) => {
          expect(call(call(text, 'encode', [name]), 'decode', [name])).toBe(text);
        },
      ),
    );
  });

  it('has the bytes that JavaScript gives it in UTF-8', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(outcome(() => call(text, 'encode'))).toBe(
          outcome(() => bytes(...new TextEncoder().encode(text))),
        );
      }),
    );
  });

  it('never stops a decoder that replaces', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (values) => {
        expect(call(bytes(...values), 'decode', ['utf-8', 'replace'])).toBe(
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(values),
        );
      }),
    );
  });
});
