/**
 * These views are `dict.keys()`, `.values()` and `.items()`: live, not copies. Keys and items are sets, values are not.
 */
import { sameItem } from '../compare.ts';
import { identityKey } from '../hash.ts';
import { reprItems } from '../print.ts';
import { type Operator, PyObject, type Value } from '../value.ts';
import type { Dict } from './dict.ts';
import { each } from './iterate.ts';
import { difference, SetLike } from './set.ts';
import { Tuple } from './tuple.ts';

/** A view that is a set: it compares as one, and `-` leaves out what the other side has. */
abstract class SetLikeView extends SetLike {
  readonly dict: Dict;

  constructor(dict: Dict) {
    super();
    this.dict = dict;
  }

  override repr(): string {
    return reprItems(this, each(this), `${this.typeName}([`, '])', '...');
  }
  override length(): number {
    return this.dict.size;
  }
  override attribute(name: string): Value | undefined {
    return name === 'mapping' ? new MappingProxy(this.dict) : undefined;
  }
  override attributeNames(): readonly string[] {
    return ['mapping'];
  }
  override operate(operator: Operator, other: Value, reflected: boolean): Value | undefined {
    if (operator !== '-') return undefined;
    return reflected ? difference(other, this) : difference(this, other);
  }
}

export class DictKeys extends SetLikeView {
  override readonly typeName = 'dict_keys';

  override iterate(): Iterator<Value> {
    return this.dict.keys();
  }
  override contains(value: Value): boolean {
    return this.dict.has(value);
  }
}

export class DictItems extends SetLikeView {
  override readonly typeName = 'dict_items';

  override iterate(): Iterator<Value> {
    const entries = this.dict.entries();
    return {
      next: () => {
        const { done, value } = entries.next();
        return done === true ? { done, value: undefined } : { done: false, value: new Tuple(value) };
      },
    };
  }
  override contains(value: Value): boolean {
    if (!(value instanceof Tuple) || value.items.length !== 2) return false;
    const found = this.dict.get(value.items[0] as Value);
    return found !== undefined && sameItem(found, value.items[1] as Value);
  }
}

export class DictValues extends PyObject {
  override readonly typeName = 'dict_values';
  readonly dict: Dict;

  constructor(dict: Dict) {
    super();
    this.dict = dict;
  }

  override repr(): string {
    return reprItems(this, this.dict.values(), 'dict_values([', '])', '...');
  }
  override truthy(): boolean {
    return this.dict.size > 0;
  }
  override length(): number {
    return this.dict.size;
  }
  override iterate(): Iterator<Value> {
    return this.dict.values();
  }
  override attribute(name: string): Value | undefined {
    return name === 'mapping' ? new MappingProxy(this.dict) : undefined;
  }
  override attributeNames(): readonly string[] {
    return ['mapping'];
  }
  override hashKey(): string {
    return identityKey(this);
  }
}

/** The dict that a view belongs to, to look at but not to change. */
export class MappingProxy extends PyObject {
  override readonly typeName = 'mappingproxy';
  readonly dict: Dict;

  constructor(dict: Dict) {
    super();
    this.dict = dict;
  }

  override str(): string {
    return this.dict.repr();
  }
  override repr(): string {
    return `mappingproxy(${this.dict.repr()})`;
  }
  override truthy(): boolean {
    return this.dict.truthy();
  }
  override length(): number {
    return this.dict.size;
  }
  override iterate(): Iterator<Value> {
    return this.dict.keys();
  }
  override item(key: Value): Value | undefined {
    return this.dict.get(key);
  }
  override contains(key: Value): boolean {
    return this.dict.has(key);
  }
  override equals(other: Value): boolean {
    return this.dict.equals(other instanceof MappingProxy ? other.dict : other);
  }
}
