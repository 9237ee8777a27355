/**
 * These functions give the decimal digits of a double, rounded half to even on its exact binary value, as C's printf
 * does. JavaScript's toFixed rounds a tie up, and stops at 100 digits.
 */
import { Float } from './float.ts';

const view = new DataView(new ArrayBuffer(8));
/** A double has at most this many digits after the point; more are zeros. */
const FRACTION_DIGITS_MAX = 1074;
const SIGNIFICANT_DIGITS_MAX = 800;

/** A finite, non-negative double as mantissa * 2^exponent. */
export function decompose(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number((bits >> 52n) & 0x7ffn);
  if (biased === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 };
}

/** value * 10^power, rounded half to even to a whole number. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = decompose(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  if (twice > denominator || (twice === denominator && (quotient & 1n) === 1n)) return quotient + 1n;
  return quotient;
}

/** `%.{precision}f` of a finite, non-negative double. */
export function fixedDigits(value: number, precision: number): string {
  const places = Math.min(precision, FRACTION_DIGITS_MAX);
  const digits = scaled(value, places)
    .toString()
    .padStart(places + 1, '0');
  if (precision === 0) return digits;
  const whole = digits.slice(0, digits.length - places);
  return `${whole}.${digits.slice(digits.length - places).padEnd(precision, '0')}`;
}

/** The first `count` significant digits of a finite, non-negative double, and the power of ten of the first one. */
export function significantDigits(
  value: number,
  count: number,
): { readonly digits: string; readonly exponent: number } {
  if (value === 0) return { digits: '0'.repeat(count), exponent: 0 };
  const wanted = Math.min(count, SIGNIFICANT_DIGITS_MAX);
  let exponent = Number(value.toExponential().split('e')[1]);
  let digits = scaled(value, wanted - 1 - exponent).toString();
  if (digits.length !== wanted) {
    // Rounding carried over (9.99 became 10.0), or the shortest text, which gave the exponent, is rounded up itself.
    exponent += digits.length > wanted ? 1 : -1;
    digits = scaled(value, wanted - 1 - exponent).toString();
  }
  return { digits: digits.padEnd(count, '0'), exponent };
}

/** `round(value, places)` for a finite double, exact as Python's. */
export function roundFloat(value: number, places: number): Float {
  if (places > FRACTION_DIGITS_MAX || !Number.isFinite(value)) return new Float(value);
  const size = Math.abs(value);
  const text = places >= 0 ? fixedDigits(size, places) : `${scaled(size, places)}e${-places}`;
  return new Float(value < 0 || Object.is(value, -0) ? -Number(text) : Number(text));
}
