/** These functions are Python's `int(value)` and `float(value)` for values of every type, with Python's errors. */
import { isUndefined } from '../../render/undefined.ts';
import { Float } from '../../values/number/float.ts';
import { floatToInt, type Int, intToFloat } from '../../values/number/integer.ts';
import { repr } from '../../values/print.ts';
import { Bytes, latin1 } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/markup.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type Value } from '../../values/value.ts';
import { parseFloating, parseInteger } from '../salt/parse-number.ts';

export function toFloat(value: Value): number {
  if (value instanceof Float) return value.value;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return intToFloat(value);
  const text = value instanceof Bytes ? latin1(value.bytes) : textOf(value);
  if (text === undefined) {
    if (isUndefined(value)) value.fail();
    throw wrongType('float()', 'a string or a real number', value);
  }
  const number = parseFloating(text);
  if (number === undefined)
    throw new PythonError('ValueError', `could not convert string to float: ${repr(value)}`);
  return number;
}

export function toInt(value: Value, base = 10): Int {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Float) return floatToInt(value.value);
  const text = value instanceof Bytes ? latin1(value.bytes) : textOf(value);
  if (text === undefined) {
    if (isUndefined(value)) value.fail();
    throw wrongType('int()', 'a string, a bytes-like object or a real number', value);
  }
  const number = parseInteger(text, base);
  if (number === undefined)
    throw new PythonError('ValueError', `invalid literal for int() with base ${base}: ${repr(value)}`);
  return number;
}

function wrongType(python: string, wanted: string, value: Value): PythonError {
  return new PythonError('TypeError', `${python} argument must be ${wanted}, not '${typeName(value)}'`);
}
