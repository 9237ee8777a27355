/** `flatten` is Salt's: lists within lists become one. */
import { isUndefined } from '../../render/undefined.ts';
import { checkItemCount } from '../../values/bounds.ts';
import { iteratorOf } from '../../values/container/iterate.ts';
import { textOf } from '../../values/text/markup.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { counted } from './text-values.ts';

/** How deep lists may nest; Python's own stack ends near a thousand. */
const DEPTH_MAX = 500;

export function flatten(data: Value, levels: number, keepNulls: boolean, render: RenderContext): Value[] {
  const flat: Value[] = [];
  // Salt takes a list that stands in two places for one that holds itself, too.
  const seen = new Set<Value>();
  const visit = (value: Value, depth: number): void => {
    if (seen.has(value))
      throw new PythonError('RecursionError', 'Reference cycle detected. Check input list.');
    if (depth > DEPTH_MAX) throw new PythonError('RecursionError', 'maximum recursion depth exceeded');
    seen.add(value);
    for (const item of counted(value, render)) {
      if (!keepNulls && isNull(item)) continue;
      if (depth < levels && isNested(item)) visit(item, depth + 1);
      else flat.push(item);
      checkItemCount(flat.length, render.limits);
    }
  };
  visit(data, 0);
  return flat;
}

function isNull(value: Value): boolean {
  return value === null || ['None', 'null'].includes(textOf(value) ?? '');
}

function isNested(value: Value): boolean {
  return textOf(value) === undefined && !isUndefined(value) && iteratorOf(value) !== undefined;
}
