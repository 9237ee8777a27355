/**
 * These functions are Python's operators over all types: numbers, then what an object says itself, then sequences, then
 * a TypeError.
 */
import { checkItemCount, checkTextLength } from '../bounds.ts';
import { Tuple } from '../container/tuple.ts';
import { sizeOf } from '../native.ts';
import { Bytes, fromLatin1, latin1 } from '../text/bytes.ts';
import { Markup, textOf } from '../text/markup.ts';
import { escapeHtml, formatMarkup } from '../text/markup-escape.ts';
import { formatPercent } from '../text/percent-format.ts';
import { typeName } from '../type-name.ts';
import { type Operator, PyObject, PythonError, type RenderLimits, type Value } from '../value.ts';
import { Float } from './float.ts';
import { divideFloats, floorDivideFloats, moduloFloats, powerFloats } from './float-operators.ts';
import {
  addInts,
  divideInts,
  floorDivideInts,
  type Int,
  intOf,
  intToFloat,
  moduloInts,
  multiplyInts,
  negateInt,
  powerInts,
  subtractInts,
} from './integer.ts';

/** `left <operator> right`. The sizes of texts and lists it makes are bounded by the limits. */
export function binary(operator: Operator, left: Value, right: Value, limits: RenderLimits): Value {
  if (typeof left === 'number' && typeof right === 'number') return operateInts(operator, left, right);
  const number = operateNumbers(operator, left, right);
  if (number !== undefined) return number;
  if (operator === '%') {
    const formatted = formatText(left, right, limits);
    if (formatted !== undefined) return formatted;
  }
  let own = left instanceof PyObject ? left.operate?.(operator, right, false) : undefined;
  if (own === undefined && right instanceof PyObject) own = right.operate?.(operator, left, true);
  if (own !== undefined) return own;
  if (operator === '+') return concatenate(left, right, limits);
  if (operator === '*') return repeat(left, right, limits);
  throw unsupported(operator, left, right);
}

/** `left + right`, the operator that most often meets texts. */
export function add(left: Value, right: Value, limits: RenderLimits): Value {
  if (typeof left === 'string' && typeof right === 'string') {
    checkTextLength(left.length + right.length, limits);
    return left + right;
  }
  return binary('+', left, right, limits);
}

/** `-value`, `+value`. */
export function unary(operator: '-' | '+', value: Value): Value {
  const int = intOf(value);
  if (int !== undefined) return operator === '-' ? negateInt(int) : int;
  if (value instanceof Float) return operator === '-' ? new Float(-value.value) : value;
  const own = value instanceof PyObject ? value.unary?.(operator) : undefined;
  if (own === undefined)
    throw new PythonError('TypeError', `bad operand type for unary ${operator}: '${typeName(value)}'`);
  return own;
}

function operateNumbers(operator: Operator, left: Value, right: Value): Value | undefined {
  const a = left instanceof Float ? left : intOf(left);
  if (a === undefined) return undefined;
  const b = right instanceof Float ? right : intOf(right);
  if (b === undefined) return undefined;
  if (a instanceof Float) return new Float(operateFloats(operator, a.value, floatOf(b)));
  if (b instanceof Float) return new Float(operateFloats(operator, floatOf(a), b.value));
  return operateInts(operator, a, b);
}

function floatOf(value: Int | Float): number {
  return value instanceof Float ? value.value : intToFloat(value);
}

function operateInts(operator: Operator, a: Int, b: Int): Value {
  switch (operator) {
    case '+':
      return addInts(a, b);
    case '-':
      return subtractInts(a, b);
    case '*':
      return multiplyInts(a, b);
    case '/':
      return new Float(divideInts(a, b));
    case '//':
      return floorDivideInts(a, b);
    case '%':
      return moduloInts(a, b);
    case '**':
      return b < 0 ? new Float(powerFloats(intToFloat(a), intToFloat(b))) : powerInts(a, b);
  }
}

function operateFloats(operator: Operator, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return divideFloats(a, b);
    case '//':
      return floorDivideFloats(a, b);
    case '%':
      return moduloFloats(a, b);
    case '**':
      return powerFloats(a, b);
  }
}

/** `text % values`; undefined where the left side is no text. */
function formatText(left: Value, right: Value, limits: RenderLimits): Value | undefined {
  if (typeof left === 'string') return formatPercent(left, right, limits);
  return left instanceof Markup ? formatMarkup(left, right, limits) : undefined;
}

