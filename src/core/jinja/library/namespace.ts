/** `namespace(a=1)` makes the one object whose attributes a template may set, `{% set ns.a = 2 %}`. */
import type { Dict } from '../values/container/dict.ts';
import { identityKey } from '../values/hash.ts';
import { PyObject, type Value } from '../values/value.ts';

export class Namespace extends PyObject {
  override readonly typeName = 'Namespace';
  private readonly attributes: Dict;

  constructor(attributes: Dict) {
    super();
    this.attributes = attributes;
  }

  /** For the statement `set`. */
  set(name: string, value: Value): void {
    this.attributes.set(name, value);
  }

  override attribute(name: string): Value | undefined {
    return this.attributes.get(name);
  }
  override attributeNames(): readonly string[] {
    return [...this.attributes.keys()].filter((key) => typeof key === 'string');
  }
  override repr(): string {
    return `<Namespace ${this.attributes.repr()}>`;
  }
  override hashKey(): string {
    return identityKey(this);
  }
}
