/**
 * `decodeArguments` makes the arguments of a call into the typed values of a declaration. Pure, and all or nothing:
 * every mistake is told in one error, and a call with a mistake does not run.
 *
 * A value is looked for under the parameter's name, then its aliases, then, for the primary one, the bare argument.
 * Nothing and empty text count as not given, because that is what an undefined template variable leaves behind.
 */

import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import { zesterError } from '../errors/zester-error.ts';
import { nearestWord } from '../suggest.ts';
import { CONVERSIONS } from './param-values.ts';
import { isRequired, type ParamSpec, type Params, paramNames, type ValuesOf } from './params.ts';
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
  const { values, problems } = judgeArguments(params, call);
  const all = [
    ...unknownNames(params, call),
    ...strayPositional(params, call),
    ...problems.map(({ message }) => message),
  ];
  if (all.length > 0)
    throw zesterError('MODULE_BAD_ARGUMENTS', { function: functionName, problems: all.join('; ') });
  return values as ValuesOf<P>;
}

/** What is wrong with one argument. */
export interface ArgumentProblem {
  /** The name under which the value came; undefined for the bare argument and for one that is missing. */
  readonly argument: string | undefined;
  readonly message: string;
}

/** Each parameter by itself, for a caller that knows where each argument was written. Unknown names are passed over. */
export function judgeArguments(
  params: Params,
  call: CallArguments,
): { readonly values: Readonly<Record<string, unknown>>; readonly problems: readonly ArgumentProblem[] } {
  const problems: ArgumentProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(params)) {
    const decoded = decodeOne(name, spec, call);
    if ('problem' in decoded) problems.push(decoded.problem);
    values[name] = 'value' in decoded ? decoded.value : undefined;
  }
  return { values, problems };
}

/** Every name that a call may use. */
export function knownNames(params: Params): readonly string[] {
  return Object.entries(params).flatMap(([name, spec]) => paramNames(name, spec));
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
  const known = knownNames(params);
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

type Decoded = { readonly value: unknown } | { readonly problem: ArgumentProblem };

function decodeOne(name: string, spec: ParamSpec, call: CallArguments): Decoded {
  const given = valuesGiven(name, spec, call);
  const [first, second] = given;
  if (first === undefined)
    return isRequired(spec)
      ? { problem: { argument: undefined, message: `${name} is missing` } }
      : { value: spec.default };
  const { argument } = first;
  if (second !== undefined) {
    const message = `${name} was given twice, ${asName(argument)} and ${asName(second.argument)}`;
    return { problem: { argument, message } };
  }
  const { expects, convert } = CONVERSIONS[spec.type];
  const value = convert(first.value);
  if (value !== undefined) return { value };
  const what = spec.sensitive ? 'what was given' : showValue(first.value);
  return { problem: { argument, message: `${name} must be ${expects}, not ${what}` } };
}

function asName(argument: string | undefined): string {
  return argument === undefined ? 'as the bare argument' : `as ${argument}`;
}

interface Given {
  readonly argument: string | undefined;
  readonly value: WireValue;
}

/** The same value under two names is one: some callers put the bare argument into `name` as well. */
function valuesGiven(name: string, spec: ParamSpec, { id, args }: CallArguments): readonly Given[] {
  const given: Given[] = [];
  const take = (argument: string | undefined, value: WireValue | undefined) => {
    if (!isAbsent(value) && given.every((other) => other.value !== value)) given.push({ argument, value });
  };
  for (const key of paramNames(name, spec)) if (Object.hasOwn(args, key)) take(key, args[key]);
  if (spec.primary) take(undefined, id);
  return given;
}

/** Nothing and empty text. */
export function isAbsent(value: WireValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}