function concatenate(left: Value, right: Value, limits: RenderLimits): Value {
  if (left instanceof Markup || right instanceof Markup) return concatenateMarkup(left, right, limits);
  if (typeof left === 'string') {
    if (typeof right !== 'string') throw cannotConcatenate('str', right);
    checkTextLength(left.length + right.length, limits);
    return left + right;
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right)) throw cannotConcatenate('list', right);
    checkItemCount(left.length + right.length, limits);
    return left.concat(right);
  }
  if (left instanceof Tuple) {
    if (!(right instanceof Tuple)) throw cannotConcatenate('tuple', right);
    checkItemCount(left.items.length + right.items.length, limits);
    return new Tuple(left.items.concat(right.items));
  }
  if (left instanceof Bytes) {
    if (!(right instanceof Bytes)) throw cannotAppend(right);
    checkTextLength(left.bytes.length + right.bytes.length, limits);
    return fromLatin1(latin1(left.bytes) + latin1(right.bytes));
  }
  throw unsupported('+', left, right);
}

/** Markup on either side escapes the other side, if it is a text or knows its own HTML. */
function concatenateMarkup(left: Value, right: Value, limits: RenderLimits): Value {
  const other = left instanceof Markup ? right : left;
  const knowsHtml = other instanceof PyObject && other.html !== undefined;
  if (textOf(other) === undefined && !knowsHtml) {
    if (Array.isArray(left) || left instanceof Tuple) throw cannotConcatenate(typeName(left), right);
    throw left instanceof Bytes ? cannotAppend(right) : unsupported('+', left, right);
  }
  const text = escapeHtml(left).text + escapeHtml(right).text;
  checkTextLength(text.length, limits);
  return new Markup(text);
}

function repeat(left: Value, right: Value, limits: RenderLimits): Value {
  // Markup takes part before other sequences do, whichever side it is on.
  if (right instanceof Markup && !(left instanceof Markup)) return repeated(right, sizeOf(left), limits);
  if (left instanceof Markup) return repeated(left, sizeOf(right), limits);
  if (isSequence(left)) return repeated(left, timesOf(right), limits);
  if (isSequence(right)) return repeated(right, timesOf(left), limits);
  throw unsupported('*', left, right);
}

type Sequence = string | Value[] | Markup | Tuple | Bytes;

function isSequence(value: Value): value is Sequence {
  return (
    typeof value === 'string' ||
    Array.isArray(value) ||
    value instanceof Markup ||
    value instanceof Tuple ||
    value instanceof Bytes
  );
}

function timesOf(value: Value): number {
  const times = intOf(value);
  if (times === undefined)
    throw new PythonError('TypeError', `can't multiply sequence by non-int of type '${typeName(value)}'`);
  if (typeof times === 'bigint' && BigInt.asIntN(64, times) !== times)
    throw new PythonError('OverflowError', "cannot fit 'int' into an index-sized integer");
  return Number(times);
}

function repeated(sequence: Sequence, count: number, limits: RenderLimits): Value {
  const times = Math.max(0, count);
  if (typeof sequence === 'string') return repeatText(sequence, times, limits);
  if (sequence instanceof Markup) return new Markup(repeatText(sequence.text, times, limits));
  if (sequence instanceof Bytes) return fromLatin1(repeatText(latin1(sequence.bytes), times, limits));
  const items = Array.isArray(sequence) ? sequence : sequence.items;
  if (items.length > 0) checkItemCount(items.length * times, limits);
  const all: Value[] = [];
  for (let i = 0; i < times && items.length > 0; i++) for (const item of items) all.push(item);
  return Array.isArray(sequence) ? all : new Tuple(all);
}

function repeatText(text: string, times: number, limits: RenderLimits): string {
  if (text === '') return '';
  checkTextLength(text.length * times, limits);
  return text.repeat(times);
}

function cannotConcatenate(type: string, other: Value): PythonError {
  return new PythonError('TypeError', `can only concatenate ${type} (not "${typeName(other)}") to ${type}`);
}

function cannotAppend(other: Value): PythonError {
  return new PythonError('TypeError', `can't concat ${typeName(other)} to bytes`);
}

function unsupported(operator: Operator, left: Value, right: Value): PythonError {
  const shown = operator === '**' ? '** or pow()' : operator;
  return new PythonError(
    'TypeError',
    `unsupported operand type(s) for ${shown}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}
