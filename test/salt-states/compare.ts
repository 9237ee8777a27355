/**
 * `compareCase` says where our low state is not Salt's. What the two call the same thing is mapped here, and nowhere else:
 *
 *     Salt                                                     here
 *     state, fun                                               the function, `file.managed`
 *     __id__, name, __sls__                                    id, about, sls
 *     order of the chunks that say none                        order of declaration
 *     order: first, last, -1                                   ORDER_FIRST, ORDER_LAST, -1
 *     listen                                                   watch
 *     args `onlyif`, `unless`, `retry`, `failhard`             attributes
 *     args that file.managed passes on to its template         variables in `defaults`
 *     parallel, aggregate, backup, reload_modules              nothing: without effect here, with a warning
 *     644 as a file mode, 12 as text                           the text that was written
 *     a text where a list of texts is taken                    a list of one
 */
import {
  type Attributes,
  type CompiledState,
  NO_ATTRIBUTES,
  ORDER_FIRST,
  ORDER_LAST,
} from '../../src/core/states/compiled-state.ts';
import { loadYaml } from '../../src/core/yaml/load-yaml.ts';
import { isWireMap, type WireMap, type WireValue } from '../../src/wire/msgpack/wire-value.ts';
import type { OurCase } from './our-low-state.ts';
import type { RecordedCase, RecordedChunk } from './recorded-trees.ts';

/** Salt numbers the chunks that say no order from here on. */
const FIRST_NUMBER = 10_000;
const LAST_NUMBER = 1_000_000;
const WITHOUT_EFFECT = ['parallel', 'aggregate', 'backup', 'reload_modules'];
const ATTRIBUTES = ['onlyif', 'unless', 'retry', 'failhard'];
/** The parameter that Salt calls `name`. */
const PRIMARY = ['name', 'command', 'path', 'cmd'];

/** What differs, in words; empty where nothing does. */
export function compareCase(recorded: RecordedCase, ours: OurCase): readonly string[] {
  if ('errors' in recorded)
    return 'problems' in ours ? [] : [`Salt refuses: ${recorded.errors[0]?.split('\n')[0]}`];
  if ('problems' in ours) return ours.problems.map(({ message }) => `we refuse: ${message}`);
  const byKey = new Map(ours.states.map((state) => [keyOf(state), state]));
  const salts = recorded.low.map(saltKey);
  return [
    ...salts.filter((key) => !byKey.has(key)).map((key) => `missing: ${key}`),
    ...[...byKey.keys()].filter((key) => !salts.includes(key)).map((key) => `too many: ${key}`),
    ...differ('order of declaration', declared(recorded.low), ourDeclared(ours.states)),
    ...recorded.low.flatMap((chunk) => {
      const state = byKey.get(saltKey(chunk));
      return state === undefined ? [] : compareChunk(chunk, state, ours.states);
    }),
  ];
}

function compareChunk(
  chunk: RecordedChunk,
  state: CompiledState,
  all: readonly CompiledState[],
): readonly string[] {
  const key = saltKey(chunk);
  const byName = new Map(all.map((each) => [each.name, each]));
  const needs = Object.entries(state.requisites)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => [kind, names.map((name) => keyOf(byName.get(name) ?? state)).sort()] as const);
  const { args, passed } = splitArguments(chunk, state);
  return [
    ...differ(`${key}: file`, chunk.sls, state.sls),
    ...differ(`${key}: requisites`, saltNeeds(chunk), sorted(Object.fromEntries(needs))),
    ...differ(`${key}: order`, saltOrder(chunk), state.attributes.order),
    ...differ(`${key}: arguments`, canonical(args), canonical(ourArguments(state, passed))),
    ...differ(`${key}: attributes`, saltAttributes(chunk), ourAttributes(state.attributes)),
  ];
}

function keyOf({ module, id, about }: CompiledState): string {
  return `${module} | ${id} | ${about}`;
}

function saltKey({ state, fun, id, name }: RecordedChunk): string {
  return `${state}.${fun} | ${id} | ${name}`;
}

function isNumbered({ order }: RecordedChunk): boolean {
  return order >= FIRST_NUMBER && order < LAST_NUMBER;
}

function declared(low: readonly RecordedChunk[]): readonly string[] {
  return low
    .filter(isNumbered)
    .toSorted((a, b) => a.order - b.order)
    .map(saltKey);
}

