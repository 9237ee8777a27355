/** `Tuple` is Python's tuple. Its methods are in `list-methods.ts`. */
import { hasItem, orderItems, sameTupleItems } from '../compare.ts';
import { hashKeyOfAll } from '../hash.ts';
import { reprItems } from '../print.ts';
import { type OrderOperator, PyObject, type Value } from '../value.ts';

export class Tuple extends PyObject {
  override readonly typeName: string = 'tuple';
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  override repr(): string {
    return reprItems(this, this.items, '(', this.items.length === 1 ? ',)' : ')', '(...)');
  }
  override truthy(): boolean {
    return this.items.length > 0;
  }
  override length(): number {
    return this.items.length;
  }
  override iterate(): Iterator<Value> {
    return this.items[Symbol.iterator]();
  }
  override contains(value: Value): boolean {
    return hasItem(this.items, value);
  }
  override equals(other: Value): boolean {
    return other instanceof Tuple && sameTupleItems(this.items, other.items);
  }
  override order(operator: OrderOperator, other: Value): boolean | undefined {
    return other instanceof Tuple ? orderItems(operator, this.items, other.items) : undefined;
  }
  /** Throws where an item has no hash: Python names the item's type, not the tuple's. */
  override hashKey(): string {
    return `tuple:${hashKeyOfAll(this.items)}`;
  }
}
