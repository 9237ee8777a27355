/**
 * This phase of the compiler builds states from declarations: the function is looked up, `names` are expanded,
 * arguments decoded. Requisites stay as they were written; they can only be resolved when all states are known.
 *
 * A state with a mistake stays in the set, so that what requires it is not told that it is missing.
 */
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import { isZesterError, type ZesterError } from '../../errors/zester-error.ts';
import { isAbsent, judgeArguments, knownNames } from '../../params/decode-arguments.ts';
import { type Params, type ParamType, paramNames } from '../../params/params.ts';
import { argumentOfYaml, forbiddenKey, valueOfYaml } from '../../params/yaml-arguments.ts';
import { didYouMean } from '../../suggest.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import { type CompiledState, stateName } from '../compiled-state.ts';
import type { StateSchema, StateSchemas } from '../state-schema.ts';
import { type AttributeKey, ENGINE_KEYS, isAttributeKey, NAMES_KEY, NOT_SUPPORTED } from './argument-keys.ts';
import { STATES_MAX } from './compile-limits.ts';
import { dataAsWritten } from './data-as-written.ts';
import type { Declaration } from './declaration.ts';
import { expandNames, type NamedDeclaration } from './expand-names.ts';
import { passedOn, warnOfPassedOn, withPassedOn } from './passed-on.ts';
import type { ProblemList, SourcePlace } from './problem-list.ts';
import { readAttributes } from './state-attributes.ts';
import { isNull, type StateFile } from './state-file.ts';
import type { Unread } from './unread.ts';
import type { WrittenArgument, WrittenRequisite } from './written-arguments.ts';

export interface BuiltState {
  readonly state: Omit<CompiledState, 'requisites'>;
  readonly file: StateFile;
  readonly place: SourcePlace;
  readonly written: readonly WrittenRequisite[];
}

export function buildStates(
  declarations: readonly Declaration[],
  schemas: StateSchemas,
  problems: ProblemList,
  unread: Unread,
): readonly BuiltState[] {
  const built = new Map<string, BuiltState>();
  for (const declaration of declarations) {
    const schema = schemas.find(declaration.module) ?? unknownFunction(declaration, schemas, problems);
    const expanded = unread.watching(declaration.id, () => expandNames(declaration, schema, problems));
    for (const named of expanded) {
      const made = buildState(named, schema, problems);
      const other = built.get(made.state.name);
      if (other !== undefined) {
        const { file, line } = other.place.at;
        problems.error(
          made.place,
          `${made.state.name} is already declared at ${file}:${line ?? 1}`,
          'give one of them another id',
        );
      } else if (built.size === STATES_MAX) {
        problems.error(made.place, `this would be more than ${STATES_MAX} states in one run`);
        unread.noteIncomplete();
        return [...built.values()];
      } else built.set(made.state.name, made);
    }
  }
  return [...built.values()];
}

/** An unknown function is treated as one that takes anything, so that one mistake is told as one problem. */
function unknownFunction(
  { module, id, file, node }: Declaration,
  schemas: StateSchemas,
  problems: ProblemList,
): StateSchema {
  problems.error(file.placeOf(node), `${id}: there is no state function ${module}`, () => {
    const family = module.slice(0, module.indexOf('.') + 1);
    const relatives = schemas.names.filter((name) => name.startsWith(family));
    const otherwise = relatives.length === 0 ? undefined : `there is ${relatives.join(', ')}`;
    return didYouMean(module, schemas.names, otherwise);
  });
  return { name: module, params: {}, open: true };
}

function buildState(declaration: NamedDeclaration, schema: StateSchema, problems: ProblemList): BuiltState {
  const { id, entry = id, module, file, node, args: written } = declaration;
  const place = file.placeOf(node);
  const owner = `${module} of ${entry}`;
  const errorsBefore = problems.errorCount;
  const { types } = factsOf(schema.params);
  const passed = passedOn(written, schema);
  const own: Record<string, WireValue> = {};
  const attributes: Partial<Record<AttributeKey, WireValue>> = {};
  for (const [key, argument] of written.byKey) {
    const forbidden = forbiddenKey(argument.node);
    if (forbidden !== undefined)
      problems.error(argument.file.placeOf(forbidden), `${owner}: ${forbidden.source} cannot be a key`);
    else if (isAttributeKey(key)) attributes[key] = attributeValue(key, argument);
    else if (types.has(key) || schema.open) own[key] = argumentOfYaml(argument.node, types.get(key) ?? 'any');
    else if (key !== NAMES_KEY && !passed.has(key)) unknownParameter(key, argument, owner, schema, problems);
  }
  warnOfPassedOn(passed, owner, schema, problems);
  warnOfName(written.byKey.get('name'), owner, problems);
  const args = withPassedOn(own, passed, schema);
  const placeOfArgument = (key: string | undefined): SourcePlace => {
    const argument = key === undefined ? undefined : written.byKey.get(key);
    return argument === undefined ? place : argument.file.placeOf(argument.node);
  };
  const judged = judgeArguments(schema.params, { id: bareId(schema.params, args, entry), args });
  for (const { argument, message } of judged.problems)
    problems.error(placeOfArgument(argument), `${owner}: ${message}`);
  if (problems.errorCount === errorsBefore) {
    const error = errorOfCheck(schema, judged.values);
    // The argument that it quotes, or the state as a whole.
    const quoted = Object.values(error?.params ?? {});
    const key = Object.keys(args).find((each) => quoted.some((text) => text === args[each]));
    if (error !== undefined)
      problems.error(placeOfArgument(key), `${owner}: ${faultText(error)}`, error.hint);
  }
  const read = readAttributes(attributes);
  for (const { key, message } of read.problems) problems.error(placeOfArgument(key), `${owner}: ${message}`);
  return {
    state: {
      name: stateName(module, id, entry),
      module,
      id,
      about: aboutOf(schema.params, args) ?? entry,
      sls: file.sls,
      at: place.at,
      args,
      values: { ...judged.values, ...dataAsWritten(schema, judged.values, written.byKey, passed) },
      attributes: read.attributes,
    },
    file,
    place,
    written: written.requisites,
  };
}

