/**
 * `schemaProblems` checks data against the part of JSON Schema that our generated schema uses; a word it does not know
 * throws.
 */
export type JsonData =
  | null
  | boolean
  | number
  | string
  | readonly JsonData[]
  | { readonly [key: string]: JsonData };
type Schema = { readonly [key: string]: unknown };

const NOTES = ['$schema', 'title', 'description', 'definitions'];

/** What is wrong, with the way to it; empty when the data fits. */
export function schemaProblems(
  data: JsonData,
  schema: Schema,
  root: Schema = schema,
  at = '$',
): readonly string[] {
  return Object.entries(schema).flatMap(([word, wanted]) => {
    if (NOTES.includes(word)) return [];
    const check = CHECKS[word];
    if (check === undefined) throw new Error(`the schema says ${word}, which this checker does not know`);
    return check({ data, wanted, schema, root, at });
  });
}

interface Check {
  readonly data: JsonData;
  readonly wanted: unknown;
  readonly schema: Schema;
  readonly root: Schema;
  readonly at: string;
}

const CHECKS: Readonly<Record<string, (check: Check) => readonly string[]>> = {
  $ref: ({ data, wanted, root, at }) => {
    const name = decodeURIComponent(String(wanted).replace('#/definitions/', ''));
    return schemaProblems(data, (root.definitions as Record<string, Schema>)[name] as Schema, root, at);
  },
  anyOf: ({ data, wanted, root, at }) => {
    const each = (wanted as readonly Schema[]).map((schema) => schemaProblems(data, schema, root, at));
    if (each.some((problems) => problems.length === 0)) return [];
    // The deepest way in is the form that was meant.
    return each.sort((a, b) => (b[0] ?? '').length - (a[0] ?? '').length)[0] ?? [];
  },
  type: ({ data, wanted, at }) =>
    [wanted].flat().some((type) => typesOf(data).includes(String(type)))
      ? []
      : [`${at} is no ${String(wanted)}`],
  enum: ({ data, wanted, at }) =>
    (wanted as readonly JsonData[]).includes(data) ? [] : [`${at} is none of ${String(wanted)}`],
  pattern: ({ data, wanted, at }) =>
    typeof data !== 'string' || new RegExp(String(wanted), 'u').test(data)
      ? []
      : [`${at} is not like ${String(wanted)}`],
  minimum: ({ data, wanted, at }) => (Number(data) < Number(wanted) ? [`${at} is too small`] : []),
  required: ({ data, wanted, at }) =>
    isObject(data)
      ? (wanted as readonly string[]).flatMap((key) =>
          Object.hasOwn(data, key) ? [] : [`${at}.${key} is missing`],
        )
      : [],
  minProperties: ({ data, wanted, at }) =>
    isObject(data) && Object.keys(data).length < Number(wanted) ? [`${at} is empty`] : [],
  items: ({ data, wanted, root, at }) =>
    Array.isArray(data)
      ? data.flatMap((item, index) =>
          schemaProblems(item as JsonData, wanted as Schema, root, `${at}[${index}]`),
        )
      : [],
  properties: ({ data, wanted, root, at }) =>
    Object.entries(wanted as Record<string, Schema>).flatMap(([key, schema]) =>
      isObject(data) && Object.hasOwn(data, key)
        ? schemaProblems(data[key] as JsonData, schema, root, `${at}.${key}`)
        : [],
    ),
  additionalProperties: ({ data, wanted, schema, root, at }) => {
    if (!isObject(data)) return [];
    const known = Object.keys((schema.properties ?? {}) as object);
    const others = Object.keys(data).filter((key) => !known.includes(key));
    if (typeof wanted === 'boolean') return wanted ? [] : others.map((key) => `${at}.${key} is unknown`);
    return others.flatMap((key) =>
      schemaProblems(data[key] as JsonData, wanted as Schema, root, `${at}.${key}`),
    );
  },
};

function isObject(data: JsonData): data is { readonly [key: string]: JsonData } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function typesOf(data: JsonData): readonly string[] {
  if (data === null) return ['null'];
  if (Array.isArray(data)) return ['array'];
  if (typeof data === 'number') return Number.isInteger(data) ? ['number', 'integer'] : ['number'];
  return [typeof data];
}
