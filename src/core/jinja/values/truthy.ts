/** Python's `bool(value)`: what counts as true in an `if`. */
import { PyObject, type Value } from './value.ts';

export function truthy(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    default:
      if (value === null) return false;
      return value instanceof PyObject ? value.truthy() : value.length > 0;
  }
}
