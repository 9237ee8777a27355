/**
 * These are Salt's filters for lists. The set operations give a list for lists, and a set for tuples and texts, as in
 * Salt; here also a set keeps the order of the items.
 */

import { contains, lessThan, order } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { iteratorOf } from '../../values/container/iterate.ts';
import { PySet } from '../../values/container/set.ts';
import { sizeOf } from '../../values/native.ts';
import { binary } from '../../values/number/arithmetic.ts';
import { Float } from '../../values/number/float.ts';
import { repr } from '../../values/print.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { flatten } from '../filters/flatten.ts';
import { sortKeyed } from '../filters/sort-values.ts';
import { callMethod, counted, takeAll } from '../filters/text-values.ts';
import { toFloat } from '../filters/to-number.ts';
import { ValueSet } from '../filters/value-set.ts';
import { isHashable } from '../hashable.ts';
import { needed } from '../host-need.ts';
import { type LibraryFunction, saltFilter, signature } from '../library-function.ts';

export const SALT_LIST_FILTERS: readonly LibraryFunction[] = [
  saltFilter('avg', signature('lst_avg', ['lst']), ([list], render) => average(list, render)),
  saltFilter(
    'compare_lists',
    signature('compare_lists', [
      ['old', null],
      ['new', null],
    ]),
    ([old, now], render) => {
      const changes = new Dict();
      const added = without(now, old, render);
      const removed = without(old, now, render);
      if (added.length > 0) changes.set('new', added);
      if (removed.length > 0) changes.set('old', removed);
      return changes;
    },
  ),
  saltFilter('difference', signature('difference', ['lst1', 'lst2']), ([a, b], render) =>
    setOperation(a, b, render, without),
  ),
  saltFilter(
    'exactly_n_true',
    signature('exactly_n_true', ['iterable', ['amount', 1]]),
    ([items, amount], render) => takeAll(items, render).filter(truthy).length === sizeOf(amount),
  ),
  saltFilter(
    'exactly_one_true',
    signature('exactly_one_true', ['iterable']),
    ([items], render) => takeAll(items, render).filter(truthy).length === 1,
  ),
  saltFilter(
    'flatten',
    signature('flatten', ['data', ['levels', null], ['preserve_nulls', false]]),
    ([data, levels, preserveNulls], render) =>
      flatten(data, levels === null ? Infinity : sizeOf(levels), truthy(preserveNulls), render),
  ),
  saltFilter('intersect', signature('intersect', ['lst1', 'lst2']), ([a, b], render) =>
    setOperation(a, b, render, within),
  ),
  saltFilter(
    'is_iter',
    signature('is_iter', ['thing']),
    ([thing]) => textOf(thing) === undefined && iteratorOf(thing) !== undefined,
  ),
  saltFilter('is_list', signature('is_list', ['value']), ([value]) => Array.isArray(value)),
  saltFilter(
    'random_sample',
    signature('sample', ['value', 'size', ['seed', null]]),
    ([value, size, seed], render) => {
      const items = takeAll(value, render);
      const count = sizeOf(size);
      if (count < 0 || count > items.length)
        throw new PythonError('ValueError', 'Sample larger than population or is negative');
      return shuffled(items, seed, 'random_sample', render).slice(0, count);
    },
  ),
  saltFilter('random_shuffle', signature('shuffle', ['value', ['seed', null]]), ([value, seed], render) =>
    shuffled(takeAll(value, render), seed, 'random_shuffle', render),
  ),
  saltFilter('sorted_ignorecase', signature('sorted_ignorecase', ['to_sort']), ([values], render) => {
    const keyed = takeAll(values, render).map((item) => ({
      item,
      key: callMethod(item, 'lower', [], render),
    }));
    sortKeyed(keyed, lessThan, false);
    return keyed.map(({ item }) => item);
  }),
  saltFilter('symmetric_difference', signature('symmetric_difference', ['lst1', 'lst2']), ([a, b], render) =>
    setOperation(a, b, render, symmetricDifference),
  ),
  saltFilter('union', signature('union', ['lst1', 'lst2']), ([a, b], render) => union(a, b, render)),
  saltFilter('unique', signature('unique', ['values']), ([values], render) => {
    const items = takeAll(values, render);
    return isHashable(values) ? new PySet(items) : once(items, render);
  }),
  saltFilter('max', signature('lst_max', ['obj']), ([items], render) =>
    outermost('max', items, (item, best) => order('>', item, best), render),
  ),
  saltFilter('min', signature('lst_min', ['obj']), ([items], render) =>
    outermost('min', items, lessThan, render),
  ),
];

/** Python's own `min` and `max`: the first of the items that no other beats. */
function outermost(
  name: string,
  items: Value,
  beats: (item: Value, best: Value) => boolean,
  render: RenderContext,
): Value {
  let best: Value | undefined;
  for (const item of counted(items, render)) if (best === undefined || beats(item, best)) best = item;
  if (best === undefined) throw new PythonError('ValueError', `${name}() arg is an empty sequence`);
  return best;
}

function once(items: readonly Value[], render: RenderContext): Value[] {
  const seen = new ValueSet(render);
  return items.filter((item) => seen.add(item));
}

/** Whether an item is in `others`, by Python's `in`; for lists by hash, so that two long ones are compared quickly. */
function membership(others: Value, render: RenderContext): (item: Value) => boolean {
  if (!Array.isArray(others)) return (item) => contains(others, item);
  const known = new ValueSet(render, others);
  return (item) => known.has(item);
}

function without(a: Value, b: Value, render: RenderContext): Value[] {
  const isKnown = membership(b, render);
  return takeAll(a, render).filter((item) => !isKnown(item));
}

function within(a: Value, b: Value, render: RenderContext): Value[] {
  return takeAll(a, render).filter(membership(b, render));
}

type SetOperation = (a: Value, b: Value, render: RenderContext) => Value[];

function setOperation(a: Value, b: Value, render: RenderContext, operate: SetOperation): Value {
  if (!isHashable(a) || !isHashable(b)) return once(operate(a, b, render), render);
  return new PySet(operate(takeAll(a, render), takeAll(b, render), render));
}

/** What is in one of two, but not in both. */
function symmetricDifference(a: Value, b: Value, render: RenderContext): Value[] {
  return without(union(a, b, render), within(a, b, render), render);
}

/** Two lists are added, which fails where only one of the two is a list. */
function union(a: Value, b: Value, render: RenderContext): Value {
  if (isHashable(a) && isHashable(b)) return new PySet([...takeAll(a, render), ...takeAll(b, render)]);
  return once(takeAll(binary('+', a, b, render.limits), render), render);
}

function average(list: Value, render: RenderContext): Value {
  if (isHashable(list)) return new Float(toFloat(list));
  let sum: Value = 0;
  let count = 0;
  for (const item of counted(list, render)) {
    sum = binary('+', sum, item, render.limits);
    count += 1;
  }
  return new Float(toFloat(binary('/', sum, count, render.limits)));
}

/** By chance of the host, or by a seed: then always the same, though not in Python's order. */
function shuffled(items: Value[], seed: Value, filter: string, render: RenderContext): Value[] {
  const random =
    seed === null
      ? needed(render.host.random, 'random', `the filter '${filter}' without a seed`)
      : seededRandom(repr(seed));
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const moved = items[last] as Value;
    items[last] = items[other] as Value;
    items[other] = moved;
  }
  return items;
}

/** Numbers in [0, 1) that follow from a text: the same text gives the same numbers, now and later. */
function seededRandom(seed: string): () => number {
  // FNV-1a over the text, then a 32-bit counter that is mixed at every step.
  let state = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
