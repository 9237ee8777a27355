/**
 * These filters are map, select, reject and their attr forms: lazy, and nothing is checked before the first item is
 * asked for.
 */

import { each } from '../../values/container/iterate.ts';
import { generator } from '../../values/container/iterator.ts';
import { hashKey } from '../../values/hash.ts';
import { repr } from '../../values/print.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { type Arguments, PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { type LibraryFunction, wrongArgument } from '../library-function.ts';
import { attributeGetter, type Getter } from './attribute-path.ts';

export const SELECT_FILTERS: readonly LibraryFunction[] = [
  {
    name: 'map',
    origin: 'jinja',
    call: (input, args, render) => generator('sync_do_map', map(input, args, render)),
  },
  selection('reject', { keeps: false, attribute: false }),
  selection('rejectattr', { keeps: false, attribute: true }),
  selection('select', { keeps: true, attribute: false }),
  selection('selectattr', { keeps: true, attribute: true }),
];

function selection(
  name: string,
  kind: { readonly keeps: boolean; readonly attribute: boolean },
): LibraryFunction {
  return {
    name,
    origin: 'jinja',
    call: (input, args, render) => generator('select_or_reject', select(input, args, kind, render)),
  };
}

function* map(input: Value, args: Arguments, render: RenderContext): Generator<Value, void> {
  if (!truthy(input)) return;
  const change = mapping(args, render);
  for (const item of each(input)) {
    render.charge(1);
    yield change(item);
  }
}

/** Either `attribute=` alone, or the name of a filter with its arguments. */
function mapping(args: Arguments, render: RenderContext): Getter {
  const attribute = args.named.get('attribute');
  if (args.positional.length === 0 && attribute !== undefined) {
    for (const name of args.named.keys())
      if (name !== 'attribute' && name !== 'default')
        throw wrongArgument(`Unexpected keyword argument ${repr(name)}`);
    return attributeGetter(attribute, render, args.named.get('default'));
  }
  const [filter, ...rest] = args.positional;
  if (filter === undefined) throw wrongArgument('map requires a filter argument');
  const further = { positional: rest, named: args.named };
  return (item) => render.callFilter(nameOf(filter, 'filter'), item, further);
}

function* select(
  input: Value,
  args: Arguments,
  kind: { readonly keeps: boolean; readonly attribute: boolean },
  render: RenderContext,
): Generator<Value, void> {
  if (!truthy(input)) return;
  const decide = decision(args, kind.attribute, render);
  for (const item of each(input)) {
    render.charge(1);
    if (decide(item) === kind.keeps) yield item;
  }
}

/** The truth of the item, or of its attribute, or what a test says of it. */
function decision(args: Arguments, byAttribute: boolean, render: RenderContext): (item: Value) => boolean {
  const [attribute, ...afterAttribute] = args.positional;
  if (byAttribute && attribute === undefined) throw wrongArgument('Missing parameter for attribute name');
  const get = byAttribute && attribute !== undefined ? attributeGetter(attribute, render) : undefined;
  const [test, ...rest] = byAttribute ? afterAttribute : args.positional;
  const further = { positional: rest, named: args.named };
  const holds =
    test === undefined
      ? truthy
      : (item: Value): boolean => render.callTest(nameOf(test, 'test'), item, further);
  return get === undefined ? holds : (item) => holds(get(item));
}

function nameOf(value: Value, what: 'filter' | 'test'): string {
  const name = textOf(value);
  if (name !== undefined) return name;
  // Python looks the value up in a dict of names, so it must have a hash.
  hashKey(value);
  throw new PythonError('TemplateRuntimeError', `No ${what} named ${repr(value)}.`);
}
