/**
 * `filterBy` is Salt's `grains.filter_by`: one entry of a map, chosen by a fact. The keys are globs, and the first that
 * fits a value of the fact wins; else the entry `default`. `base` lies under the entry, `merge` over it. Pure.
 */
import { isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';
import { matchesGlob } from '../../jinja/library/salt/glob.ts';
import { deepMerge } from './deep-merge.ts';

export interface FilterBy {
  readonly lookup: WireMap;
  /** What the fact is; a list counts as each of its values. */
  readonly value: WireValue | undefined;
  readonly merge?: WireValue | undefined;
  /** The key to take where nothing fits. */
  readonly fallback?: string;
  /** A map, or the key of one in `lookup`. */
  readonly base?: WireValue | undefined;
}

/** Null where nothing fits. */
export function filterBy({ lookup, value, merge, fallback = 'default', base }: FilterBy): WireValue {
  const key = keyFor(lookup, value) ?? (Object.hasOwn(lookup, fallback) ? fallback : undefined);
  const chosen = key === undefined ? null : (lookup[key] ?? null);
  const under = typeof base === 'string' && Object.hasOwn(lookup, base) ? lookup[base] : base;
  return layered(layered(isWireMap(under) ? under : null, chosen), isWireMap(merge) ? merge : null);
}

function keyFor(lookup: WireMap, value: WireValue | undefined): string | undefined {
  const values = (Array.isArray(value) ? (value as readonly WireValue[]) : [value ?? null]).map(String);
  const keys = Object.keys(lookup);
  for (const each of values) {
    const fitting = keys.find((key) => key === each) ?? keys.find((key) => matchesGlob(each, key));
    if (fitting !== undefined) return fitting;
  }
  return undefined;
}

function layered(under: WireValue, over: WireValue): WireValue {
  if (over === null) return under;
  return isWireMap(under) && isWireMap(over) ? deepMerge(under, over) : over;
}
