/** These functions are Python's `int(text, base)` and `float(text)`: undefined where Python raises ValueError. */
import { SPACE_CLASS } from '../../../regex/character-classes.ts';

/** Python refuses longer decimal texts, because reading them takes quadratic time. */
const DIGITS_MAX = 4300;
const TRIM = new RegExp(`^[${SPACE_CLASS}]+|[${SPACE_CLASS}]+$`, 'gu');
const DIGIT = /\p{Nd}/gu;
const PREFIXES: Readonly<Record<number, string>> = { 2: 'b', 8: 'o', 16: 'x' };

export function parseInteger(text: string, base: number): number | bigint | undefined {
  if (!Number.isInteger(base) || (base !== 0 && (base < 2 || base > 36))) return undefined;
  const match = /^([+-]?)(?:0([box]))?(_?)([0-9a-z]+(?:_[0-9a-z]+)*)$/.exec(plain(text).toLowerCase());
  if (match === null) return undefined;
  const [, sign = '', prefix = '', underscore = '', body = ''] = match;
  if (prefix === '')
    return underscore === '' ? signed(sign, unprefixed(body.replaceAll('_', ''), base)) : undefined;
  const prefixBase = Number(Object.keys(PREFIXES).find((key) => PREFIXES[Number(key)] === prefix));
  if (base === 0 || base === prefixBase) return signed(sign, digitsOf(body.replaceAll('_', ''), prefixBase));
  // In a base with more digits, 0b1 is a number of its own.
  return signed(sign, digitsOf(`0${prefix}${body.replaceAll('_', '')}`, base));
}

/** With base 0 a decimal number must not start with a zero, unless it is zero. */
function unprefixed(digits: string, base: number): bigint | undefined {
  if (base !== 0) return digitsOf(digits, base);
  return /^0+[^0]/.test(digits) ? undefined : digitsOf(digits, 10);
}

function digitsOf(digits: string, base: number): bigint | undefined {
  if (digits.length > DIGITS_MAX && (base & (base - 1)) !== 0) return undefined;
  if (![...digits].every((digit) => Number.parseInt(digit, 36) < base)) return undefined;
  const prefix = base === 10 ? '' : PREFIXES[base];
  if (prefix !== undefined) return BigInt(prefix === '' ? digits : `0${prefix}${digits}`);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(base) + BigInt(Number.parseInt(digit, 36));
  return value;
}

function signed(sign: string, value: bigint | undefined): number | bigint | undefined {
  if (value === undefined) return undefined;
  const result = sign === '-' ? -value : value;
  const small = Number(result);
  return Number.isSafeInteger(small) ? small + 0 : result;
}

export function parseFloating(text: string): number | undefined {
  const match = /^([+-]?)(?:(inf|infinity)|(nan)|(.+))$/.exec(plain(text).toLowerCase());
  if (match === null) return undefined;
  const [, sign, infinite, notANumber, number = ''] = match;
  if (notANumber !== undefined) return Number.NaN;
  if (infinite !== undefined) return sign === '-' ? -Infinity : Infinity;
  const digits = '[0-9]+(?:_[0-9]+)*';
  if (!new RegExp(`^(?:${digits}\\.?(?:${digits})?|\\.${digits})(?:e[+-]?${digits})?$`).test(number))
    return undefined;
  const value = Number(number.replaceAll('_', ''));
  return sign === '-' ? -value : value;
}

/** Without spaces around it, and with the digits of all scripts as ASCII digits. */
function plain(text: string): string {
  const trimmed = text.replace(TRIM, '');
  return /^[\x20-\x7e]*$/.test(trimmed) ? trimmed : trimmed.replace(DIGIT, (digit) => `${digitValue(digit)}`);
}

/** Decimal digits come in rows from zero to nine, some rows next to each other: the start is found by counting back. */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (point - zero) % 10;
}
