/**
 * `adHocState` makes one state from a command line or an API call: `zester web-01 pkg.installed nginx --test`.
 * Attributes work as in a file; requisites do not, because there is no other state to name.
 */
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import { judgeArguments, knownNames } from '../../params/decode-arguments.ts';
import { didYouMean } from '../../suggest.ts';
import { type CompiledState, NO_REQUISITES, stateName } from '../compiled-state.ts';
import type { StateProblem } from '../state-problem.ts';
import type { StateSchemas } from '../state-schema.ts';
import {
  ATTRIBUTE_KEYS,
  type AttributeKey,
  isAttributeKey,
  NAMES_KEY,
  REQUISITE_KEYS,
} from './argument-keys.ts';
import { aboutOf, bareId } from './build-states.ts';
import { ProblemList } from './problem-list.ts';
import { readAttributes } from './state-attributes.ts';

export type AdHocState = { readonly state: CompiledState } | { readonly problems: readonly StateProblem[] };

/** `id` is the bare argument; it may be empty. `args` are without `test`. Problems are placed at the function's name. */
export function adHocState(module: string, id: string, args: WireMap, schemas: StateSchemas): AdHocState {
  const problems = new ProblemList();
  const place = { at: { file: module }, chain: [] };
  const schema = schemas.find(module);
  if (schema === undefined) {
    problems.error(place, `there is no state function ${module}`, () => didYouMean(module, schemas.names));
    return { problems: problems.errors };
  }
  const { params, open } = schema;
  const known = knownNames(params);
  const parameters: Record<string, WireValue> = {};
  const attributes: Partial<Record<AttributeKey, WireValue>> = {};
  for (const [key, value] of Object.entries(args)) {
    if (REQUISITE_KEYS.has(key) || key === NAMES_KEY)
      problems.error(place, `${key} is for state files: a single state has no others beside it`);
    else if (isAttributeKey(key)) attributes[key] = value;
    else if (known.includes(key) || open) parameters[key] = value;
    else
      problems.error(place, `it has no parameter ${key}`, () =>
        didYouMean(
          key,
          [...known, ...ATTRIBUTE_KEYS],
          `it takes ${Object.keys(params).join(', ') || 'none'}`,
        ),
      );
  }
  const judged = judgeArguments(params, { id: bareId(params, parameters, id), args: parameters });
  const read = readAttributes(attributes);
  for (const { message } of [...judged.problems, ...read.problems]) problems.error(place, message);
  if (problems.errorCount > 0) return { problems: problems.errors };
  const called = id === '' ? (aboutOf(params, parameters) ?? module) : id;
  return {
    state: {
      name: stateName(module, called),
      module,
      id: called,
      about: aboutOf(params, parameters) ?? called,
      sls: '',
      at: place.at,
      args: parameters,
      values: judged.values,
      requisites: NO_REQUISITES,
      attributes: read.attributes,
    },
  };
}
