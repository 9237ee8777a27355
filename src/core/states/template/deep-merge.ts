/**
 * `deepMerge` lays settings on settings: maps are merged key by key, anything else is replaced as a whole, as
 * `salt.utils.dictupdate` does it. Pure.
 */
import { FORBIDDEN_KEY } from '../../../wire/msgpack/wire-value.ts';
import { dataIdentity } from '../../data/data-identity.ts';
import {
  type DataMap,
  type DataValue,
  dataAt,
  dataEntries,
  dataMapOf,
  isDataMap,
} from '../../data/data-value.ts';

export interface MergeDepth {
  /** How many levels of maps are merged: 1 is only the outermost. */
  readonly levels: number;
  /** What becomes of two lists. */
  readonly lists: 'replace' | 'append';
}

const EVERY_LEVEL: MergeDepth = { levels: Number.POSITIVE_INFINITY, lists: 'replace' };

/** `over` wins. Keys keep the place where they came first, as in Salt. Neither argument is changed. */
export function deepMerge(under: DataMap, over: DataMap, depth: MergeDepth = EVERY_LEVEL): DataMap {
  const merged = dataEntries(over)
    .filter(([key]) => key !== FORBIDDEN_KEY)
    .map(([key, value]): readonly [DataValue, DataValue] => {
      const before = dataAt(under, key);
      return [key, before === undefined ? value : mergeValues(before, value, oneLess(depth))];
    });
  return dataMapOf([...dataEntries(under), ...merged]);
}

export function mergeValues(before: DataValue, value: DataValue, depth: MergeDepth): DataValue {
  if (mergesMaps(before, value, depth)) return deepMerge(before as DataMap, value as DataMap, depth);
  return mergesLists(before, value, depth)
    ? [
        ...(before as readonly DataValue[]),
        ...newItems(before as readonly DataValue[], value as readonly DataValue[]),
      ]
    : value;
}

export function oneLess({ levels, lists }: MergeDepth): MergeDepth {
  return { levels: levels - 1, lists };
}

export function mergesMaps(before: DataValue, value: DataValue, { levels }: MergeDepth): boolean {
  return levels > 0 && isDataMap(before) && isDataMap(value);
}

export function mergesLists(before: DataValue, value: DataValue, { levels, lists }: MergeDepth): boolean {
  return levels > 0 && lists === 'append' && Array.isArray(before) && Array.isArray(value);
}

/** What a list adds to another one: its items that the other has not; those that it has twice it adds twice. */
export function newItems(before: readonly DataValue[], items: readonly DataValue[]): readonly DataValue[] {
  const known = new Set(before.map(dataIdentity));
  return items.filter((item) => !known.has(dataIdentity(item)));
}
