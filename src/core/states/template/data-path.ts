/**
 * These functions follow paths into facts and settings, as Salt and Zester write them: `os:family` and `os.family`. A
 * colon anywhere makes it a path of colons; so a key with dots in it is still reached. In a list a number is a place, and
 * a name the first map that has it, as in Salt. Text that is a key as it stands is that key.
 */
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import { type DataMap, type DataValue, dataAt, isDataMap } from '../../data/data-value.ts';
import { resolvePlain } from '../../yaml/resolve-plain.ts';

/** Undefined where the path leads nowhere. */
export function lookUpPath(data: WireMap, path: string, delimiter?: string): WireValue | undefined;
export function lookUpPath(data: DataMap, path: string, delimiter?: string): DataValue | undefined;
export function lookUpPath(data: DataMap, path: string, delimiter?: string): DataValue | undefined {
  const whole = dataAt(data, path);
  if (whole !== undefined) return whole;
  let at: DataValue | undefined = data;
  for (const part of path.split(delimiter ?? delimiterOf(path))) {
    const keys = keysInto(at, part);
    if (keys === undefined) return undefined;
    for (const key of keys) at = valueAt(at, key);
  }
  return at;
}

/**
 * The keys that a path leads through, as they are in the data: `ports:443` may go through the number 443. From where it
 * leads nowhere on its parts are text.
 */
export function keysOfPath(data: DataMap, path: string): readonly DataValue[] {
  if (dataAt(data, path) !== undefined) return [path];
  const keys: DataValue[] = [];
  let at: DataValue | undefined = data;
  for (const part of path.split(delimiterOf(path)))
    for (const key of keysInto(at, part) ?? [part]) {
      keys.push(key);
      at = valueAt(at, key);
    }
  return keys;
}

/** What stands below one key of a map, or at one place of a list. */
export function valueAt(value: DataValue | undefined, key: DataValue): DataValue | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as readonly DataValue[])[key] : undefined;
  return isDataMap(value) ? dataAt(value, key) : undefined;
}

function delimiterOf(path: string): string {
  return path.includes(':') ? ':' : '.';
}

/** One key, or for a name in a list two: the place of a map, and its key. */
function keysInto(value: DataValue | undefined, part: string): readonly DataValue[] | undefined {
  if (Array.isArray(value)) return keysIntoList(value as readonly DataValue[], part);
  if (!isDataMap(value)) return undefined;
  if (dataAt(value, part) !== undefined) return [part];
  // `ports:443` finds the key 443, which is a number: what is no key as text is one as YAML would read it, as in Salt.
  const read = resolvePlain(part);
  if (read === undefined || read.type === 'str') return undefined;
  const key = read.type === 'null' ? null : read.value;
  return dataAt(value, key) === undefined ? undefined : [key];
}

function keysIntoList(list: readonly DataValue[], part: string): readonly DataValue[] | undefined {
  if (/^-?\d{1,9}$/.test(part)) {
    const place = Number(part) < 0 ? list.length + Number(part) : Number(part);
    return place >= 0 && place < list.length ? [place] : undefined;
  }
  const place = list.findIndex((item) => isDataMap(item) && dataAt(item, part) !== undefined);
  return place < 0 ? undefined : [place, part];
}
