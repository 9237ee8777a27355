/**
 * These functions follow paths into facts and settings, as Salt and Zester write them: `os:family` and `os.family`. A
 * colon anywhere makes it a path of colons; so a key with dots in it is still reached. Numbers lead into lists. Text
 * that is a key as it stands is that key.
 */
import { isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';

/** Undefined where the path leads nowhere. */
export function lookUpPath(
  data: WireMap,
  path: string,
  delimiter = path.includes(':') ? ':' : '.',
): WireValue | undefined {
  if (Object.hasOwn(data, path)) return data[path];
  let at: WireValue | undefined = data;
  for (const key of path.split(delimiter)) {
    at = inside(at, key);
    if (at === undefined) return undefined;
  }
  return at;
}

function inside(value: WireValue | undefined, key: string): WireValue | undefined {
  if (Array.isArray(value))
    return /^\d{1,9}$/.test(key) ? (value as readonly WireValue[])[Number(key)] : undefined;
  return isWireMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
