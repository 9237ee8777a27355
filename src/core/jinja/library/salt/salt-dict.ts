/** These are Salt's filters for dicts: reaching into them, comparing them, setting what lies deep. */
import { equals } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { getItem } from '../../values/container/item.ts';
import { OrderedDict } from '../../values/container/ordered-dict.ts';
import { intOf } from '../../values/number/integer.ts';
import { str } from '../../values/print.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { callMethod, takeAll, textOrFail } from '../filters/text-values.ts';
import { type Body, type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { parseInteger } from './parse-number.ts';

export const SALT_DICT_FILTERS: readonly LibraryFunction[] = [
  deepChange('append_dict_key_value', (parent, key, value, render) => {
    const list = parent.get(key) ?? null;
    if (list === null) parent.set(key, [value]);
    else changeWith(list, 'append', value, render);
  }),
  saltFilter(
    'compare_dicts',
    signature('compare_dicts', [
      ['old', null],
      ['new', null],
    ]),
    ([old, now], render) => compareDicts(dictOf(old), dictOf(now), render),
  ),
  deepChange('extend_dict_key_value', (parent, key, value, render) => {
    if ((parent.get(key) ?? null) === null) parent.set(key, []);
    changeWith(parent.get(key) as Value, 'extend', value, render);
  }),
  deepChange('set_dict_key_value', (parent, key, value) => parent.set(key, value)),
  saltFilter(
    'traverse',
    signature('traverse_dict_and_list', ['data', 'key', ['default', null], ['delimiter', ':']]),
    ([data, key, otherwise, delimiter], render) => {
      const found = traverse(data, key, str(delimiter), render);
      // Not `??`: None is null.
      return found === undefined ? otherwise : found;
    },
  ),
  deepChange('update_dict_key_value', (parent, key, value, render, newDict) => {
    if ((parent.get(key) ?? null) === null) parent.set(key, newDict());
    changeWith(parent.get(key) as Value, 'update', value, render);
  }),
];

function traverse(data: Value, key: Value, delimiter: string, render: RenderContext): Value | undefined {
  const text = textOf(key);
  const path: readonly Value[] =
    text === undefined ? (intOf(key) === undefined ? takeAll(key, render) : [key]) : text.split(delimiter);
  let value: Value | undefined = data;
  for (const step of path) {
    render.charge(1);
    value = Array.isArray(value) ? inList(value, step) : inDict(value as Value, step, render);
    if (value === undefined) return undefined;
  }
  return value;
}

/** A dict in the list that has the key comes before the item with that index. */
function inList(list: readonly Value[], step: Value): Value | undefined {
  const text = textOf(step);
  const index = text === undefined ? intOf(step) : parseInteger(text, 10);
  const key = index ?? step;
  for (const item of list) {
    const found = item instanceof Dict ? item.get(key) : undefined;
    if (found !== undefined) return found;
  }
  return index === undefined ? undefined : getItem(list as Value[], index);
}

/** A key that is not there as text may be there as what YAML makes of the text, such as a number. */
function inDict(value: Value, step: Value, render: RenderContext): Value | undefined {
  const found = getItem(value, step);
  const text = textOf(step);
  if (found !== undefined || text === undefined || !(value instanceof Dict)) return found;
  const { loadYaml } = render.host;
  const loaded = loadYaml === undefined ? parseInteger(text, 10) : yamlKey(text, loadYaml);
  return loaded === undefined ? undefined : getItem(value, loaded);
}

function yamlKey(text: string, loadYaml: (text: string) => Value): Value | undefined {
  try {
    return loadYaml(text);
  } catch {
    // What is no YAML is no other spelling of a key.
    return undefined;
  }
}

function dictOf(value: Value): Dict {
  if (value instanceof Dict) return value;
  if (!truthy(value)) return new Dict();
  throw new PythonError('TypeError', `compare_dicts() compares dicts, not '${typeName(value)}'`);
}

function compareDicts(old: Dict, now: Dict, render: RenderContext): Dict {
  const changes = new Dict();
  const keys = Dict.of([...now.entries(), ...old.entries()]);
  for (const key of keys.keys()) {
    render.charge(1);
    const before = old.get(key);
    const after = now.get(key);
    if (before === undefined)
      changes.set(
        key,
        Dict.of([
          ['old', ''],
          ['new', after ?? null],
        ]),
      );
    else if (after === undefined)
      changes.set(
        key,
        Dict.of([
          ['new', ''],
          ['old', before],
        ]),
      );
    else if (!equals(before, after))
      changes.set(
        key,
        Dict.of([
          ['old', before],
          ['new', after],
        ]),
      );
  }
  return changes;
}

/**
 * Changes the dict in place, as Salt does, and gives it back. Dicts that the path needs are made, also in place of what
 * is no dict.
 */
function deepChange(
  name: string,
  change: (parent: Dict, key: string, value: Value, render: RenderContext, newDict: () => Dict) => void,
): LibraryFunction {
  const takes = signature(name, ['in_dict', 'keys', 'value', ['delimiter', ':'], ['ordered_dict', false]]);
  const body: Body = ([dict, keys, value, delimiter, ordered], render) => {
    if (!(dict instanceof Dict))
      throw wrongUse(`${name}() changes a dict, not a <class '${typeName(dict)}'>.`);
    const newDict = () => (truthy(ordered) ? new OrderedDict() : new Dict());
    const path = textOrFail(keys).split(textOrFail(delimiter));
    const last = path.pop() ?? '';
    let parent = dict;
    for (const key of path) {
      render.charge(1);
      const next = parent.get(key);
      const below = next instanceof Dict ? next : newDict();
      parent.set(key, below);
      parent = below;
    }
    change(parent, last, value, render, newDict);
    return dict;
  };
  return saltFilter(name, takes, body);
}

/** Calls the method that changes what is there, in Salt's words where it cannot. */
function changeWith(
  target: Value,
  method: 'append' | 'extend' | 'update',
  value: Value,
  render: RenderContext,
): void {
  try {
    callMethod(target, method, [value], render);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    if (error.type === 'AttributeError')
      throw wrongUse(`The last key contains a ${classText(target)}, which cannot ${method}.`);
    if (error.type === 'TypeError' || error.type === 'ValueError')
      throw wrongUse(`Cannot ${method} ${classText(target)} with a ${classText(value)}.`);
    throw error;
  }
}

function wrongUse(message: string): PythonError {
  return new PythonError('SaltInvocationError', message);
}

/** As Python prints the class of a value. */
function classText(value: Value): string {
  return `<class '${value instanceof OrderedDict ? 'collections.' : ''}${typeName(value)}'>`;
}
