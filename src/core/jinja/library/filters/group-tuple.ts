import { Tuple } from '../../values/container/tuple.ts';
import type { Value } from '../../values/value.ts';

/** What `groupby` gives: a tuple of the common value and its items, which also go by names. */
export class GroupTuple extends Tuple {
  override attribute(name: string): Value | undefined {
    if (name === 'grouper') return this.items[0];
    if (name === 'list') return this.items[1];
    return super.attribute(name);
  }
  override attributeNames(): readonly string[] {
    return ['grouper', 'list', ...super.attributeNames()];
  }
}
