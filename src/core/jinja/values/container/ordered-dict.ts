/** `OrderedDict` is Python's class of that name, which Salt's templates make with `odict()`: a dict that prints otherwise. */

import { sameItem } from '../compare.ts';
import { beginPrint, endPrint, reprPart } from '../print.ts';
import type { Value } from '../value.ts';
import { Dict } from './dict.ts';
import { Tuple } from './tuple.ts';

export class OrderedDict extends Dict {
  override readonly typeName = 'OrderedDict';

  override repr(): string {
    if (this.size === 0) return 'OrderedDict()';
    if (!beginPrint(this)) return '...';
    try {
      const pairs = Array.from(this.entries(), (pair) => reprPart(new Tuple(pair)));
      return `OrderedDict([${pairs.join(', ')}])`;
    } finally {
      endPrint();
    }
  }

  /** Among themselves the order counts, too. */
  override equals(other: Value): boolean {
    if (!super.equals(other)) return false;
    if (!(other instanceof OrderedDict)) return true;
    const keys = [...other.keys()];
    return [...this.keys()].every((key, index) => sameItem(key, keys[index] as Value));
  }
}
