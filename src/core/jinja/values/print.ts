/** These functions are `str()`, `repr()` and `ascii()`: how Python prints its values. */
import { Walk } from './bounds.ts';
import { PyObject, PythonError, type Value } from './value.ts';

/** Python's default for `sys.set_int_max_str_digits`. */
export const INT_DIGITS_MAX = 4300;

export function str(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${value}`;
  if (value instanceof PyObject) return value.str();
  return repr(value);
}

export function repr(value: Value): string {
  switch (typeof value) {
    case 'string':
      return reprText(value);
    case 'number':
      return `${value}`;
    case 'bigint':
      return intText(value);
    case 'boolean':
      return value ? 'True' : 'False';
    default:
      if (value === null) return 'None';
      return Array.isArray(value) ? reprItems(value, value, '[', ']', '[...]') : value.repr();
  }
}

export function ascii(value: Value): string {
  return repr(value).replace(/[^\x00-\x7f]/gu, escapePoint);
}

function intText(value: bigint): string {
  const text = value.toString();
  if (text.length - (value < 0n ? 1 : 0) > INT_DIGITS_MAX)
    throw new PythonError(
      'ValueError',
      `Exceeds the limit (${INT_DIGITS_MAX} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit`,
    );
  return text;
}

const PLAIN = /^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/;
const ESCAPED_IN_SINGLE = /[\\'\x00-\x1f\x7f-\xa0\xad]|[^\x20-\x7e\xa1-\xff]/gu;
const ESCAPED_IN_DOUBLE = /[\\\x00-\x1f\x7f-\xa0\xad]|[^\x20-\x7e\xa1-\xff]/gu;
/** What Python's `str.isprintable` says no to. */
const UNPRINTABLE = /^[\p{C}\p{Zl}\p{Zp}\p{Zs}]$/u;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function reprText(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const double = text.includes("'") && !text.includes('"');
  const quote = double ? '"' : "'";
  const body = text.replace(
    double ? ESCAPED_IN_DOUBLE : ESCAPED_IN_SINGLE,
    (point) => SHORT_ESCAPES[point] ?? (isPrintablePoint(point) ? point : escapePoint(point)),
  );
  return `${quote}${body}${quote}`;
}

export function isPrintablePoint(point: string): boolean {
  return point === ' ' || !UNPRINTABLE.test(point);
}

/** `\xe4`, `\u20ac` or `\U0001f600`. */
function escapePoint(point: string): string {
  const code = point.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** Characters, counted anew in every container around them. */
const PRINT_MAX = 1 << 24;
const walk = new Walk(' while getting the repr of an object', PRINT_MAX);
/** The containers being printed, outermost first: one that contains itself prints as dots. */
const printing: object[] = [];

/** False where the container is being printed already; otherwise to be followed by `endPrint` in a finally. */
export function beginPrint(container: object): boolean {
  if (printing.includes(container)) return false;
  walk.enter();
  printing.push(container);
  return true;
}

export function endPrint(): void {
  printing.pop();
  walk.leave();
}

/** Counts characters against the bound on what one print may make. */
export function chargePrint(characters: number): void {
  walk.charge(characters);
}

/** A part of a container. */
export function reprPart(value: Value): string {
  const part = repr(value);
  chargePrint(part.length + 1);
  return part;
}

/** `[1, 2]` and the like: the items between two texts, or `dots` where the container is met inside of itself. */
export function reprItems(
  container: object,
  items: Iterable<Value>,
  open: string,
  close: string,
  dots: string,
): string {
  if (!beginPrint(container)) return dots;
  try {
    let text = open;
    let separator = '';
    for (const item of items) {
      text += separator + reprPart(item);
      separator = ', ';
    }
    return text + close;
  } finally {
    endPrint();
  }
}

/** The place of an object in memory, as Python prints it; always the same here, so that a render can be repeated. */
export const ADDRESS = '0x7f0000000000';
