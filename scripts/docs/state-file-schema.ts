/**
 * This file makes the JSON Schema of a state file, for editors: what a function takes, and what every state takes. It
 * describes the file after its templates are rendered. The compiler says more, and has the last word.
 */
import { isRequired, type ParamSpec, type ParamType, paramNames } from '../../src/core/params/params.ts';
import { REQUISITE_KEYS } from '../../src/core/states/compile/argument-keys.ts';
import type { StateModule } from '../../src/modules/state-contract.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const SCALAR = { type: ['string', 'number', 'boolean'] };
const TEXT_MAP = { type: 'object', additionalProperties: SCALAR };
const NOTHING_OR = (...schemas: readonly JsonSchema[]): JsonSchema => ({
  anyOf: [{ type: 'null' }, ...schemas],
});
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${encodeURIComponent(name)}` });

/** What may be written for each type of parameter. */
const TYPES: { readonly [Type in ParamType]: JsonSchema } = {
  string: SCALAR,
  integer: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[+-]?[0-9]+$' }] },
  number: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[+-]?[0-9.]+(e[+-]?[0-9]+)?$' }] },
  boolean: {
    anyOf: [
      { type: 'boolean' },
      { type: 'string', pattern: '^([Tt]rue|[Ff]alse|[Yy]es|[Nn]o|[Oo]n|[Oo]ff|0|1)$' },
      { type: 'integer', enum: [0, 1] },
    ],
  },
  duration: {
    anyOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern: '^[0-9]' },
    ],
  },
  'string-list': { anyOf: [SCALAR, listOf(SCALAR)] },
  'string-map': { anyOf: [TEXT_MAP, listOf(TEXT_MAP), { type: 'string' }] },
  map: { anyOf: [{ type: 'object' }, { type: 'string', pattern: '^\\s*\\{' }] },
  mode: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^(0o?)?[0-7]{1,5}$' },
    ],
  },
  template: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
  any: {},
  data: {},
};

/** What the engine takes on every state. */
const ATTRIBUTES: Readonly<Record<string, JsonSchema>> = {
  onlyif: described('Shell commands that must all exit with 0.', TYPES['string-list']),
  unless: described('Shell commands none of which may exit with 0.', TYPES['string-list']),
  order: described('Launch order inside a level: a whole number, first or last.', {
    anyOf: [TYPES.integer, { type: 'string', enum: ['first', 'last'] }],
  }),
  retry: described('How often to try again after a failure, and how long to wait between.', {
    anyOf: [
      { type: ['boolean', 'integer'] },
      {
        type: 'object',
        properties: { attempts: TYPES.integer, interval: TYPES.duration },
        additionalProperties: false,
      },
      listOf({ type: 'object' }),
    ],
  }),
  failhard: described('When this state fails, no later state runs.', TYPES.boolean),
  names: described('One state for each of these names.', listOf({ anyOf: [SCALAR, { type: 'object' }] })),
};

export function stateFileSchema(modules: readonly StateModule[]): JsonSchema {
  const names = modules.map(({ name }) => name);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Zester state file',
    description: 'Ids and what is declared of them. Made by `npm run docs`; do not edit.',
    type: ['object', 'null'],
    properties: {
      include: NOTHING_OR(listOf({ type: 'string' })),
      exclude: NOTHING_OR(listOf({ anyOf: [{ type: 'string' }, { type: 'object' }] })),
      extend: NOTHING_OR({ type: 'object', additionalProperties: ref('state') }),
    },
    additionalProperties: ref('state'),
    definitions: {
      state: stateSchema(names),
      requisite: requisiteSchema(),
      ...ATTRIBUTES,
      ...Object.fromEntries(Object.entries(TYPES).map(([type, schema]) => [`type ${type}`, schema])),
      ...Object.fromEntries(modules.map((module) => [module.name, argumentsSchema(module)])),
      ...Object.fromEntries(familiesOf(names).map((family) => [family, shortFormSchema(family, names)])),
    },
  };
}

/** `id: file.touch`, `id: [file.touch]`, or functions with their arguments. */
function stateSchema(names: readonly string[]): JsonSchema {
  return {
    anyOf: [
      { type: 'string', enum: names },
      listOf({ anyOf: [{ type: 'string', enum: names }, { type: 'object' }] }),
      {
        type: 'object',
        minProperties: 1,
        properties: Object.fromEntries([...names, ...familiesOf(names)].map((name) => [name, ref(name)])),
        additionalProperties: false,
      },
    ],
  };
}

function requisiteSchema(): JsonSchema {
  const one = {
    anyOf: [{ type: 'string' }, { type: 'object', minProperties: 1, additionalProperties: SCALAR }],
  };
  return NOTHING_OR(one, listOf(one));
}

/** A list of single arguments, or nothing. */
function argumentsSchema({ summary, params, open }: StateModule): JsonSchema {
  const own = Object.entries(params).flatMap(([name, spec]) =>
    paramNames(name, spec).map((each) => [each, paramSchema(spec)] as const),
  );
  const item = {
    type: 'object',
    minProperties: 1,
    properties: {
      ...Object.fromEntries([...REQUISITE_KEYS.keys()].map((key) => [key, ref('requisite')])),
      ...Object.fromEntries(Object.keys(ATTRIBUTES).map((key) => [key, ref(key)])),
      // A module that is open may have a parameter of its own by such a name; its own goes first.
      ...Object.fromEntries(own),
    },
    additionalProperties: open === true,
  };
  return described(summary, NOTHING_OR(listOf(open === true ? { anyOf: [item, { type: 'string' }] } : item)));
}

/** `id: {file: [touch, {makedirs: true}]}`. */
function shortFormSchema(family: string, names: readonly string[]): JsonSchema {
  const functions = names
    .filter((name) => name.startsWith(`${family}.`))
    .map((name) => name.slice(family.length + 1));
  return listOf({
    anyOf: [
      { type: 'string', enum: functions },
      { type: 'object', minProperties: 1 },
    ],
  });
}

/** Nothing counts as not given. */
function paramSchema(spec: ParamSpec): JsonSchema {
  const accepted = ref(`type ${spec.type}`);
  return described(spec.doc, isRequired(spec) ? { anyOf: [accepted] } : NOTHING_OR(accepted));
}

function described(description: string, schema: JsonSchema): JsonSchema {
  return { description, ...schema };
}

/** One line for each definition: every state takes so much that more would be mostly braces. */
export function printSchema({ definitions, ...rest }: JsonSchema): string {
  const lines = Object.entries(definitions as object).map(
    ([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
  );
  const head = JSON.stringify(rest, undefined, 2).replace(/\n\}$/, '');
  return `${head},\n  "definitions": {\n${lines.join(',\n')}\n  }\n}\n`;
}

function familiesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))].sort();
}
