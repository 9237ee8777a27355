/** These filters make numbers, or texts of numbers. */

import { hashKey } from '../../values/hash.ts';
import { binary } from '../../values/number/arithmetic.ts';
import { Float } from '../../values/number/float.ts';
import { fixedDigits } from '../../values/number/float-digits.ts';
import { floatToInt } from '../../values/number/integer.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import {
  jinjaFilter,
  type LibraryFunction,
  oneArgument,
  signature,
  wrongArgument,
} from '../library-function.ts';
import { roundedFloat, roundedInt } from './round-number.ts';
import { toFloat, toInt } from './to-number.ts';

export const NUMBER_FILTERS: readonly LibraryFunction[] = [
  {
    name: 'abs',
    origin: 'jinja',
    call(input, args) {
      oneArgument('abs', args);
      return absolute(input);
    },
  },
  jinjaFilter(
    'filesizeformat',
    signature('do_filesizeformat', ['value', ['binary', false]]),
    ([value, binaryPrefixes]) => fileSize(toFloat(value), truthy(binaryPrefixes)),
  ),
  jinjaFilter(
    'float',
    signature('do_float', ['value', ['default', new Float(0)]]),
    ([value, otherwise]) => orElse(() => new Float(toFloat(value)), ['TypeError', 'ValueError']) ?? otherwise,
  ),
  jinjaFilter(
    'int',
    signature('do_int', ['value', ['default', 0], ['base', 10]]),
    ([value, otherwise, base]) => asInt(value, otherwise, base),
  ),
  jinjaFilter(
    'round',
    signature('do_round', ['value', ['precision', 0], ['method', 'common']]),
    ([value, precision, method], render) => round(value, precision, method, render),
  ),
];

function absolute(value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  if (typeof value === 'bigint') return value < 0n ? -value : value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Float) return new Float(Math.abs(value.value));
  throw new PythonError('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
}

/** undefined where the function raises one of these errors. */
function orElse(compute: () => Value, errors: readonly string[]): Value | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof PythonError && errors.includes(error.type)) return undefined;
    throw error;
  }
}

/** The base is for texts only. A text that is no whole number may still be a float: '12.9' is 12. */
function asInt(value: Value, otherwise: Value, base: Value): Value {
  const text = textOf(value);
  const whole = orElse(
    () => toInt(value, text === undefined ? 10 : toBase(base)),
    ['TypeError', 'ValueError'],
  );
  if (whole !== undefined) return whole;
  const viaFloat = () => floatToInt(toFloat(value));
  return orElse(viaFloat, ['TypeError', 'ValueError', 'OverflowError']) ?? otherwise;
}

function toBase(base: Value): number {
  if (typeof base === 'number') return base;
  if (typeof base === 'boolean') return Number(base);
  throw new PythonError('TypeError', `'${typeName(base)}' object cannot be interpreted as an integer`);
}

function round(value: Value, precision: Value, how: Value, render: RenderContext): Value {
  const method = textOf(how);
  // Python looks it up in a set, so it must have a hash.
  if (method === undefined) hashKey(how);
  if (method === 'common') return roundCommon(value, precision);
  if (method !== 'ceil' && method !== 'floor') throw wrongArgument('method must be common, ceil or floor');
  const unit = binary('**', 10, precision, render.limits);
  const scaled = binary('*', value, unit, render.limits);
  return binary('/', towards(method, scaled), unit, render.limits);
}

function towards(method: 'ceil' | 'floor', value: Value): Value {
  if (value instanceof Float)
    return floatToInt(method === 'ceil' ? Math.ceil(value.value) : Math.floor(value.value));
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  throw new PythonError('TypeError', `must be real number, not ${typeName(value)}`);
}

function roundCommon(value: Value, precision: Value): Value {
  const whole = typeof value === 'boolean' ? Number(value) : value;
  const isInt = typeof whole === 'number' || typeof whole === 'bigint';
  if (!isInt && !(whole instanceof Float))
    throw new PythonError('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  if (precision === null) return isInt ? whole : floatToInt(roundedFloat(whole.value, 0).value);
  const digits = toBase(precision);
  return isInt ? roundedInt(whole, digits) : roundedFloat(whole.value, digits);
}

const DECIMAL_UNITS = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
const BINARY_UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB'];

function fileSize(bytes: number, binaryPrefixes: boolean): string {
  const base = binaryPrefixes ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${floatToInt(bytes)} Bytes`;
  const units = binaryPrefixes ? BINARY_UNITS : DECIMAL_UNITS;
  const sizes = units.map((_, index) => BigInt(base) ** BigInt(index + 2));
  // A float and a whole number are compared exactly, also where the float cannot be that number.
  const found = sizes.findIndex((size) => bytes < size);
  const index = found < 0 ? units.length - 1 : found;
  return `${oneDecimal((base * bytes) / Number(sizes[index]))} ${units[index]}`;
}

/** Of a number that is not negative: those are written as bytes. */
function oneDecimal(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return 'inf';
  return fixedDigits(value, 1);
}
