/**
 * `Int` is Python's int: a safe integer as a number, anything beyond as a bigint, never both ways. Every operation
 * works on numbers where the result is sure to be exact, and on bigints otherwise.
 */
import { INT_BITS_MAX } from '../bounds.ts';
import { PythonError, type Value } from '../value.ts';

export type Int = number | bigint;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** The one representation of a whole number. */
export function normalInt(value: bigint): Int {
  return value >= -MAX_SAFE && value <= MAX_SAFE ? Number(value) : value;
}

/** int and bool; undefined for everything else. */
export function intOf(value: Value): Int | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? (value ? 1 : 0) : undefined;
}

export function addInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return normalInt(bounded(BigInt(a) + BigInt(b)));
}

export function subtractInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return normalInt(bounded(BigInt(a) - BigInt(b)));
}

export function multiplyInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 turns -0 into 0: an int has no negative zero.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  if (bitLength(a) + bitLength(b) > INT_BITS_MAX + 1) throw tooBig();
  return normalInt(bounded(BigInt(a) * BigInt(b)));
}

export function negateInt(value: Int): Int {
  return typeof value === 'number' ? 0 - value : normalInt(-value);
}

/** `a // b`: rounds towards minus infinity. */
export function floorDivideInts(a: Int, b: Int): Int {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'integer division or modulo by zero');
  return divideExactly(a, b)[0];
}

/** `a % b`: the sign of b. */
export function moduloInts(a: Int, b: Int): Int {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'integer modulo by zero');
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a % b;
    return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0;
  }
  return divideExactly(a, b)[1];
}

function divideExactly(a: Int, b: Int): [Int, Int] {
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = moduloInts(a, b) as number;
    const multiple = a - rest;
    if (Number.isSafeInteger(multiple)) return [multiple / b + 0, rest];
  }
  const dividend = BigInt(a);
  const divisor = BigInt(b);
  const rest = dividend % divisor;
  const quotient = dividend / divisor;
  if (rest === 0n || rest < 0n === divisor < 0n) return [normalInt(quotient), normalInt(rest)];
  return [normalInt(quotient - 1n), normalInt(rest + divisor)];
}

/** `a / b`: the double nearest to the true quotient. */
export function divideInts(a: Int, b: Int): number {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'division by zero');
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  if (a === 0) return b < 0 ? -0 : 0;
  const negative = a < 0 !== b < 0;
  const dividend = magnitude(a);
  const divisor = magnitude(b);
  // Scale so that the quotient has 66 bits: more than a double holds, and a last bit that says "and something".
  const shift = bitLength(divisor) - bitLength(dividend) + 66;
  const scaled = shift >= 0 ? dividend << BigInt(shift) : dividend;
  const scale = shift >= 0 ? divisor : divisor << BigInt(-shift);
  let quotient = scaled / scale;
  if (quotient * scale !== scaled) quotient |= 1n;
  const size = scaleByPowerOf2(quotient, -shift);
  if (size === Number.POSITIVE_INFINITY)
    throw new PythonError('OverflowError', 'integer division result too large for a float');
  return negative ? -size : size;
}

/** quotient * 2^exponent, rounded once, subnormal results included. */
export function scaleByPowerOf2(quotient: bigint, exponent: number): number {
  const bits = bitLength(quotient);
  const smallest = -1074;
  const keep = Math.min(53, bits + exponent - smallest);
  if (keep < 0) return 0;
  const drop = bits - keep;
  if (drop <= 0) return timesPowerOf2(Number(quotient), exponent);
  const dropped = BigInt(drop);
  let kept = quotient >> dropped;
  const rest = quotient - (kept << dropped);
  const half = 1n << (dropped - 1n);
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n;
  return timesPowerOf2(Number(kept), exponent + drop);
}

function timesPowerOf2(value: number, exponent: number): number {
  if (exponent > 1023) return value * 2 ** 1000 * 2 ** Math.min(exponent - 1000, 1023);
  if (exponent < -1022) return value * 2 ** -1000 * 2 ** Math.max(exponent + 1000, -1074);
  return value * 2 ** exponent;
}

/** `a ** b` for b >= 0. */
export function powerInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const power = a ** b;
    if (Number.isSafeInteger(power)) return power + 0;
    if (bitLength(a) * b > INT_BITS_MAX + bitLength(a)) throw tooBig();
    return normalInt(bounded(BigInt(a) ** BigInt(b)));
  }
  if (typeof a === 'number' && (a === 0 || a === 1 || a === -1))
    return a === -1 && BigInt(b) % 2n === 0n ? 1 : a;
  if (b === 0) return 1;
  if (typeof b === 'bigint' || bitLength(a) * b > INT_BITS_MAX + bitLength(a)) throw tooBig();
  return normalInt(bounded(BigInt(a) ** BigInt(b)));
}

/** `int.bit_length()`. */
export function bitLength(value: Int): number {
  if (typeof value === 'number' && Math.abs(value) < 2 ** 31) return 32 - Math.clz32(Math.abs(value));
  const hex = magnitude(value).toString(16);
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex.charAt(0), 16)));
}

function magnitude(value: Int): bigint {
  const big = BigInt(value);
  return big < 0n ? -big : big;
}

/** `float(value)`. */
export function intToFloat(value: Int): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw new PythonError('OverflowError', 'int too large to convert to float');
  return float;
}

/** `int(value)`: towards zero. */
export function floatToInt(value: number): Int {
  if (Number.isNaN(value)) throw new PythonError('ValueError', 'cannot convert float NaN to integer');
  if (!Number.isFinite(value))
    throw new PythonError('OverflowError', 'cannot convert float infinity to integer');
  const whole = Math.trunc(value) + 0;
  return Number.isSafeInteger(whole) ? whole : BigInt(whole);
}

function bounded(value: bigint): bigint {
  if (bitLength(value) > INT_BITS_MAX) throw tooBig();
  return value;
}

function tooBig(): PythonError {
  return new PythonError(
    'OverflowError',
    `a whole number of more than ${INT_BITS_MAX} bits is not supported`,
  );
}
