/** These functions are `==`, `<` and its kin, and `in`, with Python's rules and its TypeErrors. */
import { Walk } from './bounds.ts';
import { iteratorOf } from './container/iterate.ts';
import { Float } from './number/float.ts';
import { compareText } from './text/code-points.ts';
import { Markup, textOf } from './text/markup.ts';
import { typeName } from './type-name.ts';
import { type OrderOperator, PyObject, PythonError, type Value } from './value.ts';

/** Items that one comparison may touch. */
const ITEMS_MAX = 1 << 22;
const walk = new Walk(' in comparison', ITEMS_MAX);

/** `a == b`. */
export function equals(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b;
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  const left = numberOf(a);
  if (left !== undefined) {
    const right = numberOf(b);
    if (right !== undefined) return left <= right && left >= right;
  }
  if (a instanceof PyObject) return objectEquals(a, b);
  if (b instanceof PyObject) return objectEquals(b, a);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return a === b;
}

function objectEquals(object: PyObject, other: Value): boolean {
  if (object instanceof Markup) {
    const text = textOf(other);
    if (text !== undefined) return object.text === text;
  }
  if (object.equals(other)) return true;
  return other instanceof PyObject && other.constructor !== object.constructor && other.equals(object);
}

/** How a container compares what it holds: the same object is always equal to itself, even where `==` says no (NaN). */
export function sameItem(a: Value, b: Value): boolean {
  return a === b || equals(a, b);
}

export function sameItems(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.length !== b.length) return false;
  return compared(a.length, () => {
    for (let i = 0; i < a.length; i++) if (!sameItem(a[i] as Value, b[i] as Value)) return false;
    return true;
  });
}

/** As `sameItems` for tuples: Python looks at the items of lists only if there are as many, but always at those of tuples. */
export function sameTupleItems(a: readonly Value[], b: readonly Value[]): boolean {
  const shared = Math.min(a.length, b.length);
  return compared(shared, () => {
    for (let i = 0; i < shared; i++) if (!sameItem(a[i] as Value, b[i] as Value)) return false;
    return a.length === b.length;
  });
}

/** Runs the comparison of a container's `work` items, bounded in depth and work. */
export function compared<T>(work: number, compare: () => T): T {
  walk.enter();
  try {
    walk.charge(work);
    return compare();
  } finally {
    walk.leave();
  }
}

/** int, float and bool as a JavaScript number or bigint, which compare exactly with each other. */
function numberOf(value: Value): number | bigint | undefined {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    default:
      return value instanceof Float ? value.value : undefined;
  }
}

/** `a < b` and its kin. */
export function order(operator: OrderOperator, a: Value, b: Value): boolean {
  const left = numberOf(a);
  if (left !== undefined) {
    const right = numberOf(b);
    if (right !== undefined) return orderNumbers(operator, left, right);
  }
  const leftText = textOf(a);
  if (leftText !== undefined) {
    const rightText = textOf(b);
    if (rightText !== undefined) return orderSign(operator, compareText(leftText, rightText));
  }
  if (Array.isArray(a) && Array.isArray(b)) return orderItems(operator, a, b);
  const result = orderObjects(operator, a, b);
  if (result === undefined)
    throw new PythonError(
      'TypeError',
      `'${operator}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`,
    );
  return result;
}

/** `a < b`, which is all that sorting needs. */
export function lessThan(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return order('<', a, b);
}

const MIRRORED: Readonly<Record<OrderOperator, OrderOperator>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function orderObjects(operator: OrderOperator, a: Value, b: Value): boolean | undefined {
  const result = a instanceof PyObject ? a.order?.(operator, b) : undefined;
  if (result !== undefined || !(b instanceof PyObject)) return result;
  return b.order?.(MIRRORED[operator], a);
}

function orderNumbers(operator: OrderOperator, a: number | bigint, b: number | bigint): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

/** What the operator says of two values whose order has this sign. */
export function orderSign(operator: OrderOperator, sign: number): boolean {
  return orderNumbers(operator, sign, 0);
}

/** Lists and tuples: by the first items that differ, else by length. */
export function orderItems(operator: OrderOperator, a: readonly Value[], b: readonly Value[]): boolean {
  const shared = Math.min(a.length, b.length);
  return compared(shared, () => {
    for (let i = 0; i < shared; i++) {
      const left = a[i] as Value;
      const right = b[i] as Value;
      if (!sameItem(left, right)) return order(operator, left, right);
    }
    return orderNumbers(operator, a.length, b.length);
  });
}

/** Whether a list or tuple holds an item that is equal. */
export function hasItem(items: readonly Value[], item: Value): boolean {
  for (let i = 0; i < items.length; i++) if (sameItem(items[i] as Value, item)) return true;
  return false;
}

/** `item in container`. */
export function contains(container: Value, item: Value): boolean {
  const text = textOf(container);
  if (text !== undefined) {
    const part = textOf(item);
    if (part === undefined)
      throw new PythonError(
        'TypeError',
        `'in <string>' requires string as left operand, not ${typeName(item)}`,
      );
    return text.includes(part);
  }
  if (Array.isArray(container)) return hasItem(container, item);
  if (container instanceof PyObject && container.contains !== undefined) return container.contains(item);
  const iterator = iteratorOf(container);
  if (iterator === undefined)
    throw new PythonError('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  for (let next = iterator.next(); !next.done; next = iterator.next())
    if (sameItem(next.value, item)) return true;
  return false;
}
