/** These functions look up `x[key]` and `x[start:stop:step]`. */

import { repr } from '../print.ts';
import { Bytes } from '../text/bytes.ts';
import { codePointLength, codePointSlice, codePointStarts } from '../text/code-points.ts';
import { Markup } from '../text/markup.ts';
import { typeName } from '../type-name.ts';
import { PyObject, PythonError, type Value } from '../value.ts';
import { Dict } from './dict.ts';
import { Range } from './range.ts';
import { Slice, sliceBounds, sliceItems, wholeIndex, wrongIndex } from './slice.ts';
import { Tuple } from './tuple.ts';

/**
 * The item, or undefined where Python raises an IndexError, KeyError or TypeError: Jinja2 goes on to look for an
 * attribute then. Other errors, as of a slice with step 0, are thrown.
 */
export function getItem(value: Value, key: Value): Value | undefined {
  if (value instanceof Dict && typeof key === 'string') return value.get(key);
  if (typeof key === 'number' && Array.isArray(value)) return value[key < 0 ? key + value.length : key];
  try {
    return subscript(value, key);
  } catch (error) {
    if (error instanceof PythonError && MISSING.has(error.type)) return undefined;
    throw error;
  }
}

const MISSING: ReadonlySet<string> = new Set([
  'IndexError',
  'KeyError',
  'TypeError',
  'AttributeError',
  'LookupError',
]);

/** The item, with Python's error where there is none. */
export function subscript(value: Value, key: Value): Value {
  if (Array.isArray(value))
    return key instanceof Slice
      ? sliceItems(value, key)
      : (value[indexWithin(value.length, key, 'list')] as Value);
  if (typeof value === 'string') return textItem(value, key);
  if (value instanceof Tuple)
    return key instanceof Slice
      ? new Tuple(sliceItems(value.items as Value[], key))
      : (value.items[indexWithin(value.items.length, key, 'tuple')] as Value);
  if (value instanceof Markup) return new Markup(textItem(value.text, key));
  if (value instanceof Range) return rangeItem(value, key);
  if (value instanceof Bytes) return bytesItem(value, key);
  if (!(value instanceof PyObject) || value.item === undefined)
    throw new PythonError('TypeError', `'${typeName(value)}' object is not subscriptable`);
  const item = value.item(key);
  if (item === undefined) throw new PythonError('KeyError', repr(key));
  return item;
}

/** `value[slice]`, which raises in Jinja2 as it does in Python. */
export function sliceOf(value: Value, slice: Slice): Value {
  return subscript(value, slice);
}

function textItem(text: string, key: Value): string {
  const length = codePointLength(text);
  if (!(key instanceof Slice)) {
    const index = indexWithin(length, key, 'string');
    return codePointSlice(text, index, index + 1);
  }
  const { start, step, count } = sliceBounds(key, length);
  if (step === 1) return codePointSlice(text, start, start + count);
  const starts = codePointStarts(text);
  let taken = '';
  for (let i = 0; i < count; i++) {
    const at = start + i * step;
    taken += starts === undefined ? text.charAt(at) : text.slice(starts[at], starts[at + 1]);
  }
  return taken;
}

function rangeItem(range: Range, key: Value): Value {
  if (!(key instanceof Slice)) return range.at(indexWithin(range.count, key, 'range', 'range object index'));
  const { start, stop, step } = sliceBounds(key, range.count);
  return new Range(range.at(start), range.at(stop), range.step * step);
}

function bytesItem(bytes: Bytes, key: Value): Value {
  if (!(key instanceof Slice))
    return bytes.bytes[indexWithin(bytes.bytes.length, key, 'byte', 'index')] as number;
  return new Bytes(Uint8Array.from(sliceItems([...bytes.bytes], key)));
}

/** The index from 0, for an index that may count from the end. `what` names the sequence in errors. */
function indexWithin(length: number, key: Value, what: string, range = `${what} index`): number {
  const index = wholeIndex(key);
  if (index === undefined) throw wrongIndex(what, key);
  if (typeof index === 'bigint' && !(what === 'range' || fitsSize(index)))
    throw new PythonError('IndexError', "cannot fit 'int' into an index-sized integer");
  const from0 = index < 0 ? Number(index) + length : Number(index);
  if (from0 < 0 || from0 >= length) throw new PythonError('IndexError', `${range} out of range`);
  return from0;
}

function fitsSize(index: bigint): boolean {
  return BigInt.asIntN(64, index) === index;
}
