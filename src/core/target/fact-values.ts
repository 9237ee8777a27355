/**
 * These functions read what a peel has under a fact path, as texts to compare with: each value printed, in lower case.
 * Keys are joined by dots. A list on the way is taken element by element, or by position if the key is a number, and a
 * list at the end counts with all its elements: `G@network.ipv4:10.0.0.5`, `G@disk.mounts.fstype:xfs`. Salt's names
 * work besides (core/states/template/grain-table.ts): they are worked out here, no peel stores or sends them.
 *
 * Facts come from peels, and a peel may send any nonsense: beyond the limits below what it says is not looked at.
 */

import { formatRfc3339, WireTime } from '../../wire/msgpack/time.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';
import { GRAINS, type Grain } from '../states/template/grain-table.ts';

/** Maps and lists visited, for one path of one peel. */
const VISITS_MAX = 4_096;
/** Characters of all values together, for one path of one peel. */
const VALUE_CHARS_MAX = 16_384;

/** `os` is a map, and `G@os:ubuntu` is in every manual: alone it stands for these of its keys, and for Salt's grain. */
const SHORT_FORM = { path: FACT_KEYS.os, keys: ['name', 'platform'] } as const;

/** Undefined when the peel has nothing there that could be compared. A list without elements is something: none. */
export function factValues(
  { id, facts }: { readonly id: string; readonly facts: WireMap },
  path: FactPath,
): readonly string[] | undefined {
  // The common case, without the bookkeeping: a plain value in a map in a map, as they come off the wire.
  const direct = directValue(facts, path.keys);
  if (typeof direct === 'string' && direct.length <= VALUE_CHARS_MAX) return [direct.toLowerCase()];
  if (typeof direct === 'number' || typeof direct === 'boolean') return [String(direct)];
  const search: Search = { path, values: [], found: false, visits: 0, chars: 0 };
  descend(facts, 0, search);
  const { grain, keys } = path;
  const [top = ''] = keys;
  if (grain !== undefined && (path.text === SHORT_FORM.path || !Object.hasOwn(facts, top)))
    descend(grain.value(facts, id), 1, search);
  return search.found ? search.values : undefined;
}

export interface FactPath {
  readonly text: string;
  readonly keys: readonly string[];
  /** What the first key means where the peel has no fact of that name. */
  readonly grain: Grain | undefined;
}

export function factPath(text: string): FactPath {
  const [top = '', ...rest] = text.split('.');
  const grain = GRAINS.get(top);
  const isOneKey = grain?.isByInterface === true && rest.length > 0;
  return { text, keys: [top, ...(isOneKey ? [rest.join('.')] : rest)], grain };
}

interface Search {
  readonly path: FactPath;
  readonly values: string[];
  found: boolean;
  visits: number;
  chars: number;
}

function directValue(facts: WireMap, keys: readonly string[]): WireValue | undefined {
  let value: WireValue | undefined = facts;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== null)
      return undefined;
    value = (value as WireMap)[key];
  }
  return value;
}

function descend(value: WireValue | undefined, depth: number, search: Search): void {
  if (value === undefined || ++search.visits > VISITS_MAX) return;
  const key = search.path.keys[depth];
  if (key === undefined) collect(value, search);
  else if (isList(value)) descendList(value, key, depth, search);
  else if (isWireMap(value) && Object.hasOwn(value, key)) descend(value[key], depth + 1, search);
}

function descendList(list: readonly WireValue[], key: string, depth: number, search: Search): void {
  if (/^\d{1,9}$/.test(key)) {
    descend(list[Number(key)], depth + 1, search);
    return;
  }
  for (const element of list) {
    if (search.visits > VISITS_MAX) return;
    descend(element, depth, search);
  }
}

function collect(value: WireValue, search: Search): void {
  if (isList(value)) {
    search.found = true;
    for (const element of value) {
      if (++search.visits > VISITS_MAX) return;
      collect(element, search);
    }
  } else if (isWireMap(value)) {
    if (search.path.text !== SHORT_FORM.path) return;
    for (const key of SHORT_FORM.keys) if (Object.hasOwn(value, key)) add(printed(value[key]), search);
  } else {
    add(printed(value), search);
  }
}

function add(text: string | undefined, search: Search): void {
  if (text === undefined || search.chars + text.length > VALUE_CHARS_MAX) return;
  search.found = true;
  search.chars += text.length;
  search.values.push(text.toLowerCase());
}

/** Nothing for what has no text to compare: null, bytes, maps. */
function printed(value: WireValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return value instanceof WireTime ? formatRfc3339(value.unixNanos) : undefined;
}

function isList(value: WireValue | undefined): value is readonly WireValue[] {
  return Array.isArray(value);
}
