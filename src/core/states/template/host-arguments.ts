/**
 * `HostArguments` binds the arguments of a function that a template calls: positional ones by their place, named ones
 * by name, none twice. Pure.
 */
import type { WireValue } from '../../../wire/msgpack/wire-value.ts';
import { PyObject, PythonError } from '../../jinja/values/value.ts';
import { nearestWord } from '../../suggest.ts';

export type HostArguments<Name extends string> = Readonly<Partial<Record<Name, WireValue>>>;

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
  const given: Partial<Record<Name, WireValue>> = {};
  for (const [index, value] of positional.entries()) given[names[index] as Name] = wireOfHost(value, itself);
  for (const [name, value] of Object.entries(named)) {
    const known = names.find((each) => each === name);
    if (known === undefined) {
      const near = nearestWord(name, names);
      throw fail(`has no argument ${name}${near === undefined ? '' : `, did you mean ${near}?`}`);
    }
    if (given[known] !== undefined) throw fail(`got ${name} twice`);
    given[known] = wireOfHost(value, itself);
  }
  return given;
}

/** What becomes of an undefined value inside of the data. */
type WhenUndefined = (value: PyObject) => unknown;
/** It is handed on as it is, and may come back to the template in the answer. */
const itself: WhenUndefined = (value) => value;
const fails: WhenUndefined = (value) => value.fail?.();

/** Values of a template as data for functions: keys of a dict that are no text become text. What is undefined fails. */
export function wireOfHost(value: unknown, whenUndefined = fails): WireValue {
  const inside = (each: unknown) => wireOfHost(each, whenUndefined);
  if (value === undefined || value === null) return null;
  if (value instanceof PyObject) return whenUndefined(value) as WireValue;
  if (Array.isArray(value)) return value.map(inside);
  if (value instanceof Set) return [...value].map(inside);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, each]) => [String(key), inside(each)]));
  if (value instanceof Uint8Array || typeof value !== 'object') return value as WireValue;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inside(each)]));
}

/** The argument, which is used now: an undefined one fails. */
export function used(value: WireValue | undefined): WireValue | undefined {
  if (value instanceof PyObject) value.fail?.();
  return value;
}
