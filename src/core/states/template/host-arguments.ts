/**
 * `HostArguments` binds the arguments of a function that a template calls: positional ones by their place, named ones
 * by name, none twice. Pure.
 */
import type { WireValue } from '../../../wire/msgpack/wire-value.ts';
import { PythonError } from '../../jinja/values/value.ts';
import { nearestWord } from '../../suggest.ts';

export type HostArguments<Name extends string> = Readonly<Partial<Record<Name, WireValue>>>;

/** Throws a TypeError of Python for what the function does not take. */
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
  for (const [index, value] of positional.entries()) given[names[index] as Name] = wireOfHost(value);
  for (const [name, value] of Object.entries(named)) {
    const known = names.find((each) => each === name);
    if (known === undefined) {
      const near = nearestWord(name, names);
      throw fail(`has no argument ${name}${near === undefined ? '' : `, did you mean ${near}?`}`);
    }
    if (given[known] !== undefined) throw fail(`got ${name} twice`);
    given[known] = wireOfHost(value);
  }
  return given;
}

/** Values of a template as data for functions: keys of a dict that are no text become text. */
export function wireOfHost(value: unknown): WireValue {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(wireOfHost);
  if (value instanceof Set) return [...value].map(wireOfHost);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, each]) => [String(key), wireOfHost(each)]));
  if (value instanceof Uint8Array || typeof value !== 'object') return value as WireValue;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, wireOfHost(each)]));
}
