/** `formatValue` is `format(value, spec)`: the language of what stands after the colon in `'{:>8,.2f}'`. */
import { checkTextLength } from '../bounds.ts';
import { Float } from '../number/float.ts';
import { type Int, intOf, intToFloat } from '../number/integer.ts';
import {
  type FloatStyle,
  formatFloat,
  formatInt,
  type NumberText,
  type Radix,
  type SignRule,
} from '../number/number-format.ts';
import { repr, str } from '../print.ts';
import { typeName } from '../type-name.ts';
import { PythonError, type RenderLimits, type Value } from '../value.ts';
import { codePointLength, codePointSlice } from './code-points.ts';
import { textOf } from './markup.ts';

type Align = '<' | '>' | '=' | '^';

interface FormatSpec {
  readonly fill: string;
  /** undefined: numbers to the right, texts to the left. */
  readonly align: Align | undefined;
  readonly sign: SignRule | undefined;
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  readonly width: number;
  /** ',', '_' or ''. */
  readonly grouping: string;
  readonly precision: number | undefined;
  /** One code point, or '' where none is given. */
  readonly type: string;
}

const NUMBER_MAX = 2 ** 31 - 1;

export function formatValue(value: Value, spec: string, limits: RenderLimits): string {
  if (spec === '') return str(value);
  const text = textOf(value);
  if (text !== undefined)
    return formatText(text, parseSpec(spec, typeName(value), false), typeName(value), limits);
  const int = intOf(value);
  if (int !== undefined)
    return formatWhole(int, parseSpec(spec, typeName(value), true), typeName(value), limits);
  if (value instanceof Float) return formatReal(value.value, parseSpec(spec, 'float', true), 'float', limits);
  throw new PythonError('TypeError', `unsupported format string passed to ${typeName(value)}.__format__`);
}

const SPEC = /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_]?)([,_]?)(?:(\.)(\d+)?)?(.*)$/su;

function parseSpec(spec: string, type: string, isNumber: boolean): FormatSpec {
  const [
    ,
    fill,
    align,
    sign,
    z,
    alternate,
    zero,
    width,
    grouping = '',
    second = '',
    point = '',
    digits,
    rest = '',
  ] = SPEC.exec(spec) ?? [];
  if (second !== '' && second !== grouping) throw wrong("Cannot specify both ',' and '_'.");
  // A separator that comes twice is read as the type the second time.
  const code = second === '' ? rest : second + point + (digits ?? '') + rest;
  if (second === '' && point !== '' && digits === undefined)
    throw wrong('Format specifier missing precision');
  const precision = second === '' && digits !== undefined ? numberIn(digits) : undefined;
  if (codePointLength(code) > 1)
    throw wrong(`Invalid format specifier '${spec}' for object of type '${type}'`);
  if (grouping !== '' && !mayGroup(grouping, code, isNumber))
    throw wrong(`Cannot specify '${grouping}' with '${code === '' ? 's' : codeText(code)}'.`);
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: (align as Align | undefined) ?? (zero !== undefined && isNumber ? '=' : undefined),
    sign: sign as SignRule | undefined,
    noNegativeZero: z !== undefined,
    alternate: alternate !== undefined,
    width: numberIn(width),
    grouping,
    precision,
    type: code,
  };
}

function mayGroup(grouping: string, type: string, isNumber: boolean): boolean {
  if (type === '') return isNumber;
  return 'defgEFG%'.includes(type) || (grouping === '_' && 'boxX'.includes(type));
}

function numberIn(digits: string | undefined): number {
  const value = Number(digits ?? 0);
  if (value > Number.MAX_SAFE_INTEGER) throw wrong('Too many decimal digits in format string');
  return value;
}

function formatText(text: string, spec: FormatSpec, type: string, limits: RenderLimits): string {
  if (spec.type !== '' && spec.type !== 's') throw unknownCode(spec.type, type);
  refuse(spec.sign === ' ', 'Space not allowed in string format specifier');
  refuse(spec.sign !== undefined, 'Sign not allowed in string format specifier');
  refuse(spec.noNegativeZero, 'Negative zero coercion (z) not allowed in string format specifier');
  refuse(spec.alternate, 'Alternate form (#) not allowed in string format specifier');
  refuse(spec.align === '=', "'=' alignment not allowed in string format specifier");
  const shown = spec.precision === undefined ? text : codePointSlice(text, 0, spec.precision);
  return pad(shown, spec, '<', limits);
}

function formatWhole(value: Int, spec: FormatSpec, type: string, limits: RenderLimits): string {
  const radix = RADIXES[spec.type];
  if (radix === undefined) {
    if (spec.type === 'c') return formatCharacter(value, spec, limits);
    if (FLOAT_TYPES.includes(spec.type)) return formatReal(intToFloat(value), spec, type, limits);
    throw unknownCode(spec.type, type);
  }
  refuse(spec.precision !== undefined, 'Precision not allowed in integer format specifier');
  refuse(spec.noNegativeZero, 'Negative zero coercion (z) not allowed in integer format specifier');
  // Printing in base ten is bounded; the bound belongs to `repr`.
  if (radix === 10) repr(value);
  const text = formatInt(value, radix, {
    sign: spec.sign ?? '-',
    alternate: spec.alternate,
    upper: spec.type === 'X',
  });
  return padNumber(text, spec, limits, radix === 10 ? 3 : 4);
}