function ourDeclared(states: readonly CompiledState[]): readonly string[] {
  return states.filter(({ attributes }) => attributes.order === NO_ATTRIBUTES.order).map(keyOf);
}

function saltOrder(chunk: RecordedChunk): number {
  if (isNumbered(chunk)) return NO_ATTRIBUTES.order;
  return chunk.said === 'first' ? ORDER_FIRST : chunk.said === 'last' ? ORDER_LAST : chunk.said;
}

function saltNeeds({ needs }: RecordedChunk): unknown {
  const found = new Map<string, string[]>();
  for (const [kind, targets] of Object.entries(needs)) {
    const ours = kind === 'listen' ? 'watch' : kind;
    found.set(ours, [...(found.get(ours) ?? []), ...targets.map((target) => target.join(' | '))]);
  }
  return sorted(
    Object.fromEntries([...found].map(([kind, targets]) => [kind, [...new Set(targets)].sort()])),
  );
}

/** Arguments of the function, and those that are variables of its template. */
function splitArguments(
  { args }: RecordedChunk,
  { args: ours, module }: CompiledState,
): { readonly args: WireMap; readonly passed: readonly string[] } {
  const own = Object.entries(args).filter(
    ([key]) => !ATTRIBUTES.includes(key) && !WITHOUT_EFFECT.includes(key),
  );
  const variables = module === 'file.managed' && isWireMap(ours.defaults) ? Object.keys(ours.defaults) : [];
  const passed = own.map(([key]) => key).filter((key) => !(key in ours) && variables.includes(key));
  return { args: Object.fromEntries(own), passed };
}

function ourArguments({ args, module }: CompiledState, passed: readonly string[]): WireMap {
  const defaults = isWireMap(args.defaults) && module === 'file.managed' ? args.defaults : {};
  const left = Object.entries(defaults).filter(([key]) => !passed.includes(key));
  const own = Object.entries(args).filter(
    ([key]) =>
      !PRIMARY.includes(key) && !WITHOUT_EFFECT.includes(key) && !(key === 'defaults' && left.length === 0),
  );
  return {
    ...Object.fromEntries(own),
    ...(left.length > 0 ? { defaults: Object.fromEntries(left) } : {}),
    ...Object.fromEntries(passed.map((key) => [key, defaults[key] ?? null])),
  };
}

function saltAttributes({ args }: RecordedChunk): unknown {
  const { onlyif = [], unless = [], retry = false, failhard = false } = args;
  return {
    onlyif: [onlyif].flat(),
    unless: [unless].flat(),
    retry: saltRetry(retry),
    failhard: isTrue(failhard),
  };
}

function isTrue(value: WireValue): boolean {
  return value === true || value === 'true';
}

const RETRY_DEFAULTS = { attempts: 2, splay: 0 };

/** The interval that Salt takes where none is given is another one, and is not in its low state. */
function saltRetry(retry: WireValue): unknown {
  if (retry === false) return undefined;
  const given = Array.isArray(retry) ? Object.assign({}, ...retry) : isWireMap(retry) ? retry : {};
  const { until: _, ...rest } = { ...RETRY_DEFAULTS, interval: 10, ...given };
  return sorted(rest);
}

function ourAttributes({ onlyif, unless, retry, failhard }: Attributes): unknown {
  const waits = retry && {
    attempts: retry.attempts,
    interval: retry.intervalMs / 1_000,
    splay: retry.splayMs / 1_000,
  };
  return { onlyif, unless, retry: waits && sorted(waits), failhard };
}

/** As YAML would read it again, and a list of one as what is in it. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? canonical(value[0]) : value.map(canonical);
  if (value !== null && typeof value === 'object')
    return sorted(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, canonical(each)])));
  return typeof value === 'string' ? plainScalar(value) : typeof value === 'bigint' ? Number(value) : value;
}

function plainScalar(text: string): unknown {
  if (!/^[\w.+-]+$/.test(text)) return text;
  if (/^0\d+$/.test(text)) return Number(text);
  const { root } = loadYaml(text, { name: 'scalar' });
  if (root?.kind !== 'scalar' || root.value.type === 'null') return text;
  return root.value.value;
}

function sorted(map: object): unknown {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function differ(what: string, salt: unknown, ours: unknown): readonly string[] {
  const [a, b] = [JSON.stringify(salt), JSON.stringify(ours)];
  return a === b ? [] : [`${what}: Salt ${a}, ours ${b}`];
}
