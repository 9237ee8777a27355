/**
 * A compiled state is what the compiler makes of state files and the runner runs: one entry for each function of each
 * id, with its requisites resolved to the names of other entries. Nothing in it has to be looked up in a file again.
 */
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { SourcePosition } from '../errors/zester-error.ts';

/**
 * `family.function:id`, and for a state that `names` made `family.function:id:name`; unlike any other of the run. What
 * results, requisites and the undo journal call a state.
 */
export type StateName = string;

export interface CompiledState {
  readonly name: StateName;
  /** `family.function`. */
  readonly module: string;
  /** As the file says. All states that `names` made of one declaration have the same. */
  readonly id: string;
  /** What the state is about, Salt's `name`: the primary parameter, or the entry of `names`; else the id. */
  readonly about: string;
  /** The file it came from, as it is included: `web.config`. */
  readonly sls: string;
  readonly at: SourcePosition;
  /** Without requisites and attributes. */
  readonly args: WireMap;
  /** `args` decoded by the parameters of the function. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly requisites: Requisites;
  readonly attributes: Attributes;
}

/**
 * What has to be true of the named states before a state runs:
 *
 *   require        each went well                       onchanges      none failed, and one changed something
 *   require_any    one went well                        onchanges_any  one changed something
 *   watch          each went well; one that changed     onfail         one failed
 *                  something forces this one            onfail_any     the same
 *   watch_any      one went well; forces likewise       onfail_all     each failed
 *   prereq         one is going to change something; this one runs before it
 *
 * All of them, except prereq, also order: the named states run in an earlier level. `prereq: B` on A puts A before B.
 */
export const REQUISITE_KINDS = [
  'require',
  'require_any',
  'watch',
  'watch_any',
  'onchanges',
  'onchanges_any',
  'onfail',
  'onfail_any',
  'onfail_all',
  'prereq',
] as const;

export type RequisiteKind = (typeof REQUISITE_KINDS)[number];

/** In the order they were written, none twice. */
export type Requisites = Readonly<Record<RequisiteKind, readonly StateName[]>>;

export interface Attributes {
  /** What must all hold. */
  readonly onlyif: readonly Guard[];
  /** None of which may hold. */
  readonly unless: readonly Guard[];
  /** Launch order inside a level; lower first, 0 where nothing is said. */
  readonly order: number;
  readonly retry: Retry | undefined;
  readonly failhard: boolean;
}

/** A shell command, which holds where it exits with 0; or what a template has decided already. */
export type Guard = string | boolean;

export interface Retry {
  /** After the first failure. */
  readonly attempts: number;
  readonly intervalMs: number;
  /** The wait before an attempt is up to so much longer, by chance: not all peels come back at once. */
  readonly splayMs: number;
}

export const ORDER_FIRST = -1_000_000;
export const ORDER_LAST = 1_000_000;

export const NO_REQUISITES: Requisites = {
  require: [],
  require_any: [],
  watch: [],
  watch_any: [],
  onchanges: [],
  onchanges_any: [],
  onfail: [],
  onfail_any: [],
  onfail_all: [],
  prereq: [],
};

export const NO_ATTRIBUTES: Attributes = {
  onlyif: [],
  unless: [],
  order: 0,
  retry: undefined,
  failhard: false,
};

/** `entry`: of `names`, where there are any. */
export function stateName(module: string, id: string, entry: string = id): StateName {
  return entry === id ? `${module}:${id}` : `${module}:${id}:${entry}`;
}
