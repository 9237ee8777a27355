/** `formatPercent` is `text % values`: C's printf as Python has it. */
import { parseFloating, parseInteger } from '../../library/salt/parse-number.ts';
import { checkTextLength } from '../bounds.ts';
import { subscript } from '../container/item.ts';
import { Range } from '../container/range.ts';
import { Tuple } from '../container/tuple.ts';
import { type Int, intOf, intToFloat } from '../number/integer.ts';
import {
  type FloatStyle,
  formatFloat,
  formatInt,
  type NumberText,
  type Radix,
} from '../number/number-format.ts';
import { ascii, repr, str } from '../print.ts';
import { typeName } from '../type-name.ts';
import { PyObject, PythonError, type RenderLimits, type Value } from '../value.ts';
import { Bytes } from './bytes.ts';
import { codePointLength, codePointSlice } from './code-points.ts';
import { characterOf } from './format-spec.ts';
import { textOf } from './markup.ts';

/** How `%s`, `%r` and `%a` print; Markup prints escaped. */
export interface Printers {
  readonly str: (value: Value) => string;
  readonly repr: (value: Value) => string;
  readonly ascii: (value: Value) => string;
  /** Markup hands its values over in a wrapper, which is a number only where the value can be made one. */
  readonly wrapped: boolean;
}

const PLAIN_PRINTERS: Printers = { str, repr, ascii, wrapped: false };

export function formatPercent(
  format: string,
  values: Value,
  limits: RenderLimits,
  printers: Printers = PLAIN_PRINTERS,
): string {
  const source = new ValueSource(values, printers.wrapped);
  const reader = new FormatReader(format);
  let text = '';
  for (;;) {
    text += reader.literal();
    checkTextLength(text.length, limits);
    const conversion = reader.conversion(source);
    if (conversion === undefined) break;
    text += conversion.type === '%' ? '%' : convert(conversion, printers, limits);
  }
  source.finish();
  return text;
}

/** Where the values come from: a tuple one by one, anything else as a single value, by name from a mapping. */
class ValueSource {
  private readonly values: Value;
  private readonly wrapped: boolean;
  /** What is left to take; after a name only the value of that name. */
  private left: Value[];

  constructor(values: Value, wrapped: boolean) {
    this.values = values;
    this.wrapped = wrapped;
    this.left = values instanceof Tuple ? values.items.slice() : [values];
  }

  next(): Value {
    const value = this.left.shift();
    if (value === undefined) throw new PythonError('TypeError', 'not enough arguments for format string');
    return value;
  }

  /** The number that a star stands for. */
  star(): Int {
    const value = intOf(this.next());
    if (value === undefined || this.wrapped) throw new PythonError('TypeError', '* wants int');
    return value;
  }

  requireMapping(): void {
    if (!isMapping(this.values)) throw new PythonError('TypeError', 'format requires a mapping');
  }

  named(key: string): void {
    this.left = [subscript(this.values, key)];
  }

  /** Left-over values are an error, unless they are a mapping or a list, of which names may be taken. */
  finish(): void {
    if (this.left.length > 0 && !isMapping(this.values))
      throw new PythonError('TypeError', 'not all arguments converted during string formatting');
  }
}

/** Python asks only whether the value can be asked for items, and leaves out tuples and texts. */
function isMapping(value: Value): boolean {
  if (value instanceof Tuple || textOf(value) !== undefined) return false;
  if (Array.isArray(value) || value instanceof Bytes || value instanceof Range) return true;
  return value instanceof PyObject && value.item !== undefined;
}

interface Conversion {
  readonly type: string;
  readonly value: Value;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

class FormatReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Text up to the next percent sign. */
  literal(): string {
    const end = this.text.indexOf('%', this.at);
    const start = this.at;
    this.at = end < 0 ? this.text.length : end;
    return this.text.slice(start, this.at);
  }

  /** What follows the percent sign, or undefined at the end of the text. */
  conversion(source: ValueSource): Conversion | undefined {
    if (this.at >= this.text.length) return undefined;
    this.at++;
    if (this.skip('%')) return PERCENT;
    const key = this.key(source);
    if (key !== undefined) source.named(key);
    const flags = this.while('-+ #0');
    const star = this.number(source, 'width');
    const leftFlag = star < 0 ? '-' : '';
    const precision = this.skip('.') ? Math.max(0, this.number(source, 'prec')) : undefined;
    this.skip('h') || this.skip('l') || this.skip('L');
    const point = this.text.codePointAt(this.at);
    if (point === undefined) throw new PythonError('ValueError', 'incomplete format');
    const type = String.fromCodePoint(point);
    const index = codePointLength(this.text.slice(0, this.at));
    this.at += type.length;
    const value = source.next();
    if (!TYPES.includes(type)) throw unsupportedCharacter(point, index);
    return { type, value, flags: flags + leftFlag, width: Math.abs(star), precision };
  }

  private key(source: ValueSource): string | undefined {
    if (!this.skip('(')) return undefined;
    source.requireMapping();
    const start = this.at;
    for (let depth = 1; this.at < this.text.length; this.at++) {
      const character = this.text.charAt(this.at);
      if (character === '(') depth++;
      if (character === ')' && --depth === 0) return this.text.slice(start, this.at++);
    }
    throw new PythonError('ValueError', 'incomplete format key');
  }

