/**
 * These functions follow paths into facts and settings, as Salt and Zester write them: `os:family` and `os.family`. A
 * colon anywhere makes it a path of colons; so a key with dots in it is still reached. Numbers lead into lists. Text
 * that is a key as it stands is that key.
 */
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import { type DataMap, type DataValue, dataAt, isDataMap } from '../../data/data-value.ts';
import { resolvePlain } from '../../yaml/resolve-plain.ts';

/** Undefined where the path leads nowhere. */
export function lookUpPath(data: WireMap, path: string, delimiter?: string): WireValue | undefined;
export function lookUpPath(data: DataMap, path: string, delimiter?: string): DataValue | undefined;
export function lookUpPath(
  data: DataMap,
  path: string,
  delimiter = path.includes(':') ? ':' : '.',
): DataValue | undefined {
  const whole = dataAt(data, path);
  if (whole !== undefined) return whole;
  let at: DataValue | undefined = data;
  for (const key of path.split(delimiter)) {
    at = inside(at, key);
    if (at === undefined) return undefined;
  }
  return at;
}

function inside(value: DataValue | undefined, key: string): DataValue | undefined {
  if (Array.isArray(value))
    return /^\d{1,9}$/.test(key) ? (value as readonly DataValue[])[Number(key)] : undefined;
  if (!isDataMap(value)) return undefined;
  const found = dataAt(value, key);
  return found === undefined ? atKeyOfYaml(value, key) : found;
}

/** `ports:443` finds the key 443, which is a number: what is no key as text is one as YAML would read it, as in Salt. */
function atKeyOfYaml(map: DataMap, key: string): DataValue | undefined {
  const read = resolvePlain(key);
  if (read === undefined || read.type === 'str') return undefined;
  return dataAt(map, read.type === 'null' ? null : read.value);
}
