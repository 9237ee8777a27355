/**
 * Parameters of functions and states are declared with what is here, once. From the declaration come the types in code
 * (`ValuesOf`), decoding with its errors (`decode-arguments.ts`) and the documentation (`modules/sys/function-doc.ts`). State
 * modules declare theirs the same way.
 */
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { DataMap, DataValue } from '../data/data-value.ts';

/** What each type of parameter is in code. What is accepted for it stands in `param-values.ts`. */
export interface ParamTypes {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  /** Milliseconds. */
  duration: number;
  'string-list': readonly string[];
  'string-map': Readonly<Record<string, string>>;
  /** Of any values, nested as they come; from YAML with its keys and their order as they were written. */
  map: DataMap;
  /** The twelve permission bits of a file. */
  mode: number;
  /** Whether a text is a template. `jinja` is the only language. */
  template: boolean;
  any: WireValue;
  /** A value as it was written in YAML: keys that are no text, and the order of keys, are kept. */
  data: DataValue;
}

export type ParamType = keyof ParamTypes;

export interface ParamSpec<Type extends ParamType = ParamType, Always extends boolean = boolean> {
  readonly type: Type;
  /** There is a value after decoding: it is required or has a default. */
  readonly always: Always;
  readonly default: ParamTypes[Type] | undefined;
  /** Other names for it. */
  readonly aliases: readonly string[];
  /** Takes the bare argument, and `name` as one more alias. At most one of a function. */
  readonly primary: boolean;
  /** Its value is never shown, not even in an error. */
  readonly sensitive: boolean;
  readonly doc: string;
}

/** By name, in the order they are documented. */
export type Params = Readonly<Record<string, ParamSpec>>;

export type ValuesOf<P extends Params> = { readonly [Name in keyof P]: ValueOf<P[Name]> };

type ValueOf<Spec extends ParamSpec> =
  Spec extends ParamSpec<infer Type, infer Always>
    ? ParamTypes[Type] | (Always extends true ? never : undefined)
    : never;

export interface ParamOptions {
  readonly doc: string;
  readonly aliases?: readonly string[];
  readonly primary?: boolean;
  readonly sensitive?: boolean;
}

export function required<Type extends ParamType>(type: Type, options: ParamOptions): ParamSpec<Type, true> {
  return { ...COMMON, ...options, type, always: true, default: undefined };
}

export function optional<Type extends ParamType>(type: Type, options: ParamOptions): ParamSpec<Type, false> {
  return { ...COMMON, ...options, type, always: false, default: undefined };
}

export function withDefault<Type extends ParamType>(
  type: Type,
  value: ParamTypes[Type],
  options: ParamOptions,
): ParamSpec<Type, true> {
  return { ...COMMON, ...options, type, always: true, default: value };
}

const COMMON = { aliases: [], primary: false, sensitive: false } as const;

export function isRequired(spec: ParamSpec): boolean {
  return spec.always && spec.default === undefined;
}

/** Every name under which a value may come, the parameter's own first. */
export function paramNames(name: string, spec: ParamSpec): readonly string[] {
  // A fast path: most parameters have one name, and this is asked for each parameter of each state.
  if (spec.aliases.length === 0 && !spec.primary) return [name];
  return [...new Set([name, ...spec.aliases, ...(spec.primary ? ['name'] : [])])];
}