  /** Digits, or a star that takes the number from the values. */
  private number(source: ValueSource, what: 'width' | 'prec'): number {
    if (!this.skip('*')) {
      const value = Number(this.while('0123456789'));
      if (value > (what === 'width' ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1))
        throw new PythonError('ValueError', what === 'width' ? 'width too big' : 'precision too big');
      return value;
    }
    const value = source.star();
    const [bits, type] = what === 'width' ? [64, 'C ssize_t'] : [32, 'C int'];
    if (BigInt.asIntN(bits, BigInt(value)) !== BigInt(value))
      throw new PythonError('OverflowError', `Python int too large to convert to ${type}`);
    return Number(value);
  }

  private while(characters: string): string {
    const start = this.at;
    while (this.at < this.text.length && characters.includes(this.text.charAt(this.at))) this.at++;
    return this.text.slice(start, this.at);
  }

  private skip(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at++;
    return true;
  }
}

const TYPES = 'diouxXeEfFgGcrsa';
/** `%%` takes no value; with anything in between it is no conversion at all. */
const PERCENT: Conversion = { type: '%', value: null, flags: '', width: 0, precision: undefined };

function unsupportedCharacter(point: number, index: number): PythonError {
  const shown = point > 31 && point < 127 ? String.fromCodePoint(point) : '?';
  return new PythonError(
    'ValueError',
    `unsupported format character '${shown}' (0x${point.toString(16)}) at index ${index}`,
  );
}

function convert(conversion: Conversion, printers: Printers, limits: RenderLimits): string {
  checkTextLength(Math.max(conversion.width, conversion.precision ?? 0), limits);
  switch (conversion.type) {
    case 's':
    case 'r':
    case 'a':
      return padText(printed(conversion, printers), conversion);
    case 'c':
      return padText(character(conversion.value, printers), conversion);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      return padNumber(wholeText(conversion, printers), conversion);
    default:
      return padNumber(realText(conversion, printers), conversion);
  }
}

function printed(conversion: Conversion, printers: Printers): string {
  const printer = { s: printers.str, r: printers.repr, a: printers.ascii }[conversion.type] ?? printers.str;
  const text = printer(conversion.value);
  return conversion.precision === undefined ? text : codePointSlice(text, 0, conversion.precision);
}

function character(value: Value, { wrapped }: Printers): string {
  const int = intOf(value);
  if (int !== undefined && !wrapped) return characterOf(int);
  const text = textOf(value);
  if (wrapped || text === undefined || codePointLength(text) !== 1)
    throw new PythonError('TypeError', '%c requires int or char');
  return text;
}

const RADIXES: Readonly<Record<string, Radix>> = { o: 8, x: 16, X: 16 };

function wholeText({ type, value, flags, precision }: Conversion, { wrapped }: Printers): NumberText {
  const radix = RADIXES[type] ?? 10;
  const int = wrapped ? wrappedWhole(value, type, radix) : wholeOf(value, type, radix);
  if (radix === 10) repr(int);
  const text = formatInt(int, radix, {
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
    alternate: flags.includes('#'),
    upper: type === 'X',
  });
  return { ...text, whole: text.whole.padStart(precision ?? 0, '0') };
}

function wholeOf(value: Value, type: string, radix: Radix): Int {
  const int = intOf(value);
  if (int !== undefined) return int;
  if (radix === 10 && value instanceof PyObject && value.asInt !== undefined) return value.asInt();
  const wanted = radix === 10 ? 'a real number' : 'an integer';
  throw new PythonError('TypeError', `%${type} format: ${wanted} is required, not ${typeName(value)}`);
}

/** What Python's `int()` makes of the wrapped value; the wrapper itself is no whole number. */
function wrappedWhole(value: Value, type: string, radix: Radix): Int {
  const text = textOf(value);
  if (radix === 10 && text !== undefined) {
    const int = parseInteger(text, 10);
    if (int === undefined)
      throw new PythonError('ValueError', `invalid literal for int() with base 10: ${repr(value)}`);
    return int;
  }
  const isNumber = intOf(value) !== undefined || (value instanceof PyObject && value.asInt !== undefined);
  if (radix === 10 && isNumber) return wholeOf(value, type, radix);
  const wanted = radix === 10 ? 'a real number' : 'an integer';
  throw new PythonError('TypeError', `%${type} format: ${wanted} is required, not _MarkupEscapeHelper`);
}

function realOf(value: Value, wrapped: boolean): number {
  const int = intOf(value);
  if (int !== undefined) return intToFloat(int);
  if (value instanceof PyObject && value.asFloat !== undefined) return value.asFloat();
  if (!wrapped) throw new PythonError('TypeError', `must be real number, not ${typeName(value)}`);
  const text = textOf(value);
  if (text === undefined)
    throw new PythonError(
      'TypeError',
      `float() argument must be a string or a real number, not '${typeName(value)}'`,
    );
  const number = parseFloating(text);
  if (number === undefined)
    throw new PythonError('ValueError', `could not convert string to float: ${repr(value)}`);
  return number;
}

function realText({ type, value, flags, precision }: Conversion, { wrapped }: Printers): NumberText {
  const number = realOf(value, wrapped);
  return formatFloat(number, type.toLowerCase() as FloatStyle, precision ?? 6, {
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
    alternate: flags.includes('#'),
    upper: type < 'a',
  });
}

function padNumber(text: NumberText, conversion: Conversion): string {
  const head = text.sign + text.prefix;
  const body = text.whole + text.rest;
  if (!conversion.flags.includes('0') || conversion.flags.includes('-'))
    return padText(head + body, conversion);
  return head + body.padStart(conversion.width - head.length, '0');
}

function padText(text: string, conversion: Conversion): string {
  const missing = conversion.width - codePointLength(text);
  if (missing <= 0) return text;
  return conversion.flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}
