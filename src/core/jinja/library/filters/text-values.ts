/**
 * These are small steps that many filters share: a value as text, a method called by name, a list taken from any
 * iterable.
 */
import { positional } from '../../values/arguments.ts';
import { attributeOf, methodOf } from '../../values/attribute.ts';
import { checkItemCount, checkTextLength } from '../../values/bounds.ts';
import { each, knownLength } from '../../values/container/iterate.ts';
import { str } from '../../values/print.ts';
import { Markup, textOf } from '../../values/text/markup.ts';
import { typeName } from '../../values/type-name.ts';
import { PyObject, PythonError, type RenderContext, type Value } from '../../values/value.ts';

/** Text as it is, Markup too; anything else as it prints. */
export function softText(value: Value): string | Markup {
  return typeof value === 'string' || value instanceof Markup ? value : str(value);
}

/** The text of a str or Markup; a TypeError in the words of Python's `re` for anything else. */
export function textOrFail(value: Value): string {
  const text = textOf(value);
  if (text === undefined)
    throw new PythonError('TypeError', `expected string or bytes-like object, got '${typeName(value)}'`);
  return text;
}

/** Whether it says of itself that it is HTML. */
export function isHtml(value: Value): boolean {
  return value instanceof PyObject && value.html !== undefined;
}

/** `value.name(args)` as Python does it: an AttributeError where there is no such method. */
export function callMethod(value: Value, name: string, args: readonly Value[], render: RenderContext): Value {
  const known = methodOf(value, name);
  if (known !== undefined) return known(value, positional(...args), render);
  return render.call(attributeOrFail(value, name), positional(...args));
}

/** `value.name`, as Python's own code looks it up: what is not there is an AttributeError. */
export function attributeOrFail(value: Value, name: string): Value {
  const attribute = attributeOf(value, name);
  if (attribute === undefined)
    throw new PythonError('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
  return attribute;
}

/** `list(value)`, counted and bounded. A new array also for a list. */
export function takeAll(value: Value, render: RenderContext): Value[] {
  const known = knownLength(value);
  if (known !== undefined) checkItemCount(known, render.limits);
  if (Array.isArray(value)) {
    render.charge(value.length);
    return value.slice();
  }
  const items: Value[] = [];
  for (const item of counted(value, render)) {
    items.push(item);
    checkItemCount(items.length, render.limits);
  }
  return items;
}

/** Iterates lazily and charges one step for each item. */
export function* counted(value: Value, render: RenderContext): Generator<Value, void> {
  for (const item of each(value)) {
    render.charge(1);
    yield item;
  }
}

/** A text that was made, checked against the limit. */
export function bounded(text: string, render: RenderContext): string {
  checkTextLength(text.length, render.limits);
  return text;
}
