/**
 * These functions give parameters that a function does not declare to its template, as Salt does (`PassesOn`). A
 * misspelt parameter looks the same, so each is a warning.
 */
import { isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';
import { isAbsent, knownNames } from '../../params/decode-arguments.ts';
import { valueOfYaml } from '../../params/yaml-arguments.ts';
import { didYouMean } from '../../suggest.ts';
import type { StateSchema } from '../state-schema.ts';
import { isAttributeKey, NAMES_KEY, NOT_SUPPORTED } from './argument-keys.ts';
import type { ProblemList } from './problem-list.ts';
import type { WrittenArgument, WrittenArguments } from './written-arguments.ts';

/** By key. None where the function passes nothing on, or there is no template to pass it to. */
export function passedOn(
  { byKey }: WrittenArguments,
  { params, passesOn }: StateSchema,
): ReadonlyMap<string, WrittenArgument> {
  const when = passesOn === undefined ? undefined : byKey.get(passesOn.when);
  if (passesOn === undefined || when === undefined) return new Map();
  const given = valueOfYaml(when.node);
  if (isAbsent(given) || given === false) return new Map();
  const own = new Set([...knownNames(params), ...passesOn.except, NAMES_KEY]);
  const isVariable = (key: string) => !own.has(key) && !isAttributeKey(key) && !NOT_SUPPORTED.has(key);
  return new Map([...byKey].filter(([key]) => isVariable(key)));
}

/** `args` with the variables in the parameter that takes them. */
export function withPassedOn(
  args: WireMap,
  passed: ReadonlyMap<string, WrittenArgument>,
  { passesOn }: StateSchema,
): WireMap {
  if (passesOn === undefined || passed.size === 0) return args;
  const { into } = passesOn;
  const given: WireValue = args[into] ?? {};
  // What is no map is an error of its own.
  if (!isWireMap(given)) return args;
  const variables = Object.fromEntries([...passed].map(([key, { node }]) => [key, valueOfYaml(node)]));
  return { ...args, [into]: { ...variables, ...given } };
}

export function warnOfPassedOn(
  passed: ReadonlyMap<string, WrittenArgument>,
  owner: string,
  { params }: StateSchema,
  problems: ProblemList,
): void {
  for (const [key, { file, key: node }] of passed)
    problems.warn(
      file.placeOf(node),
      `${owner}: it has no parameter ${key}, so ${key} is a variable of its template`,
      () => didYouMean(key, knownNames(params), `write it below \`context:\``),
    );
}
