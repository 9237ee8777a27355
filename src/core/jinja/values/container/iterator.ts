/** `PyIterator` stands for Python's iterators and generators: lazy, consumed once, printed by their type. */
import { identityKey } from '../hash.ts';
import { ADDRESS } from '../print.ts';
import { PyObject, type Value } from '../value.ts';

export class PyIterator extends PyObject {
  override readonly typeName: string;
  private readonly iterator: Iterator<Value>;
  private readonly reprText: string;

  /** `typeName` is Python's, for instance `list_reverseiterator`. */
  constructor(typeName: string, items: Iterable<Value>, repr = `<${typeName} object at ${ADDRESS}>`) {
    super();
    this.typeName = typeName;
    this.iterator = items[Symbol.iterator]();
    this.reprText = repr;
  }

  override repr(): string {
    return this.reprText;
  }
  /** The same iterator every time: what was taken does not come back. */
  override iterate(): Iterator<Value> {
    // Only `next` is handed out, so that a loop that stops early does not close the generator.
    return { next: () => this.iterator.next() };
  }
  override hashKey(): string {
    return identityKey(this);
  }
}

/** A generator, as many of Jinja2's filters return one; `name` is the Python function that made it. */
export function generator(name: string, items: Iterable<Value>): PyIterator {
  return new PyIterator('generator', items, `<generator object ${name} at ${ADDRESS}>`);
}
