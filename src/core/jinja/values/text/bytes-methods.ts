/**
 * These are the methods of bytes. They do what the methods of str do, but know only ASCII: so each byte becomes a
 * character, those beyond ASCII one without case, digits or spaces, the method of str runs, and its texts become bytes
 * again.
 */
import { checkTextLength } from '../bounds.ts';
import { iteratorOf } from '../container/iterate.ts';
import { Tuple } from '../container/tuple.ts';
import type { Method } from '../func.ts';
import { keyed, type MethodTable, methodTable, type Native, none, one, sizeOf } from '../native.ts';
import { intOf } from '../number/integer.ts';
import { typeName } from '../type-name.ts';
import { type Arguments, PythonError, type RenderContext, type Value } from '../value.ts';
import { Bytes } from './bytes.ts';
import { textOf } from './markup.ts';
import { STR_NATIVES } from './str-methods.ts';
import { decodeBytes } from './text-codec.ts';
import { textParameter } from './text-parameter.ts';

/** Where the bytes that are no ASCII text go: a part of Unicode where no character means anything. */
const PRIVATE = 0xe000;
const WITHOUT_BYTES =
  'capitalize isalnum isalpha isdigit islower isspace istitle isupper lower swapcase title upper';
const WITH_BYTES = 'lstrip partition removeprefix removesuffix rpartition rsplit rstrip split strip';
const WITH_FILL = 'center expandtabs ljust rjust zfill';
const SEARCHES = 'count find index rfind rindex';

export const BYTES_METHODS: MethodTable = new Map([
  ...asStr(WITHOUT_BYTES, () => (value) => value),
  ...asStr(WITH_BYTES, () => firstAs(bytesText)),
  ...asStr('replace', () => (value, index) => (index < 2 ? bytesText(value) : value)),
  ...asStr(WITH_FILL, (name) => (value, index) => (index === 1 ? fillText(name, value) : value)),
  ...asStr(SEARCHES, () => firstAs(searchedText)),
  ...asStr('startswith endswith', (name) => firstAs((value) => endText(name, value))),
  ...methodTable<Bytes>('bytes', {
    isascii: none((self) => self.bytes.every((byte) => byte < 0x80)),
    splitlines: keyed(['keepends'], (self, [keepEnds = false]) =>
      splitLines(self, sizeOf(keepEnds, 'int') !== 0),
    ),
    join: one((self, values, render) => join(self, values, render)),
    decode: keyed(['encoding', 'errors'], (self, [encoding, errors]) =>
      decodeBytes(
        self,
        textParameter(encoding, 'decode', 'encoding', 'utf-8'),
        textParameter(errors, 'decode', 'errors', 'strict'),
      ),
    ),
    hex: keyed(['sep', 'bytes_per_sep'], (self, [separator, size = 1]) => hex(self, separator, sizeOf(size))),
    fromhex: one((_self, text) => fromHex(text)),
  }),
]);

type Accept = (value: Value, index: number) => Value;

/** Methods of str that run on the characters that stand for bytes. */
function asStr(names: string, acceptFor: (name: string) => Accept): MethodTable {
  return new Map(
    names.split(' ').map((name): [string, Method] => {
      const native = STR_NATIVES[name] as Native<string>;
      const method = native({ name: 'bytes', accept: acceptFor(name) }, name);
      return [name, (self, args, render) => inBytes(run(method, self as Bytes, args, render))];
    }),
  );
}

function firstAs(convert: (value: Value) => Value): Accept {
  return (value, index) => (index === 0 ? convert(value) : value);
}

function run(method: Method<string>, self: Bytes, args: Arguments, render: RenderContext): Value {
  try {
    return method(toCharacters(self.bytes), args, render);
  } catch (error) {
    if (error instanceof PythonError && error.message === 'substring not found')
      throw new PythonError('ValueError', 'subsection not found');
    throw error;
  }
}

function toCharacters(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes)
    text += String.fromCharCode(byte >= 0x80 || (byte >= 0x1c && byte <= 0x1f) ? PRIVATE + byte : byte);
  return text;
}

function toBytes(text: string): Bytes {
  return new Bytes(Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff));
}

