/**
 * `undefinedInside` finds what is undefined in data that a filter is about to write: Salt's serializers then answer with
 * an undefined value that names all of it, so that `default` still helps.
 */
import { isUndefined, type Undefined } from '../../render/undefined.ts';
import { Dict } from '../../values/container/dict.ts';
import { Tuple } from '../../values/container/tuple.ts';
import type { RenderContext, Value } from '../../values/value.ts';
import type { LibraryFunction } from '../library-function.ts';

/** The filter, which answers for undefined values before it looks at anything else. Salt knows only strict ones. */
export function strictOnly(filter: LibraryFunction): LibraryFunction {
  return {
    ...filter,
    call: (input, args, render) => undefinedInside(input, render) ?? filter.call(input, args, render),
  };
}

function undefinedInside(value: Value, render: RenderContext): Value | undefined {
  const found: Undefined[] = [];
  collect(value, new Set(), found);
  if (found.length === 0) return undefined;
  return render.undefined({ message: found.map(({ message }) => message).join('\n') });
}

function collect(value: Value, seen: Set<object>, found: Undefined[]): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (isUndefined(value)) {
    if (value.typeName === 'StrictUndefined') found.push(value);
  } else if (value instanceof Dict) for (const item of value.values()) collect(item, seen, found);
  else if (Array.isArray(value) || value instanceof Tuple)
    for (const item of Array.isArray(value) ? value : value.items) collect(item, seen, found);
}
