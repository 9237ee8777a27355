/**
 * `exactPower` is `x ** y` for doubles, rounded as C's libraries round it. JavaScript's own power is off in the last
 * digit often enough to be seen (100 ** -2). Whole exponents are computed exactly; others with numbers of twice the
 * precision, each the sum of a large and a small double.
 */

import { decompose } from './float-digits.ts';
import { bitLength, scaleByPowerOf2 } from './integer.ts';

/** Larger whole exponents go the other way, which is as good for them. */
const EXACT_EXPONENT_MAX = 64;

/** For a base that is not 0 and finite values whose power is a real number; others as JavaScript has them. */
export function exactPower(x: number, y: number): number {
  const plain = x ** y;
  if (x === 0 || y === 0 || plain === 0 || !Number.isFinite(plain)) return plain;
  if (y === 0.5) return Math.sqrt(x);
  const size = Math.abs(x);
  const power =
    Number.isInteger(y) && Math.abs(y) <= EXACT_EXPONENT_MAX ? wholePower(size, y) : realPower(size, y);
  return plain < 0 ? -power : power;
}

function wholePower(x: number, y: number): number {
  const { mantissa, exponent } = decompose(x);
  const power = mantissa ** BigInt(Math.abs(y));
  if (y > 0) return scaleByPowerOf2(power, exponent * y);
  // Enough bits of the quotient that a last one can say "and something".
  const shift = bitLength(power) + 66;
  const scaled = 1n << BigInt(shift);
  const quotient = scaled / power;
  return scaleByPowerOf2(quotient * power === scaled ? quotient : quotient | 1n, exponent * y - shift);
}

/** A large and a small part; the small one is less than half a last digit of the large one. */
type Pair = readonly [number, number];

const LN2: Pair = [0.6931471805599453, 2.3190468138462996e-17];
const SPLITTER = 2 ** 27 + 1;

function realPower(x: number, y: number): number {
  return exponential(multiply(logarithm(x), [y, 0]));
}

function sum(a: number, b: number): Pair {
  const total = a + b;
  const shadow = total - a;
  return [total, a - (total - shadow) + (b - shadow)];
}

function product(a: number, b: number): Pair {
  const total = a * b;
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  return [total, aHigh * bHigh - total + aHigh * bLow + aLow * bHigh + aLow * bLow];
}

function split(a: number): Pair {
  const scaled = SPLITTER * a;
  const high = scaled - (scaled - a);
  return [high, a - high];
}

function add(a: Pair, b: Pair): Pair {
  const [high, low] = sum(a[0], b[0]);
  return sum(high, low + a[1] + b[1]);
}

function multiply(a: Pair, b: Pair): Pair {
  const [high, low] = product(a[0], b[0]);
  return sum(high, low + a[0] * b[1] + a[1] * b[0]);
}

function divide(a: Pair, b: Pair): Pair {
  const first = a[0] / b[0];
  const rest = add(a, multiply([-first, 0], b));
  return sum(first, rest[0] / b[0]);
}

/** x = m * 2^k with m near 1, and log(m) as a series in (m - 1) / (m + 1). */
function logarithm(x: number): Pair {
  const { mantissa, exponent } = decompose(x);
  const bits = bitLength(mantissa);
  let m = Number(mantissa) / 2 ** (bits - 1);
  let k = exponent + bits - 1;
  if (m > Math.SQRT2) {
    m /= 2;
    k += 1;
  }
  const ratio = divide(sum(m, -1), sum(m, 1));
  const square = multiply(ratio, ratio);
  let series: Pair = [0, 0];
  for (let n = 61; n >= 1; n -= 2) series = add(multiply(series, square), divide([1, 0], [n, 0]));
  const log = multiply(multiply(ratio, series), [2, 0]);
  return add(multiply(LN2, [k, 0]), log);
}

/** e^a = 2^k * (e^r)^256 with a tiny r, as a series. */
function exponential(a: Pair): number {
  const k = Math.round(a[0] / LN2[0]);
  const rest = add(a, multiply(LN2, [-k, 0]));
  const r: Pair = [rest[0] / 256, rest[1] / 256];
  // e^r - 1, which keeps more digits than e^r while it is squared: (1 + s)^2 - 1 = 2s + s^2.
  let series: Pair = [0, 0];
  for (let n = 12; n >= 1; n--) series = divide(multiply(r, add([1, 0], series)), [n, 0]);
  for (let i = 0; i < 8; i++) series = add(multiply([2, 0], series), multiply(series, series));
  const [high, low] = add([1, 0], series);
  return scaleBy(high + low, k);
}

function scaleBy(value: number, k: number): number {
  return Math.abs(k) <= 1000
    ? value * 2 ** k
    : value * 2 ** (k - Math.sign(k) * 500) * 2 ** (Math.sign(k) * 500);
}
