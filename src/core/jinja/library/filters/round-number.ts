/** These functions are Python's `round(value, digits)`: to the nearest, and exact halves to the even neighbour. */
import { Float } from '../../values/number/float.ts';
import { roundFloat } from '../../values/number/float-digits.ts';
import { type Int, normalInt } from '../../values/number/integer.ts';
import { PythonError } from '../../values/value.ts';

/** A float has no digit as far left as this. */
const DIGITS_MIN = -308;

export function roundedFloat(value: number, digits: number): Float {
  if (Number.isFinite(value) && digits < DIGITS_MIN) return new Float(0 * value);
  const rounded = roundFloat(value, digits);
  if (Number.isFinite(value) && !Number.isFinite(rounded.value))
    throw new PythonError('OverflowError', 'rounded value too large to represent');
  return rounded;
}

/** A negative number of digits rounds to tens, hundreds and so on; others leave a whole number as it is. */
export function roundedInt(value: Int, digits: number): Int {
  if (digits >= 0) return value;
  const whole = BigInt(value);
  const size = whole < 0n ? -whole : whole;
  // Nothing of the number is left when it is shorter than what is rounded away.
  if (-digits > size.toString().length) return 0;
  const unit = 10n ** BigInt(-digits);
  const below = (size / unit) * unit;
  const twice = (size - below) * 2n;
  const up = twice > unit || (twice === unit && (size / unit) % 2n === 1n);
  const rounded = up ? below + unit : below;
  return normalInt(whole < 0n ? -rounded : rounded);
}
