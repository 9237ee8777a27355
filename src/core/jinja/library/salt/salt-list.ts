/**
 * These are Salt's filters for lists. The set operations give a list for lists, and a set for tuples and texts, as in
 * Salt; here also a set keeps the order of the items.
 */

import { contains, lessThan, order } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { each, iteratorOf, lengthOf } from '../../values/container/iterate.ts';
import { Range } from '../../values/container/range.ts';
import { PySet } from '../../values/container/set.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { sizeOf } from '../../values/native.ts';
import { binary } from '../../values/number/arithmetic.ts';
import { Float } from '../../values/number/float.ts';
import { Bytes } from '../../values/text/bytes.ts';
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
import { encodeUtf8 } from '../utf8.ts';
import { pythonRandom, type RandomBelow, sample, sampleOfCopy } from './python-random.ts';
import { hexText } from './salt-hash.ts';

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
    signature('exactly_n', ['iterable', ['amount', 1]]),
    ([items, amount], render) => takeAll(items, render).filter(truthy).length === sizeOf(amount),
  ),
  saltFilter(
    'exactly_one_true',
    signature('exactly_one', ['iterable']),
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
    ([value, size, seed], render) => sampled(value, sizeOf(size), seed, 'random_sample', render),
  ),
  saltFilter('random_shuffle', signature('shuffle', ['value', ['seed', null]]), ([value, seed], render) =>
    sampled(value, lengthOf(value), seed, 'random_shuffle', render),
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
  // A set is made of both, which fails for what cannot be in one.
  const [first, second] = [new PySet(takeAll(a, render)), new PySet(takeAll(b, render))];
  return new PySet(operate([...each(first)], [...each(second)], render));
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

/** By chance of the host, or by a seed: then what Salt takes by the same seed. */
function sampled(value: Value, count: number, seed: Value, filter: string, render: RenderContext): Value[] {
  if (!isSequence(value))
    throw new PythonError('TypeError', 'Population must be a sequence.  For dicts or sets, use sorted(d).');
  const items = takeAll(value, render);
  const below = randomBelow(seed, filter, render);
  if (count < 0 || count > items.length)
    throw new PythonError('ValueError', 'Sample larger than population or is negative');
  return (seed === null ? sampleOfCopy : sample)(items, count, below);
}

function randomBelow(seed: Value, filter: string, render: RenderContext): RandomBelow {
  if (seed === null) {
    const random = needed(render.host.random, 'random', `the filter '${filter}' without a seed`);
    return (end) => Math.floor(random() * end);
  }
  const text = textOf(seed);
  if (text === undefined && !(seed instanceof Bytes))
    throw new PythonError('TypeError', 'object supporting the buffer API required');
  const digest = needed(render.host.digest, 'digest', `the filter '${filter}' with a seed`);
  const sha512 = (bytes: Uint8Array) => digest('sha512', bytes);
  // Salt seeds with the hash of the seed, as text.
  const hash = sha512(text === undefined ? (seed as Bytes).bytes : encodeUtf8(text));
  return pythonRandom(encodeUtf8(hexText(hash)), sha512);
}

function isSequence(value: Value): boolean {
  return (
    Array.isArray(value) ||
    value instanceof Tuple ||
    value instanceof Range ||
    value instanceof Bytes ||
    textOf(value) !== undefined
  );
}
