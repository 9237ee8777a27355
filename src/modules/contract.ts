/**
 * This is the shape of one execution function, which is what a peel can do. One declaration gives its parameters, what
 * it does, what it would do in a dry run, and its documentation.
 *
 * There are two kinds. A query only looks; it gets a context that cannot write or start a program, runs the same in a
 * dry run, and the peel may run it beside whatever its worker is doing. An action gets the machine; in a dry run its
 * `preview` runs instead, with the context of a query, so that a dry run cannot change anything (decision 19). Both wait for
 * the worker: what a preview foretells, it foretells of the machine that the work before it leaves.
 *
 * Whatever lasts ends soon after `signal` aborts (a cancel, or the deadline of the job).
 */

import type { ErrorCode } from '../core/errors/zester-error.ts';
import type { Params, ValuesOf } from '../core/params/params.ts';
import type { ResolvedSettings } from '../core/settings/resolved-settings.ts';
import type { OperatorWords } from '../core/target/operator-words.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ReadSystem, System } from '../system/system.ts';
import type { WireMap, WireValue } from '../wire/msgpack/wire-value.ts';
import type { MirrorsAccess } from './files/mirrors-access.ts';
import type { ReadStates, StateRunOutcome, StatesAccess } from './state/state-access.ts';
import type { StateModuleRegistry } from './state-contract.ts';

export interface QueryContext {
  readonly system: ReadSystem;
  readonly facts: ReadFacts;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly peelId: string;
  /** The job that calls it. */
  readonly jid: string;
  /** Of the peel program. */
  readonly version: string;
  readonly functions: FunctionRegistry;
  readonly stateModules: StateModuleRegistry;
  readonly states: ReadStates;
  /** As the peel has them now, secrets in their places. Throws where they cannot be read. */
  readonly settings: () => Promise<ResolvedSettings>;
  /** What this peel has of the files that masters publish. */
  readonly mirrors: MirrorsAccess;
  /** What the caller gave besides the declared parameters, for a function that is `open`. */
  readonly rest: WireMap;
}

export interface FunctionContext extends QueryContext {
  readonly system: System;
  readonly facts: FactsAccess;
  readonly states: StatesAccess;
}

export interface ReadFacts {
  /** What the machine tells, with the facts that operators set in their place. */
  all(): WireMap;
  /** What operators say of this peel. */
  words(): OperatorWords;
  /** By dotted path over nested maps, `os.family`. Undefined when there is no such fact. */
  get(path: string): WireValue | undefined;
}

export interface FactsAccess extends ReadFacts {
  /** Writes the custom facts file and then changes what `all` gives. The path is not one of Zester's own. */
  setCustom(path: string, value: WireValue): Promise<void>;
}

export interface FunctionOutcome {
  /** Something was changed, or would be in a dry run. */
  readonly changed: boolean;
  /** The answer; goes out as it is for programs, and for people as text, unless `details.result` says it better. */
  readonly result?: WireValue;
  readonly details?: Readonly<Record<string, string>>;
  /** Those of the details that are more than text, as they are: numbers, bytes that are no UTF-8. */
  readonly data?: WireMap;
  readonly diff?: string;
  /** Why it failed. Not there: it went well. */
  readonly error?: string;
  /** The code of that error, where it is one of the registry and nothing was run. */
  readonly code?: ErrorCode;
  /** It ran states: their results are the answer, in place of one result of the function's own. */
  readonly states?: StateRunOutcome;
}

interface Declaration<P extends Params> {
  /** `family.function`. */
  readonly name: string;
  /** One sentence, for lists. */
  readonly summary: string;
  /** What else a person should know: limits, surprises. */
  readonly description?: string;
  readonly params: P;
  /** Takes arguments that are not declared; they come as `context.rest`. */
  readonly open?: boolean;
  /** Command lines that work as they stand. */
  readonly examples: readonly [string, ...string[]];
  /** The function of which this is another name. */
  readonly aliasOf?: string;
}

// Methods, not function properties: so a function with parameters of its own is still an ExecutionFunction.
export interface Query<P extends Params = Params> extends Declaration<P> {
  readonly kind: 'query';
  run(values: ValuesOf<P>, context: QueryContext): Promise<FunctionOutcome>;
}

export interface Action<P extends Params = Params> extends Declaration<P> {
  readonly kind: 'action';
  /** False for what only takes time or asks another program. */
  readonly changesMachine: boolean;
  run(values: ValuesOf<P>, context: FunctionContext): Promise<FunctionOutcome>;
  /** What `run` would do, found out without doing it. */
  preview(values: ValuesOf<P>, context: QueryContext): Promise<FunctionOutcome>;
}

export type ExecutionFunction<P extends Params = Params> = Query<P> | Action<P>;

export interface FunctionRegistry {
  /** Sorted by name. */
  readonly all: readonly ExecutionFunction[];
  has(name: string): boolean;
  /** Throws MODULE_UNKNOWN_FUNCTION, with the names that were perhaps meant. */
  get(name: string): ExecutionFunction;
}

export function query<P extends Params>(declaration: Omit<Query<P>, 'kind'>): Query<P> {
  return { kind: 'query', ...declaration };
}

export function action<P extends Params>(declaration: Omit<Action<P>, 'kind'>): Action<P> {
  return { kind: 'action', ...declaration };
}

/** The same function under another name. */
export function aliasOf(target: ExecutionFunction, name: string): ExecutionFunction {
  const [first, ...rest] = target.examples;
  const renamed = (example: string) => example.replace(target.name, name);
  return { ...target, name, aliasOf: target.name, examples: [renamed(first), ...rest.map(renamed)] };
}

export function familyOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('.')));
}
