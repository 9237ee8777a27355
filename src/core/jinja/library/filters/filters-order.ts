/** These filters compare items: sorting, grouping and sums. */

import { equals, lessThan, sameItem } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { iterate, toArray } from '../../values/container/iterate.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { sizeOf } from '../../values/native.ts';
import { add } from '../../values/number/arithmetic.ts';
import { Bytes } from '../../values/text/bytes.ts';
import { compareText } from '../../values/text/code-points.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import {
  type Bound,
  jinjaFilter,
  type LibraryFunction,
  signature,
  wrongArgument,
} from '../library-function.ts';
import { attributeGetter, attributeGetters, type Getter, ignoringCase } from './attribute-path.ts';
import { sortKeyed } from './sort-values.ts';
import { callMethod, takeAll } from './text-values.ts';

export const ORDER_FILTERS: readonly LibraryFunction[] = [
  jinjaFilter(
    'dictsort',
    signature('do_dictsort', ['value', ['case_sensitive', false], ['by', 'key'], ['reverse', false]]),
    dictsort,
  ),
  jinjaFilter(
    'groupby',
    signature(
      'sync_do_groupby',
      ['value', 'attribute', ['default', null], ['case_sensitive', false]],
      'environment',
    ),
    groupby,
  ),
  jinjaFilter(
    'sort',
    signature(
      'do_sort',
      ['value', ['reverse', false], ['case_sensitive', false], ['attribute', null]],
      'environment',
    ),
    sort,
  ),
  jinjaFilter(
    'sum',
    signature('sync_do_sum', ['iterable', ['attribute', null], ['start', 0]], 'environment'),
    sum,
  ),
];

function keyGetter(attribute: Value, caseSensitive: Value, render: RenderContext, fallback?: Value): Getter {
  const get = attributeGetter(attribute, render, fallback);
  return truthy(caseSensitive) ? get : (item) => ignoringCase(get(item));
}

/** A sort asks about as many questions as there are items, times the logarithm of their number. */
function chargeSort(count: number, render: RenderContext): void {
  render.charge(count * Math.ceil(Math.log2(count + 1)));
}

function sort([value, reverse, caseSensitive, attribute]: Bound, render: RenderContext): Value {
  const getters = attributeGetters(attribute, render);
  const items = takeAll(value, render);
  const isReverse = sizeOf(reverse, 'int') !== 0;
  chargeSort(items.length, render);
  const see: Getter = truthy(caseSensitive) ? (key) => key : ignoringCase;
  const [get] = getters;
  if (get !== undefined && getters.length === 1) {
    const keyed = items.map((item) => ({ item, key: see(get(item)) }));
    sortKeyed(keyed, lessOrSame, isReverse);
    return keyed.map(({ item }) => item);
  }
  const keyed = items.map((item) => ({ item, key: getters.map((part) => see(part(item))) }));
  sortKeyed(keyed, lessList, isReverse);
  return keyed.map(({ item }) => item);
}

/** As Python compares lists of one item each: only what is not the same is ordered. */
function lessOrSame(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b) < 0;
  return !sameItem(a, b) && lessThan(a, b);
}

/** As Python compares two lists of the same length: by the first items that differ. */
function lessList(a: readonly Value[], b: readonly Value[]): boolean {
  for (let i = 0; i < a.length; i++) {
    const left = a[i] as Value;
    const right = b[i] as Value;
    if (!sameItem(left, right)) return lessThan(left, right);
  }
  return false;
}

function dictsort([value, caseSensitive, by, reverse]: Bound, render: RenderContext): Value {
  const position = equals(by, 'key') ? 0 : equals(by, 'value') ? 1 : undefined;
  if (position === undefined) throw wrongArgument('You can only sort by either "key" or "value"');
  const items = value instanceof Dict ? pairsOf(value) : toArray(callMethod(value, 'items', [], render));
  const isReverse = sizeOf(reverse, 'int') !== 0;
  render.charge(items.length);
  chargeSort(items.length, render);
  const sensitive = truthy(caseSensitive);
  const keyed = items.map((item) => {
    const part = item instanceof Tuple ? (item.items[position] as Value) : render.getItem(item, position);
    return { item, key: sensitive ? part : ignoringCase(part) };
  });
  sortKeyed(keyed, lessThan, isReverse);
  return keyed.map(({ item }) => item);
}

function pairsOf(dict: Dict): Value[] {
  return Array.from(dict.entries(), (pair) => new Tuple(pair));
}

function groupby([value, attribute, fallback, caseSensitive]: Bound, render: RenderContext): Value {
  const get = keyGetter(attribute, caseSensitive, render, fallback);
  const keyed = takeAll(value, render).map((item) => ({ item, key: get(item) }));
  chargeSort(keyed.length, render);
  sortKeyed(keyed, lessThan, false);
  // The group is named as its first item spells it, not in lower case.
  const name = attributeGetter(attribute, render, fallback);
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  for (const { item, key } of keyed) {
    const group = groups.at(-1);
    if (group !== undefined && sameItem(group.key, key)) group.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map(({ items }) => new GroupTuple([name(items[0] as Value), items]));
}

function sum([iterable, attribute, start]: Bound, render: RenderContext): Value {
  const items = iterate(iterable);
  if (textOf(start) !== undefined)
    throw new PythonError('TypeError', "sum() can't sum strings [use ''.join(seq) instead]");
  if (start instanceof Bytes)
    throw new PythonError('TypeError', "sum() can't sum bytes [use b''.join(seq) instead]");
  const get: Getter = attribute === null ? (item) => item : attributeGetter(attribute, render);
  let total = start;
  for (let next = items.next(); !next.done; next = items.next()) {
    render.charge(1);
    total = add(total, get(next.value), render.limits);
  }
  return total;
}

/** What `groupby` gives: a tuple of the common value and its items, which also go by names. */
class GroupTuple extends Tuple {
  override attribute(name: string): Value | undefined {
    if (name === 'grouper') return this.items[0];
    if (name === 'list') return this.items[1];
    return super.attribute(name);
  }
  override attributeNames(): readonly string[] {
    return ['grouper', 'list', ...super.attributeNames()];
  }
}
