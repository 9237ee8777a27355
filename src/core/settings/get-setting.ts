/**
 * These functions look settings up as Salt's `pillar.get` and `pillar.keys` do (recorded), for templates and for the functions
 * of the peel. A path may also have dots, and text that is a key as it stands is that key (data-path.ts). Pure.
 */
import { type DataMap, type DataValue, dataEntries, isDataMap, keyText } from '../data/data-value.ts';
import { lookUpPath } from '../states/template/data-path.ts';
import { deepMerge, newItems } from '../states/template/deep-merge.ts';
import { nearestWord } from '../suggest.ts';

export interface SettingQuery {
  readonly key: string;
  /** Where there is no such setting. Default: empty text. A setting that is null is there. */
  readonly fallback?: DataValue | undefined;
  /** What is found is laid on the fallback, where both are maps; where both are lists, what is new in it is added. */
  readonly merge?: boolean | undefined;
  readonly delimiter?: string | undefined;
}

export function getSetting(settings: DataMap, query: SettingQuery): DataValue {
  const { key, fallback = '', merge = false, delimiter } = query;
  const found = lookUpPath(settings, key, delimiter);
  if (found === undefined) return fallback;
  if (!merge) return found;
  if (isDataMap(fallback) && isDataMap(found)) return deepMerge(fallback, found);
  return isList(fallback) && isList(found) ? [...fallback, ...newItems(fallback, found)] : found;
}

export type SettingKeys =
  | { readonly keys: readonly DataValue[] }
  /** There is no such setting, or it is no map. */
  | { readonly problem: 'missing' | 'no map' };

/** The keys of a map, in its order; without `key` those at the top. */
export function settingKeys(settings: DataMap, key: string | undefined, delimiter?: string): SettingKeys {
  const at = key === undefined ? settings : lookUpPath(settings, key, delimiter);
  if (at === undefined) return { problem: 'missing' };
  return isDataMap(at) ? { keys: dataEntries(at).map(([each]) => each) } : { problem: 'no map' };
}

/** The setting at the top that may have been meant. */
export function nearSetting(settings: DataMap, key: string): string | undefined {
  return nearestWord(
    key,
    dataEntries(settings).map(([each]) => keyText(each)),
  );
}

function isList(value: DataValue): value is readonly DataValue[] {
  return Array.isArray(value);
}
