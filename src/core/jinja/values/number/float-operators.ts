/**
 * These functions are the arithmetic of Python's floats where it differs from JavaScript's: errors instead of Infinity,
 * signs of remainders.
 */

import { PythonError } from '../value.ts';
import { exactPower } from './power.ts';

export function divideFloats(a: number, b: number): number {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'float division by zero');
  return a / b;
}

/** `a % b`: the sign of b, also for a zero. */
export function moduloFloats(a: number, b: number): number {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'float modulo');
  const rest = a % b;
  if (rest === 0) return b < 0 || Object.is(b, -0) ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** `a // b`. */
export function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw new PythonError('ZeroDivisionError', 'float floor division by zero');
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) quotient -= 1;
  // A zero keeps the sign of the true quotient; a quotient that rounding pushed off its whole number is put back.
  if (quotient === 0) return Math.sign(a / b) < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** `a ** b`. Python's complex results have no place here and are an error. */
export function powerFloats(a: number, b: number): number {
  // C says that 1 to anything is 1, and -1 to an infinity too.
  if (a === 1 || (a === -1 && Math.abs(b) === Number.POSITIVE_INFINITY)) return 1;
  if (a === 0 && b < 0)
    throw new PythonError('ZeroDivisionError', '0.0 cannot be raised to a negative power');
  if (a < 0 && Number.isFinite(a) && Number.isFinite(b) && !Number.isInteger(b))
    throw new PythonError(
      'ValueError',
      'a negative number to a broken power is complex, which is not supported',
    );
  const power = exactPower(a, b);
  if (!Number.isFinite(power) && Number.isFinite(a) && Number.isFinite(b))
    throw new PythonError('OverflowError', "(34, 'Numerical result out of range')");
  return power;
}
