/**
 * Data values are what people write in YAML and templates make: as on the wire, with two things more that Python has. A
 * map whose keys JavaScript would reorder or make text of (`443: https`, `80: http`) is a Map, every other one a plain
 * object, so that a map keeps its order and its keys either way. A float that is a whole number is a `YamlFloat`, so that
 * `1.0` is printed as `1.0`. Every wire value is a data value; `wireOfData` says what is lost on the way back. Pure.
 */
import { WireTime } from '../../wire/msgpack/time.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { YamlFloat } from '../yaml/yaml-data.ts';

export type DataValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | YamlFloat
  | Uint8Array
  | WireTime
  | readonly DataValue[]
  | DataMap;

/** Read it with what is here, whichever of the two it is. */
export type DataMap = { readonly [key: string]: DataValue } | ReadonlyMap<DataValue, DataValue>;

export function isDataMap(value: DataValue | undefined): value is DataMap {
  return value instanceof Map || isWireMap(value as WireValue | undefined);
}

export function dataEntries(map: DataMap): readonly (readonly [DataValue, DataValue])[] {
  return map instanceof Map ? [...map] : Object.entries(map);
}

/** Of two entries with one key the later wins, in the place of the earlier. */
export function dataMapOf(entries: Iterable<readonly [DataValue, DataValue]>): DataMap {
  const list = Array.isArray(entries) ? (entries as (readonly [DataValue, DataValue])[]) : [...entries];
  if (list.every(([key]) => isPlainKey(key))) return Object.fromEntries(list) as WireMap;
  const byKey = new Map<unknown, readonly [DataValue, DataValue]>();
  for (const [key, value] of list) {
    const id = keyId(key);
    byKey.set(id, [byKey.get(id)?.[0] ?? key, value]);
  }
  return new Map(byKey.values());
}

/** Undefined where there is no such key. */
export function dataAt(map: DataMap, key: DataValue): DataValue | undefined {
  if (!(map instanceof Map))
    return typeof key === 'string' && Object.hasOwn(map, key) ? (map as WireMap)[key] : undefined;
  const found = map.get(key) as DataValue | undefined;
  if (found !== undefined || map.has(key)) return found;
  const id = keyId(key);
  for (const [each, value] of map as ReadonlyMap<DataValue, DataValue>) if (keyId(each) === id) return value;
  return undefined;
}

/**
 * What a map or value is on the wire, where all keys are text: `443` is `"443"`, `true` is `"true"` and nothing is
 * `"null"`, as in JSON. Of two keys with one text the later wins. A float is a number, so that `1.0` becomes 1.
 */
export function wireOfData(value: DataValue): WireValue {
  if (value === null || typeof value !== 'object' || value instanceof WireTime) return value;
  if (value instanceof YamlFloat) return value.value;
  if (Array.isArray(value)) return (value as readonly DataValue[]).map(wireOfData);
  return isDataMap(value) ? wireOfDataMap(value) : (value as Uint8Array);
}

export function wireOfDataMap(map: DataMap): WireMap {
  return Object.fromEntries(dataEntries(map).map(([key, value]) => [keyText(key), wireOfData(value)]));
}

/** The text that stands for a key where keys are text. */
export function keyText(key: DataValue): string {
  return key instanceof YamlFloat ? `${key.value}.0` : String(key);
}

/** Whether an object keeps it as it is, and in its place. */
export function isPlainKey(key: DataValue): key is string {
  return typeof key === 'string' && !LOOKS_LIKE_AN_INDEX.test(key);
}

/** JavaScript puts such keys of an object before all others. */
const LOOKS_LIKE_AN_INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** Equal for keys that are equal in Python: 1, 1.0 and true are one. */
function keyId(key: DataValue): unknown {
  if (typeof key === 'string') return `text ${key}`;
  if (key instanceof YamlFloat) return key.value;
  if (typeof key === 'boolean') return Number(key);
  if (typeof key === 'bigint') return Number.isSafeInteger(Number(key)) ? Number(key) : key;
  return key instanceof Uint8Array ? `bytes ${key.join(' ')}` : key;
}
