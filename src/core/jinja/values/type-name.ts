/** Names the type of a value as Python's `type(x).__name__` does, for error messages. */
import type { Value } from './value.ts';

export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'number':
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    default:
      if (value === null) return 'NoneType';
      return Array.isArray(value) ? 'list' : value.typeName;
  }
}
