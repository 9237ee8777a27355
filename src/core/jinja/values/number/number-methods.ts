/** These are the methods and attributes of int, bool and float. */

import { iteratorOf, toArray } from '../container/iterate.ts';
import { Tuple } from '../container/tuple.ts';
import { keyed, methodTable, none, one, sizeOf } from '../native.ts';
import { Bytes } from '../text/bytes.ts';
import { textOf } from '../text/markup.ts';
import { textParameter } from '../text/text-parameter.ts';
import { truthy } from '../truthy.ts';
import { typeName } from '../type-name.ts';
import { PythonError, type Value } from '../value.ts';
import { Float } from './float.ts';
import { decompose } from './float-digits.ts';
import { bitLength, type Int, intOf, normalInt } from './integer.ts';
import { parseHexFloat } from './parse-hex-float.ts';

type IntLike = Int | boolean;

export const INT_METHODS = methodTable<IntLike>('int', {
  as_integer_ratio: none((value) => new Tuple([whole(value), 1])),
  bit_count: none((value) => magnitudeBits(whole(value)).replaceAll('0', '').length),
  bit_length: none((value) => bitLength(whole(value))),
  conjugate: none((value) => whole(value)),
  from_bytes: keyed(
    ['bytes', 'byteorder', 'signed'],
    (value, [bytes, order, signed]) => {
      const littleEndian = orderOf(order, 'from_bytes');
      const int = fromBytes(bytes as Value, littleEndian, signed !== undefined && truthy(signed));
      return typeof value === 'boolean' ? int !== 0 : int;
    },
    { required: 1, positionalMax: 2 },
  ),
  to_bytes: keyed(
    ['length', 'byteorder', 'signed'],
    (value, [length, order, signed]) => {
      const size = length === undefined ? 1 : sizeOf(length);
      const littleEndian = orderOf(order, 'to_bytes');
      if (size < 0) throw new PythonError('ValueError', 'length argument must be non-negative');
      return toBytes(whole(value), size, littleEndian, signed !== undefined && truthy(signed));
    },
    { positionalMax: 2 },
  ),
});

export function intAttribute(value: IntLike, name: string): Value | undefined {
  switch (name) {
    case 'real':
    case 'numerator':
      return whole(value);
    case 'imag':
      return 0;
    case 'denominator':
      return 1;
    default:
      return undefined;
  }
}

export const INT_ATTRIBUTES: readonly string[] = ['real', 'imag', 'numerator', 'denominator'];

function whole(value: IntLike): Int {
  return intOf(value) ?? 0;
}

function magnitudeBits(value: Int): string {
  return (value < 0 ? -value : value).toString(2);
}

/** Whether the least significant byte comes first. */
function orderOf(value: Value | undefined, functionName: string): boolean {
  const order = textParameter(value, functionName, 'byteorder', 'big');
  if (order !== 'big' && order !== 'little')
    throw new PythonError('ValueError', "byteorder must be either 'little' or 'big'");
  return order === 'little';
}

/** Bytes of the longest int that fits the bound on bits. */
const SIZE_MAX = 1 << 13;

function toBytes(value: Int, size: number, littleEndian: boolean, signed: boolean): Bytes {
  if (value < 0 && !signed) throw new PythonError('OverflowError', "can't convert negative int to unsigned");
  if (size > SIZE_MAX) throw new PythonError('OverflowError', `to_bytes() makes at most ${SIZE_MAX} bytes`);
  const bits = BigInt(size) * 8n;
  const big = BigInt(value);
  const half = bits === 0n ? 0n : 1n << (bits - 1n);
  const fits = signed ? big >= -half && (big < half || big === 0n) : big < 1n << bits;
  if (!fits) throw new PythonError('OverflowError', 'int too big to convert');
  const digits = BigInt.asUintN(size * 8, big)
    .toString(16)
    .padStart(size * 2, '0');
  const bytes = Uint8Array.from({ length: size }, (_, index) =>
    Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16),
  );
  return new Bytes(littleEndian ? bytes.reverse() : bytes);
}

function fromBytes(source: Value, littleEndian: boolean, signed: boolean): Int {
  const bytes = bytesOf(source);
  if (bytes.length > SIZE_MAX)
    throw new PythonError('OverflowError', `from_bytes() takes at most ${SIZE_MAX} bytes`);
  const ordered = littleEndian ? bytes.toReversed() : bytes;
  const digits = ordered.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const big = digits === '' ? 0n : BigInt(`0x${digits}`);
  return normalInt(signed ? BigInt.asIntN(ordered.length * 8, big) : big);
}

function bytesOf(source: Value): readonly number[] {
  if (source instanceof Bytes) return [...source.bytes];
  if (textOf(source) !== undefined || iteratorOf(source) === undefined)
    throw new PythonError('TypeError', `cannot convert '${typeName(source)}' object to bytes`);
  return toArray(source).map((item) => {
    const byte = sizeOf(item);
    if (byte < 0 || byte > 255) throw new PythonError('ValueError', 'bytes must be in range(0, 256)');
    return byte;
  });
}

export const FLOAT_METHODS = methodTable<Float>('float', {
  as_integer_ratio: none(({ value }) => new Tuple(ratioOf(value))),
  conjugate: none((float) => float),
  fromhex: one((_float, text) => new Float(parseHexFloat(hexText(text)))),
  hex: none(({ value }) => hexOf(value)),
  is_integer: none(({ value }) => Number.isInteger(value)),
});

export function floatAttribute(float: Float, name: string): Value | undefined {
  if (name === 'real') return float;
  return name === 'imag' ? new Float(0) : undefined;
}

export const FLOAT_ATTRIBUTES: readonly string[] = ['real', 'imag'];

function hexText(value: Value): string {
  const text = textOf(value);
  if (text === undefined) throw new PythonError('TypeError', 'bad argument type for built-in operation');
  return text;
}

/** Numerator and denominator without a common divisor. */
function ratioOf(value: number): [Int, Int] {
  if (Number.isNaN(value)) throw new PythonError('ValueError', 'cannot convert NaN to integer ratio');
  if (!Number.isFinite(value))
    throw new PythonError('OverflowError', 'cannot convert Infinity to integer ratio');
  if (value === 0) return [0, 1];
  let { mantissa, exponent } = decompose(Math.abs(value));
  while ((mantissa & 1n) === 0n) {
    mantissa >>= 1n;
    exponent++;
  }
  if (value < 0) mantissa = -mantissa;
  return exponent >= 0
    ? [normalInt(mantissa << BigInt(exponent)), 1]
    : [normalInt(mantissa), normalInt(1n << BigInt(-exponent))];
}

function hexOf(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) return `${sign}0x0.0p+0`;
  const { mantissa, exponent } = decompose(Math.abs(value));
  const normal = mantissa >= 0x10000000000000n;
  const fraction = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const power = exponent + 52;
  return `${sign}0x${normal ? 1 : 0}.${fraction}p${power < 0 ? '-' : '+'}${Math.abs(power)}`;
}
