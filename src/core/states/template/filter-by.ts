/**
 * `filterBy` is Salt's `grains.filter_by`: one entry of a map, chosen by a fact. The keys are globs, and the first that
 * fits a value of the fact wins; else the entry `default`. `base` lies under the entry, `merge` over it. Pure.
 */
import {
  type DataMap,
  type DataValue,
  dataAt,
  dataEntries,
  isDataMap,
  keyText,
} from '../../data/data-value.ts';
import { matchesGlob } from '../../jinja/library/salt/glob.ts';
import { deepMerge } from './deep-merge.ts';

export interface FilterBy {
  readonly lookup: DataMap;
  /** What the fact is; a list counts as each of its values. */
  readonly value: DataValue | undefined;
  readonly merge?: DataValue | undefined;
  /** The key to take where nothing fits. */
  readonly fallback?: string;
  /** A map, or the key of one in `lookup`. */
  readonly base?: DataValue | undefined;
}

/** Null where nothing fits. */
export function filterBy({ lookup, value, merge, fallback = 'default', base }: FilterBy): DataValue {
  const chosen = chosenFor(lookup, value) ?? dataAt(lookup, fallback) ?? null;
  const under = typeof base === 'string' ? (dataAt(lookup, base) ?? base) : base;
  return layered(layered(isDataMap(under) ? under : null, chosen), isDataMap(merge) ? merge : null);
}

function chosenFor(lookup: DataMap, value: DataValue | undefined): DataValue | undefined {
  const values = (Array.isArray(value) ? (value as readonly DataValue[]) : [value ?? null]).map(String);
  const entries = dataEntries(lookup).map(([key, entry]) => [keyText(key), entry] as const);
  for (const each of values) {
    const fitting = entries.find(([key]) => key === each) ?? entries.find(([key]) => matchesGlob(each, key));
    if (fitting !== undefined) return fitting[1];
  }
  return undefined;
}

function layered(under: DataValue, over: DataValue): DataValue {
  if (over === null) return under;
  return isDataMap(under) && isDataMap(over) ? deepMerge(under, over) : over;
}
