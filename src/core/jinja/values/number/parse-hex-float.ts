/** `parseHexFloat` is `float.fromhex`: `0x1.8p3`, rounded half to even where it has more digits than a double. */

import { PythonError } from '../value.ts';
import { divideInts, normalInt } from './integer.ts';

const HEX_FLOAT =
  /^([-+])?(?:(inf(?:inity)?)|(nan)|(?:0x)?([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([-+]?[0-9]+))?)$/i;
/** Beyond this every number is zero or too large, whatever its digits. */
const EXPONENT_MAX = 20_000;

export function parseHexFloat(text: string): number {
  const match = HEX_FLOAT.exec(text.trim());
  const [, sign = '', infinite, notANumber, whole = '', fraction = '', exponentText = '0'] = match ?? [];
  if (match === null) throw invalid();
  const signed = (size: number) => (sign === '-' ? -size : size);
  if (infinite !== undefined) return signed(Number.POSITIVE_INFINITY);
  if (notANumber !== undefined) return Number.NaN;
  if (whole + fraction === '') throw invalid();
  const mantissa = BigInt(`0x${whole}${fraction}`);
  if (mantissa === 0n) return signed(0);
  const exponent = Number(exponentText) - fraction.length * 4;
  if (exponent < -EXPONENT_MAX) return signed(0);
  if (exponent > EXPONENT_MAX) throw tooLarge();
  return signed(scaled(mantissa, exponent));
}

function scaled(mantissa: bigint, exponent: number): number {
  try {
    return exponent >= 0
      ? divideInts(normalInt(mantissa << BigInt(exponent)), 1)
      : divideInts(normalInt(mantissa), normalInt(1n << BigInt(-exponent)));
  } catch {
    throw tooLarge();
  }
}

function invalid(): PythonError {
  return new PythonError('ValueError', 'invalid hexadecimal floating-point string');
}

function tooLarge(): PythonError {
  return new PythonError('OverflowError', 'hexadecimal value too large to represent as a float');
}
