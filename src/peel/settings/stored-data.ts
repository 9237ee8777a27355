/**
 * Stored data is a data value as a file of ours keeps it: as on the wire, but so that nothing is lost on the way back. Maps
 * keep their order and their keys (`443: https`), a float stays a float (`1.0`). What the wire cannot say is a map with one
 * key of ours. Pure.
 */
import {
  type DataMap,
  type DataValue,
  dataEntries,
  dataMapOf,
  isDataMap,
} from '../../core/data/data-value.ts';
import { YamlFloat } from '../../core/yaml/yaml-data.ts';
import { FORBIDDEN_KEY, isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';

/** Pairs of key and value. */
const PAIRS = '\0pairs';
const FLOAT = '\0float';

export function storedData(value: DataValue): WireValue {
  if (value instanceof YamlFloat) return { [FLOAT]: value.value };
  if (Array.isArray(value)) return (value as readonly DataValue[]).map(storedData);
  if (!isDataMap(value)) return value as WireValue;
  const entries = dataEntries(value);
  const isPlain = !(value instanceof Map) && entries.every(([key]) => isOrdinary(key as string));
  if (!isPlain) return { [PAIRS]: entries.map(([key, item]) => [storedData(key), storedData(item)]) };
  return Object.fromEntries(entries.map(([key, item]) => [key as string, storedData(item)]));
}

/** Undefined for what is no stored data. */
export function dataOfStored(stored: WireValue): DataValue | undefined {
  if (Array.isArray(stored)) return all((stored as readonly WireValue[]).map(dataOfStored));
  if (!isWireMap(stored)) return stored as DataValue;
  const float = stored[FLOAT];
  if (float !== undefined) return typeof float === 'number' ? new YamlFloat(float) : undefined;
  const pairs = stored[PAIRS];
  if (pairs !== undefined)
    return Array.isArray(pairs) ? mapOfPairs(pairs as readonly WireValue[]) : undefined;
  return mapOfEntries(stored);
}

function isOrdinary(key: string): boolean {
  return key !== PAIRS && key !== FLOAT && key !== FORBIDDEN_KEY;
}

function mapOfEntries(map: WireMap): DataMap | undefined {
  const entries = Object.entries(map).map(([key, item]) => paired(key, dataOfStored(item)));
  const whole = all(entries);
  return whole && (Object.fromEntries(whole) as DataMap);
}

function mapOfPairs(pairs: readonly WireValue[]): DataMap | undefined {
  const whole = all(
    pairs.map((pair) => {
      const [key, value] = Array.isArray(pair) ? (pair as readonly WireValue[]).map(dataOfStored) : [];
      return key === undefined ? undefined : paired(key, value);
    }),
  );
  return whole && dataMapOf(whole);
}

function paired<K>(key: K, value: DataValue | undefined): readonly [K, DataValue] | undefined {
  return value === undefined ? undefined : [key, value];
}

function all<T>(values: readonly (T | undefined)[]): readonly T[] | undefined {
  return values.includes(undefined) ? undefined : (values as readonly T[]);
}
