/**
 * These functions write numbers as text, for `%` formatting and format specifications alike: digits, sign, prefix,
 * without any padding.
 */
import { floatText } from './float.ts';
import { fixedDigits, significantDigits } from './float-digits.ts';
import type { Int } from './integer.ts';

/** The parts of a printed number. Padding with zeros and grouping of digits happen between them. */
export interface NumberText {
  /** '', '-', '+' or ' '. */
  readonly sign: string;
  /** '', '0x' and its kin. */
  readonly prefix: string;
  /** The digits before the point; all that may be grouped. */
  readonly whole: string;
  /** The point and what follows: fraction, exponent, percent sign. */
  readonly rest: string;
}

export type SignRule = '-' | '+' | ' ';
export type Radix = 2 | 8 | 10 | 16;

const PREFIXES: Readonly<Record<Radix, string>> = { 2: '0b', 8: '0o', 10: '', 16: '0x' };

function signText(negative: boolean, rule: SignRule): string {
  if (negative) return '-';
  return rule === '-' ? '' : rule;
}

export function formatInt(
  value: Int,
  radix: Radix,
  options: { readonly sign: SignRule; readonly alternate: boolean; readonly upper: boolean },
): NumberText {
  const digits = (value < 0 ? -value : value).toString(radix);
  const prefix = options.alternate ? PREFIXES[radix] : '';
  return {
    sign: signText(value < 0, options.sign),
    prefix: options.upper ? prefix.toUpperCase() : prefix,
    whole: options.upper ? digits.toUpperCase() : digits,
    rest: '',
  };
}

/**
 * `e`, `f`, `g` and `%` as in C. `r` is the shortest text that reads back as the same number. `G` is `g` as Python
 * writes it where a precision but no type is given: with a point, and one digit less before the exponent comes.
 */
export type FloatStyle = 'e' | 'f' | 'g' | '%' | 'r' | 'G';

export function formatFloat(
  value: number,
  style: FloatStyle,
  precision: number,
  options: {
    readonly sign: SignRule;
    readonly alternate: boolean;
    readonly upper: boolean;
    readonly noNegativeZero?: boolean;
  },
): NumberText {
  const size = Math.abs(value);
  const plain = Number.isFinite(size)
    ? finiteText(size, style, precision, options.alternate)
    : floatText(size);
  const text = style === '%' ? `${plain}%` : plain;
  const [, whole = '', rest = ''] = /^([0-9]*|inf|nan)(.*)$/s.exec(text) ?? [];
  const zero = options.noNegativeZero === true && /^[0.]*(e.*)?%?$/.test(text);
  const negative = (value < 0 || Object.is(value, -0)) && !zero;
  return {
    sign: signText(negative, options.sign),
    prefix: '',
    whole: options.upper ? whole.toUpperCase() : whole,
    rest: options.upper ? rest.toUpperCase() : rest,
  };
}

function finiteText(size: number, style: FloatStyle, precision: number, alternate: boolean): string {
  switch (style) {
    case 'f':
      return withPoint(fixedDigits(size, precision), alternate);
    case '%':
      return percentText(size, precision, alternate);
    case 'e': {
      const { digits, exponent } = significantDigits(size, precision + 1);
      return exponentText(digits, exponent, alternate);
    }
    case 'r':
      return withPoint(floatText(size), alternate);
    case 'g':
    case 'G':
      return generalText(size, Math.max(1, precision), style === 'G', alternate);
  }
}

function percentText(size: number, precision: number, alternate: boolean): string {
  const hundredfold = size * 100;
  if (!Number.isFinite(hundredfold)) return floatText(hundredfold);
  return withPoint(fixedDigits(hundredfold, precision), alternate);
}

function generalText(size: number, precision: number, pointAlways: boolean, alternate: boolean): string {
  const { digits, exponent } = significantDigits(size, precision);
  const kept = alternate ? digits : digits.replace(/(?<=.)0+$/, '');
  if (exponent < -4 || exponent >= (pointAlways ? precision - 1 : precision))
    return exponentText(kept, exponent, alternate);
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${kept}`;
  const whole = kept.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = kept.slice(exponent + 1);
  if (fraction !== '') return `${whole}.${fraction}`;
  return pointAlways ? `${whole}.0` : withPoint(whole, alternate);
}

function exponentText(digits: string, exponent: number, alternate: boolean): string {
  const fraction = digits.slice(1);
  const mantissa = fraction === '' ? withPoint(digits, alternate) : `${digits.charAt(0)}.${fraction}`;
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${`${Math.abs(exponent)}`.padStart(2, '0')}`;
}

function withPoint(text: string, alternate: boolean): string {
  return alternate && !text.includes('.') ? text.replace(/^[0-9]+/, '$&.') : text;
}
