/**
 * `deepMerge` lays settings on settings: maps are merged key by key at every depth, anything else is replaced as a
 * whole. Pure.
 */
import { FORBIDDEN_KEY } from '../../../wire/msgpack/wire-value.ts';
import {
  type DataMap,
  type DataValue,
  dataAt,
  dataEntries,
  dataMapOf,
  isDataMap,
} from '../../data/data-value.ts';

/** `over` wins. Keys keep the place where they came first, as in Salt. Neither argument is changed. */
export function deepMerge(under: DataMap, over: DataMap): DataMap {
  const merged = dataEntries(over)
    .filter(([key]) => key !== FORBIDDEN_KEY)
    .map(([key, value]): readonly [DataValue, DataValue] => {
      const before = dataAt(under, key);
      return [key, isDataMap(before) && isDataMap(value) ? deepMerge(before, value) : value];
    });
  return dataMapOf([...dataEntries(under), ...merged]);
}
