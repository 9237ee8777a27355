/** These are the methods of dict and of its views. */
import { NO_ARGUMENTS } from '../arguments.ts';
import type { Method } from '../func.ts';
import { free, type MethodTable, methodTable, none, one, some } from '../native.ts';
import { repr } from '../print.ts';
import { type Arguments, PyObject, PythonError, type RenderContext, type Value } from '../value.ts';
import { Dict } from './dict.ts';
import { DictItems, DictKeys, DictValues, type MappingProxy } from './dict-views.ts';
import { each, iteratorOf, toArray } from './iterate.ts';
import { SetLike } from './set.ts';
import { Tuple } from './tuple.ts';

export const DICT_METHODS = methodTable<Dict>('dict', {
  clear: none((dict) => {
    dict.clear();
    return null;
  }),
  copy: none((dict) => Dict.of(dict.entries())),
  fromkeys: some(1, 2, (_dict, [keys, value = null], render) => {
    const made = new Dict();
    for (const key of each(keys as Value)) {
      render.charge(1);
      made.set(key, value);
    }
    return made;
  }),
  get: some(1, 2, (dict, [key, otherwise = null]) => {
    const value = dict.get(key as Value);
    return value === undefined ? otherwise : value;
  }),
  items: none((dict) => new DictItems(dict)),
  keys: none((dict) => new DictKeys(dict)),
  pop: some(1, 2, (dict, [key, otherwise]) => {
    // Python does not even hash the key where there is nothing to find.
    const value = dict.size === 0 ? undefined : dict.delete(key as Value);
    if (value !== undefined) return value;
    if (otherwise === undefined) throw new PythonError('KeyError', repr(key as Value));
    return otherwise;
  }),
  popitem: none((dict) => {
    const [last] = dict.reversed();
    if (last === undefined) throw new PythonError('KeyError', repr('popitem(): dictionary is empty'));
    dict.delete(last[0]);
    return new Tuple(last);
  }),
  setdefault: some(1, 2, (dict, [key, otherwise = null]) => {
    const present = dict.get(key as Value);
    if (present !== undefined) return present;
    dict.set(key as Value, otherwise);
    return otherwise;
  }),
  update: free((dict, args, render) => {
    updateFrom(dict, 'update', args, render);
    return null;
  }),
  values: none((dict) => new DictValues(dict)),
});

/** Those that change nothing. */
export const MAPPING_PROXY_METHODS: MethodTable = new Map(
  ['copy', 'get', 'items', 'keys', 'values'].map((name): [string, Method] => {
    const method = DICT_METHODS.get(name) as Method;
    return [name, (self, args, render) => method((self as MappingProxy).dict, args, render)];
  }),
);

/** What the views that are sets, and sets themselves, can do. */
export const SET_METHODS = methodTable<SetLike>('dict_keys', {
  isdisjoint: one((view, values) => {
    // The smaller of two sets is walked, which shows where an item cannot be hashed.
    const turned = values instanceof SetLike && values.length() > view.length();
    const [walked, asked] = turned ? [view, values] : [values, view];
    for (const value of each(walked)) if (asked.contains(value)) return false;
    return true;
  }),
});

/** `dict(…)` and `dict.update(…)`: a mapping or pairs, then names. */
export function updateFrom(dict: Dict, functionName: string, args: Arguments, render: RenderContext): void {
  if (args.positional.length > 1)
    throw new PythonError(
      'TypeError',
      `${functionName} expected at most 1 argument, got ${args.positional.length}`,
    );
  const [source] = args.positional;
  if (source instanceof Dict) {
    render.charge(source.size);
    for (const [key, value] of [...source.entries()]) dict.set(key, value);
  } else if (source !== undefined) {
    // Python asks for `keys` to tell a mapping from pairs; an undefined value fails at that.
    const keys = source instanceof PyObject ? source.attribute('keys') : undefined;
    if (keys === undefined) addPairs(dict, source, render);
    else addMapping(dict, source, render.call(keys, NO_ARGUMENTS), render);
  }
  for (const [name, value] of args.named) dict.set(name, value);
}

function addMapping(dict: Dict, mapping: Value, keys: Value, render: RenderContext): void {
  for (const key of each(keys)) {
    render.charge(1);
    dict.set(key, render.getItem(mapping, key));
  }
}

function addPairs(dict: Dict, pairs: Value, render: RenderContext): void {
  let index = 0;
  for (const pair of each(pairs)) {
    render.charge(1);
    if (iteratorOf(pair) === undefined)
      throw new PythonError(
        'TypeError',
        `cannot convert dictionary update sequence element #${index} to a sequence`,
      );
    const items = toArray(pair);
    if (items.length !== 2)
      throw new PythonError(
        'ValueError',
        `dictionary update sequence element #${index} has length ${items.length}; 2 is required`,
      );
    dict.set(items[0] as Value, items[1] as Value);
    index++;
  }
}