function inBytes(value: Value): Value {
  if (typeof value === 'string') return toBytes(value);
  if (Array.isArray(value)) return value.map(inBytes);
  return value instanceof Tuple ? new Tuple(value.items.map(inBytes)) : value;
}

/** Bytes, or None where a method takes it. */
function bytesText(value: Value): Value {
  if (value instanceof Bytes) return toCharacters(value.bytes);
  if (value === null) return value;
  throw new PythonError('TypeError', `a bytes-like object is required, not '${typeName(value)}'`);
}

function fillText(name: string, value: Value): Value {
  if (value instanceof Bytes && value.bytes.length === 1) return toCharacters(value.bytes);
  const wanted = 'a byte string of length 1';
  throw new PythonError('TypeError', `${name}() argument 2 must be ${wanted}, not ${typeName(value)}`);
}

/** What is searched for may also be the number of one byte. */
function searchedText(value: Value): Value {
  if (value instanceof Bytes) return toCharacters(value.bytes);
  const byte = intOf(value);
  if (byte === undefined)
    throw new PythonError(
      'TypeError',
      `argument should be integer or bytes-like object, not '${typeName(value)}'`,
    );
  if (byte < 0 || byte > 255) throw new PythonError('ValueError', 'byte must be in range(0, 256)');
  return toCharacters(Uint8Array.of(Number(byte)));
}

function endText(name: string, value: Value): Value {
  if (value instanceof Bytes) return toCharacters(value.bytes);
  if (value instanceof Tuple) return new Tuple(value.items.map(bytesText));
  throw new PythonError(
    'TypeError',
    `${name} first arg must be bytes or a tuple of bytes, not ${typeName(value)}`,
  );
}

/** Only the two line ends of ASCII count here. */
function splitLines(self: Bytes, keepEnds: boolean): Value[] {
  const lines = toCharacters(self.bytes).match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return lines.map((line) => toBytes(keepEnds ? line : line.replace(/[\r\n]+$/, '')));
}

function join(self: Bytes, values: Value, render: RenderContext): Bytes {
  const iterator = iteratorOf(values);
  if (iterator === undefined) throw new PythonError('TypeError', 'can only join an iterable');
  const parts: string[] = [];
  let length = 0;
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    const part: Value = next.value;
    if (!(part instanceof Bytes))
      throw new PythonError(
        'TypeError',
        `sequence item ${parts.length}: expected a bytes-like object, ${typeName(part)} found`,
      );
    length += part.bytes.length + self.bytes.length;
    checkTextLength(length, render.limits);
    parts.push(toCharacters(part.bytes));
  }
  render.charge(parts.length);
  return toBytes(parts.join(toCharacters(self.bytes)));
}

/** Groups count from the end, or from the start where the size is negative. */
function hex(self: Bytes, separator: Value | undefined, size: number): string {
  const digits = [...self.bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  if (separator === undefined || size === 0) return digits.join('');
  const mark = separator instanceof Bytes ? toCharacters(separator.bytes) : textOf(separator);
  if (mark === undefined) throw new PythonError('TypeError', 'sep must be str or bytes.');
  if (mark.length !== 1) throw new PythonError('ValueError', 'sep must be length 1.');
  const groups: string[] = [];
  const width = Math.abs(size);
  const offset = size > 0 ? digits.length % width : 0;
  if (offset > 0) groups.push(digits.slice(0, offset).join(''));
  for (let at = offset; at < digits.length; at += width) groups.push(digits.slice(at, at + width).join(''));
  return groups.join(mark);
}

function fromHex(value: Value): Bytes {
  const text = textOf(value);
  if (text === undefined)
    throw new PythonError('TypeError', `fromhex() argument must be str, not ${typeName(value)}`);
  const bytes: number[] = [];
  for (let at = 0; at < text.length; ) {
    if (/[\t-\r ]/.test(text.charAt(at))) {
      at++;
      continue;
    }
    for (const offset of [0, 1])
      if (!/^[0-9a-fA-F]$/.test(text.charAt(at + offset)))
        throw new PythonError(
          'ValueError',
          `non-hexadecimal number found in fromhex() arg at position ${at + offset}`,
        );
    bytes.push(Number.parseInt(text.slice(at, at + 2), 16));
    at += 2;
  }
  return new Bytes(Uint8Array.from(bytes));
}
