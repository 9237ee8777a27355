/**
 * `HostArguments` binds the arguments of a function that a template calls: positional ones by their place, named ones
 * by name, none twice. Pure.
 */
import type { WireValue } from '../../../wire/msgpack/wire-value.ts';

import { type DataValue, dataMapOf, wireOfData } from '../../data/data-value.ts';
import { PyObject, PythonError } from '../../jinja/values/value.ts';

import { nearestWord } from '../../suggest.ts';
import { YamlFloat } from '../../yaml/yaml-data.ts';

export type HostArguments<Name extends string> = Readonly<Partial<Record<Name, DataValue>>>;

/** Throws a TypeError of Python for what the function does not take. An undefined argument fails when it is used (`used`). */
export function hostArguments<Name extends string>(
  functionName: string,
  names: readonly Name[],
  positional: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
): HostArguments<Name> {
  const fail = (problem: string) => new PythonError('TypeError', `${functionName}() ${problem}`);
  if (positional.length > names.length)
    throw fail(`takes at most ${names.length} arguments, ${positional.length} were given`);
  const given: Partial<Record<Name, DataValue>> = {};
  for (const [index, value] of positional.entries()) given[names[index] as Name] = dataOfHost(value, itself);
  for (const [name, value] of Object.entries(named)) {
    const known = names.find((each) => each === name);
    if (known === undefined) {
      const near = nearestWord(name, names);
      throw fail(`has no argument ${name}${near === undefined ? '' : `, did you mean ${near}?`}`);
    }
    if (given[known] !== undefined) throw fail(`got ${name} twice`);
    given[known] = dataOfHost(value, itself);
  }
  return given;
}

/** What becomes of an undefined value inside of the data. */
type WhenUndefined = (value: PyObject) => unknown;
/** It is handed on as it is, and may come back to the template in the answer. */
const itself: WhenUndefined = (value) => value;
const fails: WhenUndefined = (value) => value.fail?.();

/** Values that left a template. */
function dataOfHost(value: unknown, whenUndefined: WhenUndefined): DataValue {
  const inside = (each: unknown) => dataOfHost(each, whenUndefined);
  if (value === undefined || value === null) return null;
  if (value instanceof PyObject) return whenUndefined(value) as DataValue;
  if (Array.isArray(value)) return value.map(inside);
  if (value instanceof Set) return [...value].map(inside);
  if (value instanceof Map) return dataMapOf([...value].map(([key, each]) => [inside(key), inside(each)]));
  if (value instanceof Uint8Array || value instanceof YamlFloat || typeof value !== 'object')
    return value as DataValue;
  return dataMapOf(Object.entries(value).map(([key, each]) => [key, inside(each)]));
}

/** The same for functions of the peel, which take what can be on the wire. What is undefined fails. */
export function wireOfHost(value: unknown): WireValue {
  return wireOfData(dataOfHost(value, fails));
}

/** The argument, which is used now: an undefined one fails. */
export function used(value: DataValue | undefined): DataValue | undefined {
  if (value instanceof PyObject) value.fail?.();
  return value;
}