/** Here a name is what was written; Salt wants text, and takes the id instead of anything else. */
function warnOfName(name: WrittenArgument | undefined, owner: string, problems: ProblemList): void {
  if (name?.node.kind !== 'scalar' || isNull(name.node) || name.node.value.type === 'str') return;
  problems.warn(
    name.file.placeOf(name.node),
    `${owner}: the name is ${name.node.source}; Salt takes the id where a name is no text`,
    'put it in quotes',
  );
}

function errorOfCheck(
  schema: StateSchema,
  values: Readonly<Record<string, unknown>>,
): ZesterError | undefined {
  try {
    schema.check?.(values);
    return undefined;
  } catch (error) {
    if (isZesterError(error)) return error;
    throw error;
  }
}

/** Its text without the name of the function, which is said already. */
function faultText({ code, params, message }: ZesterError): string {
  return code === 'MODULE_BAD_ARGUMENTS' ? String(params.problems) : message;
}

function attributeValue(key: AttributeKey, { node }: WrittenArgument): WireValue {
  return key === 'onlyif' || key === 'unless' ? guardValue(node) : valueOfYaml(node);
}

/** Commands as they were written, and what YAML reads as true or false as that. */
function guardValue(node: YamlNode): WireValue {
  if (node.kind === 'sequence') return node.items.map(guardValue);
  return node.kind === 'scalar' && node.value.type === 'bool'
    ? node.value.value
    : argumentOfYaml(node, 'string');
}

interface ParamFacts {
  /** The type behind each name of each parameter. */
  readonly types: ReadonlyMap<string, ParamType>;
  /** The names of the primary one. */
  readonly primary: readonly string[] | undefined;
}

const factsKnown = new WeakMap<Params, ParamFacts>();

/** Cached for each function, because it is asked for every state. */
function factsOf(params: Params): ParamFacts {
  const known = factsKnown.get(params);
  if (known !== undefined) return known;
  const entries = Object.entries(params);
  const primary = entries.find(([, spec]) => spec.primary);
  const facts: ParamFacts = {
    types: new Map(entries.flatMap(([name, spec]) => paramNames(name, spec).map((key) => [key, spec.type]))),
    primary: primary === undefined ? undefined : paramNames(...primary),
  };
  factsKnown.set(params, facts);
  return facts;
}

function unknownParameter(
  key: string,
  { file, key: node }: WrittenArgument,
  owner: string,
  { params }: StateSchema,
  problems: ProblemList,
): void {
  const place = file.placeOf(node);
  const ignored = NOT_SUPPORTED.get(key);
  if (ignored?.harmless === true) problems.warn(place, `${owner}: ${key} has no effect here`, ignored.hint);
  else if (ignored !== undefined) problems.error(place, `${owner}: ${key} is not supported`, ignored.hint);
  else
    problems.error(place, `${owner}: it has no parameter ${key}`, () => {
      const own = Object.keys(params);
      const otherwise = own.length === 0 ? 'it takes no parameters' : `it takes ${own.join(', ')}`;
      return didYouMean(key, [...knownNames(params), ...ENGINE_KEYS], otherwise);
    });
}

/** The id stands in for the primary parameter where that is not given. */
export function bareId(params: Params, args: WireMap, id: string): string {
  const { primary } = factsOf(params);
  return primary === undefined || primary.some((key) => !isAbsent(args[key])) ? '' : id;
}

export function aboutOf(params: Params, args: WireMap): string | undefined {
  const given = (factsOf(params).primary ?? ['name'])
    .map((key) => args[key])
    .find((value) => !isAbsent(value));
  return typeof given === 'string' ? given : undefined;
}
