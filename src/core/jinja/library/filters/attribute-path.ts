/**
 * These functions follow `attribute='a.b.0'` of sort, map, groupby and their kin, from an item to what the path names.
 */
import { isUndefined } from '../../render/undefined.ts';
import { textOf } from '../../values/text/markup.ts';
import type { RenderContext, Value } from '../../values/value.ts';
import { toInt } from './to-number.ts';

export type Getter = (item: Value) => Value;

/** What is missing becomes the fallback; None as the fallback means that it stays undefined, as in Jinja2. */
export function attributeGetter(attribute: Value, render: RenderContext, fallback: Value = null): Getter {
  const path = pathOf(attribute);
  if (path.length === 0) return (item) => item;
  if (path.length === 1 && fallback === null) {
    const [key] = path as [Value];
    return (item) => render.getItem(item, key);
  }
  return (item) => {
    let value = item;
    for (const key of path) {
      value = render.getItem(value, key);
      if (fallback !== null && isUndefined(value)) value = fallback;
    }
    return value;
  };
}

/** `attribute='a,b.c'` of sort: one getter for each. */
export function attributeGetters(attribute: Value, render: RenderContext): Getter[] {
  const text = textOf(attribute);
  if (text === undefined) return [attributeGetter(attribute, render)];
  return text.split(',').map((part) => attributeGetter(part, render));
}

function pathOf(attribute: Value): readonly Value[] {
  if (attribute === null) return [];
  const text = textOf(attribute);
  if (text === undefined) return [attribute];
  return text.split('.').map((part) => (/^\p{Nd}+$/u.test(part) ? toInt(part) : part));
}

/** What sorting and comparing look at, unless case matters. */
export function ignoringCase(value: Value): Value {
  return textOf(value)?.toLowerCase() ?? value;
}