const RADIXES: Readonly<Record<string, Radix>> = { '': 10, d: 10, n: 10, b: 2, o: 8, x: 16, X: 16 };
const FLOAT_TYPES: readonly string[] = ['e', 'E', 'f', 'F', 'g', 'G', '%'];

function formatCharacter(value: Int, spec: FormatSpec, limits: RenderLimits): string {
  refuse(spec.precision !== undefined, 'Precision not allowed in integer format specifier');
  refuse(spec.noNegativeZero, 'Negative zero coercion (z) not allowed in integer format specifier');
  refuse(spec.sign !== undefined, "Sign not allowed with integer format specifier 'c'");
  refuse(spec.alternate, "Alternate form (#) not allowed with integer format specifier 'c'");
  return padNumber({ sign: '', prefix: '', whole: '', rest: characterOf(value) }, spec, limits, 3);
}

/** `chr` as the formatters do it. */
export function characterOf(value: Int): string {
  if (value < 0 || value > 0x10ffff) throw new PythonError('OverflowError', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(value));
}

function formatReal(value: number, spec: FormatSpec, type: string, limits: RenderLimits): string {
  if (spec.type !== '' && spec.type !== 'n' && !FLOAT_TYPES.includes(spec.type))
    throw unknownCode(spec.type, type);
  if ((spec.precision ?? 0) > NUMBER_MAX) throw wrong('precision too big');
  checkTextLength(spec.precision ?? 0, limits);
  const text = formatFloat(value, floatStyle(spec), spec.precision ?? 6, {
    sign: spec.sign ?? '-',
    alternate: spec.alternate,
    upper: 'EFG'.includes(spec.type) && spec.type !== '',
    noNegativeZero: spec.noNegativeZero,
  });
  return padNumber(text, spec, limits, 3);
}

function floatStyle(spec: FormatSpec): FloatStyle {
  if (spec.type === '') return spec.precision === undefined ? 'r' : 'G';
  const type = spec.type.toLowerCase();
  return type === 'n' ? 'g' : (type as FloatStyle);
}

/** Groups the digits, and pads: with zeros between sign and digits, or around the whole. */
function padNumber(text: NumberText, spec: FormatSpec, limits: RenderLimits, groupSize: number): string {
  checkTextLength(spec.width, limits);
  const head = text.sign + text.prefix;
  const zeros = spec.fill === '0' && spec.align === '=';
  const digitsWidth = zeros ? spec.width - head.length - text.rest.length : 0;
  const isDigits = text.whole !== '' && /^[0-9a-fA-F]+$/.test(text.whole) && text.whole !== 'inf';
  const whole =
    spec.grouping !== '' && isDigits ? group(text.whole, spec.grouping, groupSize, digitsWidth) : text.whole;
  if (spec.align !== '=') return pad(head + whole + text.rest, spec, '>', limits);
  const missing = spec.width - codePointLength(head + whole + text.rest);
  return head + spec.fill.repeat(Math.max(0, missing)) + whole + text.rest;
}

/** Separators between groups; leading zeros, in groups too, until the width is reached. */
function group(digits: string, separator: string, size: number, width: number): string {
  let rest = digits;
  let text = '';
  for (;;) {
    const part = rest.slice(-size);
    rest = rest.slice(0, -size);
    // How much of this group may still be filled with zeros.
    const missing = width - text.length - part.length - (text === '' ? 0 : 1);
    const filled =
      rest === '' ? part.padStart(Math.min(size, part.length + Math.max(0, missing)), '0') : part;
    text = text === '' ? filled : filled + separator + text;
    if (rest === '' && text.length >= width) return text;
    if (rest === '' && text.length === width - 1) return `0${separator}${text}`;
    if (rest === '' && filled.length < size) return text;
  }
}

function pad(text: string, spec: FormatSpec, align: '<' | '>', limits: RenderLimits): string {
  checkTextLength(spec.width, limits);
  const missing = spec.width - codePointLength(text);
  if (missing <= 0) return text;
  const side = spec.align ?? align;
  const left = side === '<' ? 0 : side === '^' ? Math.floor(missing / 2) : missing;
  return spec.fill.repeat(left) + text + spec.fill.repeat(missing - left);
}

function refuse(isWrong: boolean, message: string): void {
  if (isWrong) throw wrong(message);
}

function wrong(message: string): PythonError {
  return new PythonError('ValueError', message);
}

function unknownCode(type: string, of: string): PythonError {
  return wrong(`Unknown format code '${codeText(type)}' for object of type '${of}'`);
}

function codeText(type: string): string {
  const code = type.codePointAt(0) ?? 0;
  return code > 32 && code < 128 ? type : `\\x${code.toString(16)}`;
}
