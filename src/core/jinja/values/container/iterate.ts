/** These functions are `iter()`, `len()`, `list()` and unpacking. */
import { codePointLength } from '../text/code-points.ts';
import { typeName } from '../type-name.ts';
import { PyObject, PythonError, type Value } from '../value.ts';

/** Live as in Python: a list that grows while it is iterated gives its new items too. */
export function iterate(value: Value): Iterator<Value> {
  const iterator = iteratorOf(value);
  if (iterator === undefined)
    throw new PythonError('TypeError', `'${typeName(value)}' object is not iterable`);
  return iterator;
}

/** As `iterate`, with undefined for what cannot be iterated. */
export function iteratorOf(value: Value): Iterator<Value> | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value[Symbol.iterator]();
  return value instanceof PyObject ? value.iterate?.() : undefined;
}

/** For `for (const item of each(value))`. */
export function each(value: Value): Iterable<Value> {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const iterator = iterate(value);
  return { [Symbol.iterator]: () => iterator };
}

/** `list(value)`: always a new array. */
export function toArray(value: Value): Value[] {
  return Array.isArray(value) ? value.slice() : [...each(value)];
}

/** `len(value)`. */
export function lengthOf(value: Value): number {
  const length = knownLength(value);
  if (length === undefined)
    throw new PythonError('TypeError', `object of type '${typeName(value)}' has no len()`);
  return length;
}

/** As `lengthOf`, with undefined for what has no length. */
export function knownLength(value: Value): number | undefined {
  if (typeof value === 'string') return codePointLength(value);
  if (Array.isArray(value)) return value.length;
  return value instanceof PyObject ? value.length?.() : undefined;
}

/** `a, b = value`. */
export function unpack(value: Value, count: number): readonly Value[] {
  if (Array.isArray(value) && value.length === count) return value;
  const iterator = iteratorOf(value);
  if (iterator === undefined)
    throw new PythonError('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  const items: Value[] = [];
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    if (items.length === count)
      throw new PythonError('ValueError', `too many values to unpack (expected ${count})`);
    items.push(next.value);
  }
  if (items.length < count)
    throw new PythonError(
      'ValueError',
      `not enough values to unpack (expected ${count}, got ${items.length})`,
    );
  return items;
}
