/**
 * These are the methods of list and tuple. A list that is changed is changed for everyone who holds it, as in Python.
 */
import { sortKeyed } from '../../library/filters/sort-values.ts';
import { positional } from '../arguments.ts';
import { checkItemCount } from '../bounds.ts';
import { lessThan, sameItem } from '../compare.ts';
import { keyed, methodTable, none, one, sizeOf, some } from '../native.ts';
import { intOf } from '../number/integer.ts';
import { repr } from '../print.ts';
import { PythonError, type RenderContext, type Value } from '../value.ts';
import { each } from './iterate.ts';
import type { Tuple } from './tuple.ts';

export const LIST_METHODS = methodTable<Value[]>('list', {
  append: one((list, value, { limits }) => {
    checkItemCount(list.length + 1, limits);
    list.push(value);
    return null;
  }),
  clear: none((list) => {
    list.length = 0;
    return null;
  }),
  copy: none((list) => list.slice()),
  count: one((list, value) => countOf(list, value)),
  extend: one((list, values, render) => {
    // A list that extends itself takes what it held before.
    const added = Array.isArray(values) ? values.slice() : each(values);
    for (const value of added) {
      render.charge(1);
      checkItemCount(list.length + 1, render.limits);
      list.push(value);
    }
    return null;
  }),
  index: some(1, 3, (list, args) => {
    const index = indexOf(list, args);
    if (index < 0) throw new PythonError('ValueError', `${repr(args[0] as Value)} is not in list`);
    return index;
  }),
  insert: some(2, 2, (list, [where, value], { limits }) => {
    checkItemCount(list.length + 1, limits);
    list.splice(sizeOf(where as Value), 0, value as Value);
    return null;
  }),
  pop: some(0, 1, (list, [where]) => {
    const at = where === undefined ? -1 : sizeOf(where);
    if (list.length === 0) throw new PythonError('IndexError', 'pop from empty list');
    const index = at < 0 ? at + list.length : at;
    if (index < 0 || index >= list.length) throw new PythonError('IndexError', 'pop index out of range');
    return list.splice(index, 1)[0] as Value;
  }),
  remove: one((list, value) => {
    const index = list.findIndex((item) => sameItem(item, value));
    if (index < 0) throw new PythonError('ValueError', 'list.remove(x): x not in list');
    list.splice(index, 1);
    return null;
  }),
  reverse: none((list) => {
    list.reverse();
    return null;
  }),
  sort: keyed(
    ['key', 'reverse'],
    (list, [key, reverse], render) => {
      sort(list, key ?? null, reverse !== undefined && sizeOf(reverse, 'int') !== 0, render);
      return null;
    },
    { positionalMax: 0 },
  ),
});

export const TUPLE_METHODS = methodTable<Tuple>('tuple', {
  count: one((tuple, value) => countOf(tuple.items, value)),
  index: some(1, 3, (tuple, args) => {
    const index = indexOf(tuple.items, args);
    if (index < 0) throw new PythonError('ValueError', 'tuple.index(x): x not in tuple');
    return index;
  }),
});

function countOf(items: readonly Value[], value: Value): number {
  return items.filter((item) => sameItem(item, value)).length;
}

function indexOf(items: readonly Value[], [value, start, stop]: readonly Value[]): number {
  const from = start === undefined ? 0 : boundOf(start, items.length);
  const end = stop === undefined ? items.length : Math.min(items.length, boundOf(stop, items.length));
  for (let i = from; i < end; i++) if (sameItem(items[i] as Value, value as Value)) return i;
  return -1;
}

function boundOf(value: Value, length: number): number {
  const bound = intOf(value);
  if (bound === undefined)
    throw new PythonError('TypeError', 'slice indices must be integers or have an __index__ method');
  return bound < 0 ? Math.max(0, Number(bound) + length) : Number(bound);
}

function sort(list: Value[], key: Value, reverse: boolean, render: RenderContext): void {
  render.charge(list.length);
  const items = list.map((item) => ({ item, key: key === null ? item : render.call(key, positional(item)) }));
  sortKeyed(items, lessThan, reverse);
  for (const [index, { item }] of items.entries()) list[index] = item;
}
