/**
 * `PySet` is Python's set, as far as a template meets one: what `dict.keys() - other` gives, and what the host hands
 * in. It prints in insertion order, where Python's order follows its hash.
 */
import { compared } from '../compare.ts';
import { reprItems } from '../print.ts';
import { type Operator, type OrderOperator, PyObject, type Value } from '../value.ts';
import { Dict } from './dict.ts';
import { each } from './iterate.ts';

/** What compares as a set: sets, and the keys and items of a dict. */
export abstract class SetLike extends PyObject {
  abstract override length(): number;
  abstract override iterate(): Iterator<Value>;
  abstract override contains(value: Value): boolean;

  override truthy(): boolean {
    return this.length() > 0;
  }
  override equals(other: Value): boolean {
    return other instanceof SetLike && other.length() === this.length() && isSubset(this, other);
  }
  override order(operator: OrderOperator, other: Value): boolean | undefined {
    if (!(other instanceof SetLike)) return undefined;
    const difference = this.length() - other.length();
    switch (operator) {
      case '<':
        return difference < 0 && isSubset(this, other);
      case '<=':
        return difference <= 0 && isSubset(this, other);
      case '>':
        return difference > 0 && isSubset(other, this);
      case '>=':
        return difference >= 0 && isSubset(other, this);
    }
  }
}

function isSubset(some: SetLike, all: SetLike): boolean {
  return compared(some.length(), () => {
    for (const item of each(some)) if (!all.contains(item)) return false;
    return true;
  });
}

export class PySet extends SetLike {
  override readonly typeName = 'set';
  /** The items are the keys; the values mean nothing. */
  private readonly items: Dict;

  constructor(items: Iterable<Value>) {
    super();
    this.items = new Dict();
    for (const item of items) this.items.set(item, null);
  }

  override repr(): string {
    if (this.length() === 0) return 'set()';
    return reprItems(this, this.items.keys(), '{', '}', 'set(...)');
  }
  override length(): number {
    return this.items.size;
  }
  override iterate(): Iterator<Value> {
    return this.items.keys();
  }
  override contains(value: Value): boolean {
    return this.items.has(value);
  }
  /** Between sets only; the views of a dict take any iterable. */
  override operate(operator: Operator, other: Value, reflected: boolean): Value | undefined {
    if (operator !== '-' || reflected || !(other instanceof PySet)) return undefined;
    return difference(this, other);
  }
}

/** `first - second`, each any iterable. */
export function difference(first: Value, second: Value): PySet {
  const left = new PySet(each(first));
  const right = new PySet(each(second));
  return new PySet([...each(left)].filter((item) => !right.contains(item)));
}
