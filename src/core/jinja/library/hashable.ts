import { Dict } from '../values/container/dict.ts';
import { PySet } from '../values/container/set.ts';
import type { Value } from '../values/value.ts';

/** Python's `isinstance(value, Hashable)`, which looks at the type only: lists, dicts and sets are not. */
export function isHashable(value: Value): boolean {
  return !Array.isArray(value) && !(value instanceof Dict) && !(value instanceof PySet);
}
