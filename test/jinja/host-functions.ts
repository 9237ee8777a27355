/**
 * Host functions are the functions that recorded contexts hand in: the same as scripts/record-salt/host_functions.py
 * and contexts.py.
 */

import { bindArguments, type FunctionParameter } from '../../src/core/jinja/values/arguments.ts';
import { Dict } from '../../src/core/jinja/values/container/dict.ts';
import { Func } from '../../src/core/jinja/values/func.ts';
import { add } from '../../src/core/jinja/values/number/arithmetic.ts';
import { PythonError, type RenderContext, type Value } from '../../src/core/jinja/values/value.ts';

/** What the functions of a machine look into. */
export interface MachineFacts {
  readonly pillar: Value;
  readonly grains: Value;
  readonly mine: Value;
}

export function hostFunction(name: string, facts: () => MachineFacts): Value {
  const made = HOST_FUNCTIONS[name];
  if (made === undefined) throw new Error(`no host function ${name}`);
  return made(facts);
}

class PythonFunction extends Func {
  override readonly typeName = 'function';
}

const HOST_FUNCTIONS: Readonly<Record<string, (facts: () => MachineFacts) => Value>> = {
  add: () =>
    plain('add', [required('a'), optional('b', 1)], ([a = null, b = null], render) =>
      add(a, b, render.limits),
    ),
  echo: () =>
    new PythonFunction('echo', ({ positional, named }) => [[...positional], Dict.of(named.entries())]),
  none: () => plain('none', [], () => null),
  'pillar.get': (facts) => getter('pillar.get', () => facts().pillar),
  'grains.get': (facts) => getter('grains.get', () => facts().grains),
  'config.get': (facts) =>
    plain('config.get', [required('key'), optional('default', '')], ([key = null, fallback = null]) =>
      traverse(facts().grains, key, traverse(facts().pillar, key, fallback)),
    ),
  'grains.filter_by': (facts) =>
    plain(
      'grains.filter_by',
      [
        required('lookup'),
        optional('grain', 'os_family'),
        optional('merge', null),
        optional('default', 'default'),
      ],
      ([lookup = null, grain = null, merge = null, fallback = null]) => {
        const table = asDict(lookup);
        const found = table.get(traverse(facts().grains, grain, null)) ?? table.get(fallback) ?? null;
        const copy = deepCopy(found);
        return merge instanceof Dict && merge.size > 0 ? mergeInto(asDict(copy), merge) : copy;
      },
    ),
  'defaults.merge': () =>
    plain('defaults.merge', [required('target'), required('update')], ([target = null, update = null]) =>
      mergeInto(asDict(target), asDict(update)),
    ),
  'slsutil.merge': () =>
    plain('slsutil.merge', [required('a'), required('b')], ([a = null, b = null]) =>
      mergeInto(asDict(deepCopy(a)), asDict(b)),
    ),
  'cmd.run': () => plain('cmd.run', [required('cmd')], ([command = null]) => `output of ${String(command)}`),
  'file.file_exists': () =>
    plain('file.file_exists', [required('path')], ([path = null]) => String(path).endsWith('.conf')),
  'pkg.version': () =>
    plain('pkg.version', [required('name')], ([name = null]) =>
      name === 'nginx' ? '1.22.1-9' : name === 'openssl' ? '3.0.15-1' : '',
    ),
  'mine.get': (facts) =>
    plain(
      'mine.get',
      [required('tgt'), required('fun'), optional('tgt_type', 'glob')],
      ([, fun = null]) => asDict(facts().mine).get(fun) ?? new Dict(),
    ),
  fail: () =>
    plain('fail', [optional('message', 'no reason')], ([message = null]) => {
      throw new PythonError('ValueError', String(message));
    }),
};

function plain(
  name: string,
  parameters: FunctionParameter[],
  call: (values: readonly Value[], render: RenderContext) => Value,
): Value {
  return new PythonFunction(name, (args, render) => call(bindArguments(name, parameters, args), render));
}

function getter(name: string, data: () => Value): Value {
  const parameters = [required('key'), optional('default', ''), optional('delimiter', ':')];
  return plain(name, parameters, ([key = null, fallback = null, delimiter = null]) =>
    traverse(data(), key, fallback, String(delimiter)),
  );
}

function required(name: string): FunctionParameter {
  return { name };
}

function optional(name: string, value: Value): FunctionParameter {
  return { name, default: value };
}

function asDict(value: Value): Dict {
  if (!(value instanceof Dict)) throw new PythonError('TypeError', 'not a dict');
  return value;
}

function traverse(data: Value, key: Value, fallback: Value, delimiter = ':'): Value {
  let current = data;
  for (const part of String(key).split(delimiter)) {
    const next =
      current instanceof Dict
        ? current.get(part)
        : Array.isArray(current) && /^[0-9]+$/.test(part)
          ? current[Number(part)]
          : undefined;
    if (next === undefined) return fallback;
    current = next;
  }
  return current;
}

function mergeInto(target: Dict, update: Dict): Dict {
  for (const [key, value] of update.entries()) {
    const old = target.get(key);
    if (old instanceof Dict && value instanceof Dict) mergeInto(old, value);
    else target.set(key, value);
  }
  return target;
}

function deepCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepCopy);
  if (value instanceof Dict) return Dict.of([...value.entries()].map(([key, item]) => [key, deepCopy(item)]));
  return value;
}
