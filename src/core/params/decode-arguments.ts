/**
 * Arguments of a call, made into the typed values of a declaration. Pure, and all or nothing: every mistake is told in
 * one error, and a call with a mistake does not run.
 *
 * A value is looked for under the parameter's name, then its aliases, then, for the primary one, the bare argument.
 * Nothing and empty text count as not given, because that is what an undefined template variable leaves behind.
 */

import type { WireMap, WireValue } from '../../wire/wire-value.ts';
import { zesterError } from '../errors/zester-error.ts';
import { nearestWord } from '../suggest.ts';
import { CONVERSIONS } from './param-values.ts';
import { isRequired, namesOf, type ParamSpec, type Params, type ValuesOf } from './params.ts';
import { showValue } from './print-value.ts';

export interface CallArguments {
  /** The bare argument; empty when none was given. */
  readonly id: string;
  /** Without `test`, which is no parameter (`takeDryRun`). */
  readonly args: WireMap;
}

export function decodeArguments<P extends Params>(
  functionName: string,
  params: P,
  call: CallArguments,
): ValuesOf<P> {
  const problems = [...unknownNames(params, call), ...strayPositional(params, call)];
  const values = Object.entries(params).map(([name, spec]) => {
    const decoded = decodeOne(name, spec, call);
    if ('problem' in decoded) problems.push(decoded.problem);
    return [name, 'value' in decoded ? decoded.value : undefined];
  });
  if (problems.length > 0)
    throw zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems: problems.join('; ') });
  return Object.fromEntries(values) as ValuesOf<P>;
}

/** `test` asks for a dry run of whatever is called. A value that is neither yes nor no must not run for real. */
export function takeDryRun(
  functionName: string,
  args: WireMap,
): { readonly dryRun: boolean; readonly args: WireMap } {
  const { test, ...rest } = args;
  const dryRun = isAbsent(test) ? false : CONVERSIONS.boolean.convert(test);
  if (dryRun !== undefined) return { dryRun, args: rest };
  const problems = `test must be true or false, not ${showValue(test as WireValue)}`;
  throw zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems });
}

function unknownNames(params: Params, { args }: CallArguments): string[] {
  const known = Object.entries(params).flatMap(([name, spec]) => namesOf(name, spec));
  const own = Object.keys(params);
  return Object.keys(args)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestWord(name, known);
      if (near !== undefined) return `it has no parameter ${name}, did you mean ${near}?`;
      return `it has no parameter ${name}, it takes ${own.length === 0 ? 'none' : own.join(', ')}`;
    });
}

function strayPositional(params: Params, { id }: CallArguments): string[] {
  if (id === '' || Object.values(params).some((spec) => spec.primary)) return [];
  return [`it takes no bare argument, but ${showValue(id)} was given`];
}

type Decoded = { readonly value: unknown } | { readonly problem: string };

function decodeOne(name: string, spec: ParamSpec, call: CallArguments): Decoded {
  const given = valuesGiven(name, spec, call);
  const [first, second] = given;
  if (first === undefined)
    return isRequired(spec) ? { problem: `${name} is missing` } : { value: spec.default };
  if (second !== undefined) return { problem: `${name} was given twice, ${first.as} and ${second.as}` };
  const { expects, convert } = CONVERSIONS[spec.type];
  const value = convert(first.value);
  if (value !== undefined) return { value };
  const what = spec.sensitive ? 'what was given' : showValue(first.value);
  return { problem: `${name} must be ${expects}, not ${what}` };
}

/** The same value under two names is one: some callers put the bare argument into `name` as well. */
function valuesGiven(
  name: string,
  spec: ParamSpec,
  { id, args }: CallArguments,
): readonly { readonly as: string; readonly value: WireValue }[] {
  const given = namesOf(name, spec)
    .filter((key) => Object.hasOwn(args, key))
    .map((key) => ({ as: `as ${key}`, value: args[key] as WireValue }));
  if (spec.primary) given.push({ as: 'as the bare argument', value: id });
  const present = given.filter(({ value }) => !isAbsent(value));
  return present.filter(({ value }, index) => present.findIndex((other) => other.value === value) === index);
}

function isAbsent(value: WireValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}
