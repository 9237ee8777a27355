/**
 * `ValueSet` remembers which values were seen, by Python's equality. Values with a hash are found at once; lists and
 * dicts, which have none, are compared one by one, and every comparison is counted.
 */
import { equals } from '../../values/compare.ts';
import { type HashKey, hashKey } from '../../values/hash.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';

export class ValueSet {
  private readonly render: RenderContext;
  private readonly keys = new Set<HashKey>();
  private readonly others: Value[] = [];

  constructor(render: RenderContext, values: Iterable<Value> = []) {
    this.render = render;
    for (const value of values) this.add(value);
  }

  /** Whether it is new. */
  add(value: Value): boolean {
    if (this.has(value)) return false;
    const key = keyOf(value);
    if (key === undefined) this.others.push(value);
    else this.keys.add(key);
    return true;
  }

  has(value: Value): boolean {
    const key = keyOf(value);
    if (key !== undefined) return this.keys.has(key);
    this.render.charge(this.others.length);
    return this.others.some((other) => equals(other, value));
  }
}

function keyOf(value: Value): HashKey | undefined {
  try {
    return hashKey(value);
  } catch (error) {
    if (error instanceof PythonError && error.type === 'TypeError') return undefined;
    throw error;
  }
}
